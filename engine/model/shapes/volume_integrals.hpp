// Volume integrals of a solid from its surface, tetrahedron by tetrahedron.
#pragma once

#include "engine/model/shapes/shape.hpp"

namespace scree {

// Sums over tetrahedra with one corner in a common point o. With the edges a, b, c from o and det =
// a . (b x c):
//   volume det/6;  int r = det/24 (a+b+c);  int r r^T = det/120 [(a+b+c)(a+b+c)^T + aa^T + bb^T +
//   cc^T].
struct VolumeIntegrals {
  double volume = 0.0;               // [m3]
  Vector3 first = Vector3::Zero();   // [m4] int r
  Matrix3 second = Matrix3::Zero();  // [m5] int r r^T

  void add(const Vector3& a, const Vector3& b, const Vector3& c) {
    const double det = a.dot(b.cross(c));
    const Vector3 sum = a + b + c;
    volume += det / 6.0;
    first += det / 24.0 * sum;
    second += det / 120.0 *
              (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }

  // With the point o at `origin`; of a volume other than 0.
  MassProperties about(const Vector3& origin) const {
    const Vector3 r = first / volume;
    const Matrix3 central = second - volume * r * r.transpose();
    return {volume, origin + r, central.trace() * Matrix3::Identity() - central};
  }
};

}  // namespace scree
