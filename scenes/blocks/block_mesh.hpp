// A block's faces made into closed meshes that look outward.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scenes/blocks/solids.hpp"

namespace scree::blocks {

inline constexpr double least_volume = 1e-9;  // [-] of the cube of the size

struct Mesh {
  std::vector<Vector3> vertices;
  std::vector<Face> faces;
};

struct EdgeUse {
  std::int32_t face = 0;
  bool upward = false;  // the face runs from the lower to the higher vertex
};
using EdgeKey = std::pair<std::int32_t, std::int32_t>;
using EdgeMap = std::map<EdgeKey, std::vector<EdgeUse>>;
// The faces at each edge.
EdgeMap edges_of(const std::vector<Face>& faces);

struct Shell {
  Mesh mesh;
  double volume = 0.0;  // [m3] as drawn, < 0: it looks inward
};

// The smallest shell around each that looks inward; -1: none, it is the outside of a block.
std::vector<std::int32_t> cavities_of(const std::vector<Shell>& shells);

// Several closed pieces as one mesh.
Mesh joined(const std::vector<Mesh>& parts);

// Closed components of a block with consistent orientation, outward; what was done to them is
// counted. Throws InputError that names the block.
std::vector<Mesh> closed_meshes(const std::string& file, const Block& block,
                                const SolidOptions& options, SolidReport& report);

}  // namespace scree::blocks
