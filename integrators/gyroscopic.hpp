// Spin of one body over one step, [Simo91] with the theta weights of the Moreau-Jean scheme:
//
//   J (w_1 - w_0) + h w_theta x (J w_theta) = P,    w_theta = (1 - theta) w_0 + theta w_1
//
// J principal moments, P the angular impulse (external and contact) in body axes.
#pragma once

#include "engine/base/math.hpp"

namespace scree::integrators {

// Whether all moments are equal: no gyroscopic term.
inline bool is_isotropic(const Vector3& inertia) {
  return inertia.x() == inertia.y() && inertia.y() == inertia.z();
}

// -h w x (J w): the impulse of the gyroscopic term at spin w [N m s].
Vector3 gyroscopic_impulse(const Vector3& inertia, const Vector3& w_B, double h);

struct EndSpin {
  Vector3 w_B = Vector3::Zero();  // [rad/s]
  bool solved = true;             // the equation holds to round-off
};

// With drag against the spin, -angular w_theta, the first J is K = J + h theta angular, and P has
// -h angular w_0 in it.
//
// Newton's method from `guess` until the update is below 4 eps |w_1|, so that the energy ledger
// closes to round-off; where it does not converge (h |w| of order one and above), damped and along
// h w_theta's growth from 0. `inertia` [kg m2] > 0, `w_0` [rad/s], `impulse_B` [N m s].
EndSpin end_spin(const Vector3& inertia, const Vector3& w_0, const Vector3& impulse_B, double h,
                 double theta, const Vector3& guess);

// The same with `turned` [kg m2] for K.
EndSpin end_spin(const Vector3& inertia, const Vector3& turned, const Vector3& w_0,
                 const Vector3& impulse_B, double h, double theta, const Vector3& guess);

}  // namespace scree::integrators
