// Generator of an irregular convex rock.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/math.hpp"

namespace scree {

struct IrregularRock {
  std::uint64_t seed = 1;
  int corners = 16;           // points drawn, >= 4; those inside the hull are not corners
  double irregularity = 0.2;  // [-] in [0, 1): radii lie between 1 - irregularity and 1
  Vector3 proportions = Vector3(1.0, 1.0, 1.0);  // [-] stretch along each axis
};

// Points around the origin, of no particular size. The same seed gives the same bits on every
// machine.
std::vector<Vector3> irregular_rock(const IrregularRock& rock);

// The points scaled about the origin so that the largest side of their bounding box is `size` [m].
std::vector<Vector3> scaled_to(std::span<const Vector3> points, double size);

}  // namespace scree
