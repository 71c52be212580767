// Gaps and overlaps between neighbours closed by moving both faces half the way.
#pragma once

#include <vector>

#include "scenes/blocks/joints.hpp"
#include "scenes/blocks/solids.hpp"

namespace scree::blocks {

// Moves the corners of the faces that make joints within `tolerance` (of the smaller block's size)
// so that the faces meet; corners stay on the faces that make none. Returns the farthest that a
// corner was moved [m].
double shift_faces(std::vector<Solid>& solids, double tolerance);

// The faces of blocks as joints are looked for between, those that are not convex in triangles.
std::vector<JointBody> faces_of(const std::vector<Solid>& solids);

}  // namespace scree::blocks
