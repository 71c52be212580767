// Coulomb's cone K = {|p_T| <= mu p_N} and what goes with it. Components are (n, t, s).
#pragma once

#include <cmath>

#include "engine/base/math.hpp"

namespace scree::contact {

// Length of the tangential part of x.
inline double tangential_norm(const Vector3& x) noexcept {
  return std::sqrt(x[1] * x[1] + x[2] * x[2]);
}

// Whether p lies in K, up to `slack` (same unit as p, >= 0).
inline bool cone_contains(const Vector3& p, double mu, double slack = 0.0) noexcept {
  return p[0] >= -slack && tangential_norm(p) <= mu * p[0] + slack;
}

// Whether w lies in the dual cone K* = {mu |w_T| <= w_N}, up to `slack` (same unit as w, >= 0).
inline bool dual_cone_contains(const Vector3& w, double mu, double slack = 0.0) noexcept {
  return mu * tangential_norm(w) <= w[0] + slack;
}

// Orthogonal projection on K, in closed form, written over its argument. mu >= 0.
inline void project_on_cone(double mu, double& n, double& t, double& s) noexcept {
  const double tangential = std::sqrt(t * t + s * s);
  if (n >= 0.0 && tangential <= mu * n) return;
  if (mu * tangential <= -n) {
    n = t = s = 0.0;
    return;
  }
  n = (mu * tangential + n) / (1.0 + mu * mu);
  const double shrink = mu * n / tangential;
  t *= shrink;
  s *= shrink;
}

inline Vector3 project_on_cone(const Vector3& p, double mu) noexcept {
  Vector3 result = p;
  project_on_cone(mu, result[0], result[1], result[2]);
  return result;
}

// w~ = w + (mu |w_T|, 0, 0): turns Coulomb's law into a complementarity between K and K* [DSF98].
inline Vector3 de_saxce(const Vector3& w, double mu) noexcept {
  return {w[0] + mu * tangential_norm(w), w[1], w[2]};
}

// Natural map p - proj_K(p - rho w~); zero if and only if (p, w) satisfies the contact law. rho >
// 0.
//
// Evaluated as rho w~ plus what the projection takes off, so that rho w~ is not lost in the
// round-off of a large p: exactly rho w~ where the projection leaves its argument alone, exactly p
// where that is 0.
inline Vector3 natural_map(const Vector3& p, const Vector3& w, double mu, double rho) noexcept {
  const Vector3 step = rho * de_saxce(w, mu), moved = p - step, inside = project_on_cone(moved, mu);
  return inside[0] == 0.0 ? p : Vector3(step + (moved - inside));
}

}  // namespace scree::contact
