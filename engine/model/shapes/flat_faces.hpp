// Polygonal faces made flat by moving their corners as little as possible.
#pragma once

#include <span>
#include <vector>

#include "engine/model/shapes/convex_hull.hpp"

namespace scree {

// Moves the vertices so that all corners of each face lie in one plane, to round-off, with the
// least sum of squares of the displacements. Returns the farthest that one was moved [m]; faces
// that are flat already move nothing.
double make_flat(std::span<const HullLoop> faces, std::vector<Vector3>& vertices);

// Whether each face has its neighbours' corners below it by more than round-off: the faces bound a
// convex body.
bool is_convex(std::span<const HullLoop> faces, std::span<const Vector3> vertices);

}  // namespace scree
