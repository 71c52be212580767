// Orientation update q_1 = q_0 * f(h w_theta) on the unit quaternions.
#pragma once

#include <cmath>

#include "engine/base/math.hpp"

namespace scree::integrators {

// Cayley map of a rotation vector a [rad]: (1, a/2) / |(1, a/2)|. With the spin equation at theta =
// 1/2 it makes the spatial angular momentum of a torque-free body constant to round-off.
inline Quaternion cayley(const Vector3& a) {
  const Vector3 half = 0.5 * a;
  const double inverse_norm = 1.0 / std::sqrt(1.0 + half.squaredNorm());
  return Quaternion(inverse_norm, inverse_norm * half.x(), inverse_norm * half.y(),
                    inverse_norm * half.z());
}

// Exponential map of a rotation vector a [rad].
inline Quaternion exponential(const Vector3& a) {
  const double angle = a.norm();
  const double half = 0.5 * angle;
  // sin(x)/x by its series where the quotient would lose digits
  const double factor = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : std::sin(half) / angle;
  return Quaternion(std::cos(half), factor * a.x(), factor * a.y(), factor * a.z());
}

}  // namespace scree::integrators
