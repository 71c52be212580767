// Impact laws act at assembly only: they shift the free local velocity. The solver sees w = W p + b
// for every law.
//
//   newton   w_N = u_N,1 + e min(u_N,0, 0)                          w_T = u_T,1 [Fremond24] eq.
//   61-62 fremond  w_N = u_N,1 + e u_N,0 (u_N,0 <= 0), else + r u_N,0     w_T = u_T,1 + r u_T,0
//   [Fremond24] eq. 72-73, divided by theta
//
// with r = (1 - theta)/theta. Departure from the source: separating contacts (u_N,0 > 0) under
// `fremond` take r in place of e, so that no contact does positive work, beyond the solver's
// tolerance, whatever the coupling.
#pragma once

#include "engine/base/math.hpp"
#include "engine/model/materials.hpp"

namespace scree::contact {

// What the law adds to u_1, components (n,t,s) [m/s]; `u_0` is the local velocity at t_k. `damped`
// takes w_T = u_T,1 under `fremond` too, so that a sticking contact does not reverse its tangential
// velocity (engine/method/rest.md).
inline Vector3 law_bias(const PairLaw& pair, double theta, const Vector3& u_0, bool damped) {
  if (pair.law == ImpactLaw::newton) {
    return Vector3(u_0.x() < 0.0 ? pair.e * u_0.x() : 0.0, 0.0, 0.0);
  }
  const double r = (1.0 - theta) / theta;
  const double r_T = damped ? 0.0 : r;
  return Vector3((u_0.x() <= 0.0 ? pair.e : r) * u_0.x(), r_T * u_0.y(), r_T * u_0.z());
}

// What the law adds to the relative spin at t_k+1 [rad/s], components (n,t,s), for rolling and
// spinning resistance: they act on w_R = omega_1 (newton), or omega_1 + r omega_0 = omega_theta /
// theta (fremond), as friction does.
inline Vector3 spin_bias(const PairLaw& pair, double theta, const Vector3& spin_0, bool damped) {
  if (pair.law == ImpactLaw::newton || damped) return Vector3::Zero();
  return (1.0 - theta) / theta * spin_0;
}

// Factor on (w, b) in the rho = 1 residual measures: the published law is written for u_theta.
inline double law_scale(const PairLaw& pair, double theta) {
  return pair.law == ImpactLaw::newton ? 1.0 : theta;
}

}  // namespace scree::contact
