// What depends on the rows of a contact: 3 (impulse), or 6 (impulse, and moment over the contact's
// length).
#pragma once

#include "contact/laws/friction_cone.hpp"
#include "contact/laws/rolling_cone.hpp"

namespace scree::contact {

struct FrictionLimit {
  double mu = 0.0;  // [-]
};

// Orthogonal projection on the cone, written over p.
[[gnu::always_inline]] inline void project_on_cone(const FrictionLimit& limits,
                                                   double* p) noexcept {
  project_on_cone(limits.mu, p[0], p[1], p[2]);
}

// De Saxce's shift of the normal velocity at contact velocity w.
[[gnu::always_inline]] inline double shift_of(const FrictionLimit& limits,
                                              const double* w) noexcept {
  return limits.mu * std::sqrt(w[1] * w[1] + w[2] * w[2]);
}

[[gnu::always_inline]] inline double shift_of(const ConeLimits& limits, const double* w) noexcept {
  return DiscNorms(w).weighted(limits);
}

// Whether a contact of six rows resists rolling or spinning.
[[gnu::always_inline]] inline bool resists(const ConeLimits& limits) noexcept {
  return limits.mu_spin > 0.0 || limits.mu_roll > 0.0;
}

// What a contact's residual needs besides p and w.
struct ContactTraits {
  Vector3 b = Vector3::Zero();  // [m/s] in the problem's units
  double mu = 0.0;              // [-]
  double factor = 1.0;          // [kg^-1/2 inverse] 1 / sqrt(d_c): p = factor y, w = w_y / factor
  double scale = 1.0;           // [-] of (w, b) in the rho = 1 measures
  double unit = 0.0;            // [N s] P_c = rho_c times the reference speed
};

// The same in six rows.
struct RollingTraits {
  Vector6 b = Vector6::Zero();  // [m/s]
  ConeLimits limits;
  double factor = 1.0, scale = 1.0, unit = 0.0;
};

inline Vector3 natural_map(const ContactTraits& traits, const Vector3& p, const Vector3& w,
                           double rho) noexcept {
  return natural_map(p, w, traits.mu, rho);
}

inline Vector6 natural_map(const RollingTraits& traits, const Vector6& p, const Vector6& w,
                           double rho) noexcept {
  return natural_map(p, w, traits.limits, rho);
}

// Whether friction, or with six rows any of the three parts, is at its limit within `slack`
// (relative).
inline bool at_limit(const FrictionLimit& limits, const double* p, double slack) noexcept {
  return std::hypot(p[1], p[2]) >= limits.mu * p[0] * (1.0 - slack);
}

inline bool at_limit(const ConeLimits& limits, const double* p, double slack) noexcept {
  const DiscNorms norm(p);
  const double limit = p[0] * (1.0 - slack);
  const auto reached = [limit](double mu, double length) {
    return mu > 0.0 && length >= mu * limit;
  };
  return norm.slide >= limits.mu * limit || reached(limits.mu_spin, norm.spin) ||
         reached(limits.mu_roll, norm.roll);
}

}  // namespace scree::contact
