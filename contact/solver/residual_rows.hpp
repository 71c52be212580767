// What one contact of a problem on bodies adds to its residual: velocities, limits and the trace of
// its block of W.
#pragma once

#include <span>

#include "contact/laws/contact_rows.hpp"
#include "contact/problem/contact_problem.hpp"

namespace scree::contact {

inline Vector6 six(const Vector3& head, const Vector3& tail) {
  Vector6 result;
  result << head, tail;
  return result;
}

// Trace of the impulse's block of W_cc, its compliance included. The frame drops out: tr(R^T S^T I
// S R) = |r|^2 tr I - r . I r, with S = skew(r).
inline double delassus_trace(const BodyProblem& problem, std::size_t contact) {
  const auto spin_part = [&](std::size_t body, const Vector3& r) {
    const Matrix3& inverse_inertia = problem.inverse_inertia_W[body];
    return r.squaredNorm() * inverse_inertia.trace() - r.dot(inverse_inertia * r);
  };
  const auto a = static_cast<std::size_t>(problem.body_a[contact]);
  const auto b = static_cast<std::size_t>(problem.body_b[contact]);
  const double soft = problem.has_compliance() ? problem.compliance[contact].sum() : 0.0;
  if (problem.has_locks()) {
    return problem.inverse_mass[a] * problem.directions[a].sum() +
           problem.inverse_mass[b] * problem.directions[b].sum() +
           spin_part(a, problem.r_a_W[contact]) + spin_part(b, problem.r_b_W[contact]) + soft;
  }
  return 3.0 * (problem.inverse_mass[a] + problem.inverse_mass[b]) +
         spin_part(a, problem.r_a_W[contact]) + spin_part(b, problem.r_b_W[contact]) + soft;
}

// Velocity of contact i at body velocities `linear`, `spin`, without what its compliance makes of
// its impulse; b for the free ones.
inline Vector3 velocity_of(const BodyProblem& problem, std::size_t i,
                           std::span<const Vector3> linear, std::span<const Vector3> spin) {
  const auto a = static_cast<std::size_t>(problem.body_a[i]),
             b = static_cast<std::size_t>(problem.body_b[i]);
  return problem.R_WC[i].transpose() * (linear[b] + spin[b].cross(problem.r_b_W[i]) - linear[a] -
                                        spin[a].cross(problem.r_a_W[i])) +
         problem.bias[i];
}

// The same for its spin rows, as velocities; zero where nothing resists.
inline Vector3 spin_of(const BodyProblem& problem, std::size_t i, const ConeLimits& limits,
                       std::span<const Vector3> spin) {
  if (!resists(limits)) return Vector3::Zero();
  const auto a = static_cast<std::size_t>(problem.body_a[i]),
             b = static_cast<std::size_t>(problem.body_b[i]);
  return problem.length[i] *
         (problem.R_WC[i].transpose() * (spin[b] - spin[a]) + problem.spin_bias[i]);
}

inline ConeLimits limits_of(const BodyProblem& problem, std::size_t i) {
  return {problem.mu[i], problem.mu_spin[i], problem.mu_roll[i]};
}

}  // namespace scree::contact
