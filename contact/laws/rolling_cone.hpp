// The cone of a contact that resists rolling and spinning, and what goes with it.
//
//   K = {|p_T| <= mu p_N, |q_N| <= mu_spin p_N, |q_T| <= mu_roll p_N},   q = moment / length
//
// Components are (p_N, p_t, p_s, q_N, q_t, q_s): impulse, then moment over the contact's length,
// both in N s. Velocities that go with them are (u, length * relative spin), in m/s. Friction,
// spinning and rolling dissipate most given p_N, each in its own disc, so De Saxce's shift has one
// term for each.
#pragma once

#include <cmath>

#include "contact/laws/friction_cone.hpp"
#include "engine/base/math.hpp"

namespace scree::contact {

using Vector6 = Eigen::Matrix<double, 6, 1>;

struct ConeLimits {
  double mu = 0.0, mu_spin = 0.0, mu_roll = 0.0;  // [-] >= 0
};

// Lengths of the three parts of x (6 numbers) that a disc bounds.
struct DiscNorms {
  double slide, spin, roll;

  explicit DiscNorms(const double* x) noexcept
      : slide(std::sqrt(x[1] * x[1] + x[2] * x[2])),
        spin(std::abs(x[3])),
        roll(std::sqrt(x[4] * x[4] + x[5] * x[5])) {}

  // mu |.|_slide + mu_spin |.|_spin + mu_roll |.|_roll
  double weighted(const ConeLimits& limits) const noexcept {
    return limits.mu * slide + limits.mu_spin * spin + limits.mu_roll * roll;
  }
};

inline bool cone_contains(const ConeLimits& limits, const double* p, double slack = 0.0) noexcept {
  const DiscNorms norm(p);
  return p[0] >= -slack && norm.slide <= limits.mu * p[0] + slack &&
         norm.spin <= limits.mu_spin * p[0] + slack && norm.roll <= limits.mu_roll * p[0] + slack;
}

// Whether w lies in the dual cone K* = {mu |w_T| + mu_spin |.| + mu_roll |.| <= w_N}.
inline bool dual_cone_contains(const ConeLimits& limits, const double* w,
                               double slack = 0.0) noexcept {
  return DiscNorms(w).weighted(limits) <= w[0] + slack;
}

// Orthogonal projection on K, exact, written over its argument. With d_i the lengths of the three
// parts, the normal part x of the projection is the root of x - n - sum_i mu_i (d_i - mu_i x)_+,
// increasing and concave: Newton from x = 0 climbs to it and ends after at most one step for each
// part that leaves its active set.
inline void project_on_cone(const ConeLimits& limits, double* p) noexcept {
  if (cone_contains(limits, p)) return;
  const DiscNorms norm(p);
  const double d[3] = {norm.slide, norm.spin, norm.roll},
               mu[3] = {limits.mu, limits.mu_spin, limits.mu_roll};
  if (norm.weighted(limits) <= -p[0]) {
    for (int k = 0; k < 6; ++k) p[k] = 0.0;
    return;
  }
  double x = 0.0;
  for (int step = 0; step < 4; ++step) {
    double sum = p[0], weight = 1.0;
    for (int i = 0; i < 3; ++i) {
      if (d[i] > mu[i] * x) sum += mu[i] * d[i], weight += mu[i] * mu[i];
    }
    const double next = sum / weight;
    if (!(next > x)) break;
    x = next;
  }
  p[0] = x;
  double shrink[3];
  for (int i = 0; i < 3; ++i) shrink[i] = d[i] > mu[i] * x ? mu[i] * x / d[i] : 1.0;
  p[1] *= shrink[0], p[2] *= shrink[0];
  p[3] *= shrink[1];
  p[4] *= shrink[2], p[5] *= shrink[2];
}

// Natural map p - proj_K(p - rho w~), w~ = w + (shift, 0, ...); zero if and only if (p, w)
// satisfies the contact law. Evaluated as with three rows.
inline Vector6 natural_map(const Vector6& p, const Vector6& w, const ConeLimits& limits,
                           double rho) noexcept {
  Vector6 step = rho * w;
  step[0] += rho * DiscNorms(w.data()).weighted(limits);
  const Vector6 moved = p - step;
  Vector6 inside = moved;
  project_on_cone(limits, inside.data());
  return inside[0] == 0.0 ? p : Vector6(step + (moved - inside));
}

}  // namespace scree::contact
