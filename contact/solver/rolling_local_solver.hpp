// Exact solution of one contact that resists rolling and spinning: w = A p + b in six rows
// (rolling_cone.hpp), the other contacts frozen. A is symmetric positive definite.
//
//   open    b_N >= 0: p = 0
//   stick   p = -A^-1 b lies in K
//   else    w_N = 0, and each of the three parts (friction, spinning, rolling) sticks, w_i = 0, or
//   slips,
//           w_i = -lambda_i p_i with |p_i| = mu_i p_N, lambda_i >= 0.
//
// The last is solved by semismooth Newton on Alart and Curnier's equations [AC91],
//   w_N = 0,   p_i = proj of p_i - rho_i w_i on the disc of radius mu_i p_N,
// which ends quadratically and takes 2 to 5 steps from the last sweep's impulses. What it ends at
// is tested against the law. When it does not end there (a kink between two cycles),
// `solve_rolling_bracketed` does: with p_N held, friction and moments are the least of a strictly
// convex function on three discs, one point that moves continuously with p_N. There w_N is b_N < 0
// at p_N = 0, and positive for large p_N: with (1, q) the point per p_N,
//   w_N / p_N -> (1, q) . A (1, q) - q . (A_qN + A_qq q) > 0,
// as q opposes its own velocity. So a root is bracketed, for any limits, and is a solution.
//
// [AC91] P. Alart, A. Curnier, A mixed formulation for frictional contact problems prone to Newton
// like solution methods, 1991.
#pragma once

#include "contact/laws/rolling_cone.hpp"

namespace scree::contact {

using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

enum class RollingPath { newton, bracketed, none };

// Solves w = A p + b, given that b_N < 0. `p` is a first guess in, the solution out. Returns how it
// was found.
RollingPath solve_rolling(const Matrix6& A, const Vector6& b, const ConeLimits& limits,
                          Vector6& p) noexcept;

// The same by a bracket of the normal impulse; false: its end misses the law by more than 1e-9.
bool solve_rolling_bracketed(const Matrix6& A, const Vector6& b, const ConeLimits& limits,
                             Vector6& p) noexcept;

// The case of `visit_rolling` in which something slips.
[[gnu::noinline]] void rolling_slip_visit(const double A[36], double alpha,
                                          const ConeLimits& limits, const double w[6],
                                          const double old[6], double p[6]) noexcept;

// One visit of a sweep, as visit_contact in six rows.
[[gnu::always_inline]] inline void visit_rolling(const double A[36], const double inverse[36],
                                                 double alpha, const ConeLimits& limits,
                                                 const double w[6], double p[6],
                                                 double dp[6]) noexcept {
  double old[6];
  for (int i = 0; i < 6; ++i) old[i] = p[i];
  double b_n = w[0] - alpha * old[0];
  for (int i = 0; i < 6; ++i) b_n -= A[i] * old[i];
  if (b_n >= 0.0) {
    for (int i = 0; i < 6; ++i) p[i] = 0.0;
  } else {
    for (int i = 0; i < 6; ++i) {
      double change = 0.0;
      for (int k = 0; k < 6; ++k) change += inverse[6 * i + k] * w[k];
      p[i] = old[i] - change;
    }
    if (!cone_contains(limits, p)) rolling_slip_visit(A, alpha, limits, w, old, p);
  }
  for (int i = 0; i < 6; ++i) dp[i] = p[i] - old[i];
}

}  // namespace scree::contact
