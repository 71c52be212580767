// On which side of a plane through three points a fourth one lies, without error.
#pragma once

#include "engine/base/math.hpp"

namespace scree {

// Sign and size of the volume of a tetrahedron. The sign is that of the exact value, the size is
// rounded.
struct Orientation {
  int sign =
      0;  // +1: p is above the plane of a, b, c, which turn counter-clockwise as seen from p's side
  double volume = 0.0;  // six times the volume of a, b, c, p
};

// Of points whose coordinates are neither huge nor tiny (products of three of them neither overflow
// nor underflow).
Orientation orientation(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& p);

}  // namespace scree
