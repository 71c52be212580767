// Blocks that touch where the file draws joints, whatever the facets of their surfaces are.
//
// Curved joints are often drawn twice: each block with facets of its own, and the joint between
// them as planes. Facets then lie in each other and apart by more than the joint closes. With the
// joints as drawn each of their polygons is the outer face of a flat piece of both blocks, and what
// else the surface of a block has takes no part in contacts.
#pragma once

#include <optional>
#include <vector>

#include "scenes/blocks/decompose.hpp"

namespace scree::blocks {

struct JointPieces {
  std::vector<std::optional<ConvexParts>> parts;  // [n_solids] nothing: it has no joint, and is
                                                  // what its surface says
  std::size_t pairs = 0, polygons = 0;
  std::size_t without_area = 0;  // joints at a point or an edge, which are left out
};

// `scale` is that of SolidOptions. Throws InputError("joint of 'A' and 'B': ...").
JointPieces pieces_at_joints(const std::vector<Solid>& solids,
                             const std::vector<DrawnJoint>& joints, double scale);

}  // namespace scree::blocks
