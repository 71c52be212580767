#include "integrators/gyroscopic.hpp"

#include <Eigen/LU>
#include <limits>

namespace scree::integrators {

Vector3 gyroscopic_impulse(const Vector3& inertia, const Vector3& w_B, double h) {
  return -h * w_B.cross(inertia.cwiseProduct(w_B));
}

Vector3 end_spin(const Vector3& inertia, const Vector3& w_0, const Vector3& impulse_B, double h, double theta,
                 const Vector3& guess) {
  constexpr int most_updates = 50;
  constexpr double round_off = 4.0 * std::numeric_limits<double>::epsilon();
  Vector3 w_1 = guess;
  for (int i = 0; i < most_updates; ++i) {
    const Vector3 w = (1.0 - theta) * w_0 + theta * w_1;
    const Vector3 momentum = inertia.cwiseProduct(w);
    const Vector3 residual = inertia.cwiseProduct(w_1 - w_0) + h * w.cross(momentum) - impulse_B;
    Matrix3 tangent = h * theta * (skew(w) * inertia.asDiagonal() - skew(momentum));
    tangent.diagonal() += inertia;
    const Vector3 update = tangent.inverse() * residual;
    w_1 -= update;
    if (update.norm() <= round_off * w_1.norm()) break;
  }
  return w_1;
}

}  // namespace scree::integrators
