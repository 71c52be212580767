// Local frame of a contact and the local velocity of its two bodies.
#pragma once

#include <cmath>

#include "engine/base/math.hpp"

namespace scree::contact {

// Columns n, t, s: t is the world axis least aligned with n (lowest index on ties), made
// perpendicular to it; s = n x t.
inline Matrix3 local_frame(const Vector3& n) {
  int axis = 0;
  for (int i = 1; i < 3; ++i) {
    if (std::abs(n[i]) < std::abs(n[axis])) axis = i;
  }
  Vector3 t = -n[axis] * n;
  t[axis] += 1.0;
  t.normalize();
  Matrix3 frame;
  frame.col(0) = n;
  frame.col(1) = t;
  frame.col(2) = n.cross(t);
  return frame;
}

// Velocity of a point at lever arm r [m] from a centre moving with v, spinning with w (all world
// axes).
inline Vector3 point_velocity(const Vector3& v, const Vector3& w, const Vector3& r) {
  return v + w.cross(r);
}

}  // namespace scree::contact
