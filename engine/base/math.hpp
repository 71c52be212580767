// Small linear algebra shared by all layers. Everything is double precision and SI.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace scree {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using Quaternion = Eigen::Quaterniond;  // constructor order (w, x, y, z); coeffs() is (x, y, z, w)

// Pose of a frame P in a frame W: x_W = q * x_P + x.
struct Pose {
  Vector3 x = Vector3::Zero();  // [m]
  Quaternion q = Quaternion::Identity();

  Vector3 operator*(const Vector3& point) const { return q * point + x; }
};

// The pose after a share of the way from one to the other: straight, and about one axis.
inline Pose pose_between(const Pose& begin, const Pose& end, double share) {
  return {begin.x + share * (end.x - begin.x), begin.q.slerp(share, end.q).normalized()};
}

// skew(a) * b = a x b.
inline Matrix3 skew(const Vector3& a) {
  Matrix3 s;
  s << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return s;
}

}  // namespace scree
