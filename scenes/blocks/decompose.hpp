// Solids as convex parts that fill them exactly.
//
// A solid is cut through a reflex edge, by the plane that cuts fewest faces and leaves no slivers,
// and so on with both sides, until what is left in a cell is convex. Cuts add no surface outside;
// what they add inside belongs to two parts of one body, and such parts never make contacts.
#pragma once

#include <vector>

#include "engine/model/shapes/convex_polyhedron.hpp"
#include "scenes/blocks/solids.hpp"

namespace scree::blocks {

struct ConvexParts {
  std::vector<std::vector<Vector3>> corners;  // [m] of each part: their hulls fill the solid
  double volume_error = 0.0;                  // [-] sum of their volumes against the solid's
};

// Throws InputError("block 'NAME': ...") when the parts do not fill the solid within
// `volume_tolerance`: its surface crosses itself.
ConvexParts decompose(const Solid& solid, double volume_tolerance = 1e-6);

}  // namespace scree::blocks
