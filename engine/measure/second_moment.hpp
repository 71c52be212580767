// Second moment of a body's mass, which its spin makes stress and momentum flux of.
#pragma once

#include "engine/base/math.hpp"

namespace scree::measure {

// [kg m2] P, the integral of rho x (x) x about the mass centre, in world axes: tr(J)/2 I - J, from
// principal moments and the axes R_WB.
inline Matrix3 second_moment(const Vector3& inertia, const Matrix3& R) {
  const Vector3 p = Vector3::Constant(0.5 * inertia.sum()) - inertia;
  if (p.x() == p.y() && p.y() == p.z()) return p.x() * Matrix3::Identity();
  return R * p.asDiagonal() * R.transpose();
}

}  // namespace scree::measure
