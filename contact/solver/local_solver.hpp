// Exact solution of one contact: w = A p + b with the other contacts frozen.
//
//   open    b_N >= 0: p = 0
//   stick   p = -A^-1 b lies in K
//   slip    w_N = 0 and w_T = -lambda p_T with |p_T| = mu p_N, lambda > 0. Eliminating p_N leaves,
//   with the Schur
//           complement S of A_NN and the reduced c,
//             p_T(lambda) = -(S + lambda I)^-1 c,   f(lambda) = mu p_N(lambda) / |p_T(lambda)| - 1
//             = 0.
//           f(0) < 0 because sticking is impossible and f grows like lambda, so a root is bracketed
//           and Newton's steps are kept inside the bracket.
//
// A may be unsymmetric. Where several solutions exist (strong coupling of normal and tangent) the
// first of the order open, stick, slip is returned.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "contact/laws/friction_cone.hpp"
#include "engine/base/infinity.hpp"
#include "engine/base/math.hpp"

namespace scree::contact {

enum class LocalState : std::uint8_t { open, stick, slip };

// Entries of a 3x3 matrix, row-major, of which only the upper triangle is stored.
struct Symmetric {
  const double* entry;
  [[gnu::always_inline]] double operator[](int i) const noexcept {
    constexpr int stored[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    return entry[stored[i]];
  }
};

// The tangential problem once the normal impulse has been eliminated by w_N = 0.
struct SlipProblem {
  double S[2][2];    // Schur complement [1/kg]
  double c[2];       // [m/s]
  double normal[3];  // p_N = normal[0] + normal[1] p_t + normal[2] p_s
  double mu;

  // Solution of (S + lambda I) x = r: Cramer's rule, or elimination with row exchange where that
  // would lose digits.
  void solve(double lambda, const double r[2], double x[2]) const noexcept {
    double a = S[0][0] + lambda, b = S[0][1], e = S[1][0], d = S[1][1] + lambda, r0 = r[0],
           r1 = r[1];
    const double determinant = a * d - b * e;
    if (determinant > 1e-3 * a * d) {
      const double inverse = 1.0 / determinant;
      x[0] = (d * r0 - b * r1) * inverse;
      x[1] = (a * r1 - e * r0) * inverse;
      return;
    }
    if (std::abs(e) > std::abs(a)) {
      std::swap(a, e), std::swap(b, d), std::swap(r0, r1);
    }
    const double factor = e / a;
    x[1] = (r1 - factor * r0) / (d - factor * b);
    x[0] = (r0 - b * x[1]) / a;
  }

  double normal_impulse(const double x[2]) const noexcept {
    return normal[0] + normal[1] * x[0] + normal[2] * x[1];
  }

  // f = excess / scale, and Newton's step from here: next = lambda - step.
  struct Sample {
    double excess, scale, step;
  };

  // D = det(S + lambda I), y = D p_T = -adj(S + lambda I) c and N = D p_N are polynomials in
  // lambda, with y' = -c and D' = tr(S + lambda I), so that
  //   f = (mu N - |y|) / |y|,   f' = mu (N' |y|^2 - N y . y') / |y|^3
  // take one root and one division.
  Sample evaluate(double lambda) const noexcept {
    const double a = S[0][0] + lambda, b = S[0][1], e = S[1][0], d = S[1][1] + lambda;
    const double determinant = a * d - b * e;
    const double y[2] = {b * c[1] - d * c[0], e * c[0] - a * c[1]};
    const double squared = y[0] * y[0] + y[1] * y[1];
    constexpr double tiny = 1e-100,
                     huge = 1e100;  // what is multiplied below neither vanishes nor overflows
    const bool harmless = determinant > 1e-3 * a * d && determinant > tiny && determinant < huge &&
                          squared > tiny && squared < huge;
    if (!harmless) return evaluate_carefully(lambda);
    const double N = normal[0] * determinant + normal[1] * y[0] + normal[2] * y[1];
    const double N_slope = normal[0] * (a + d) - normal[1] * c[0] - normal[2] * c[1];
    const double length = std::sqrt(squared), excess = mu * N - length;
    const double slope = mu * (N_slope * squared + N * (y[0] * c[0] + y[1] * c[1]));
    return {excess, length, excess * squared / slope};
  }

  // The same from the solution of the system, where the determinant loses digits or the polynomials
  // leave the range.
  [[gnu::noinline]] Sample evaluate_carefully(double lambda) const noexcept {
    const double minus_c[2] = {-c[0], -c[1]};
    double x[2], dx[2];
    solve(lambda, minus_c, x);
    const double minus_x[2] = {-x[0], -x[1]};
    solve(lambda, minus_x, dx);
    const double inverse_length = 1.0 / std::sqrt(x[0] * x[0] + x[1] * x[1]);
    const double ratio = mu * normal_impulse(x) * inverse_length;
    const double stretch = (x[0] * dx[0] + x[1] * dx[1]) * inverse_length * inverse_length;
    const double slope =
        mu * (normal[1] * dx[0] + normal[2] * dx[1]) * inverse_length - ratio * stretch;
    return {ratio - 1.0, 1.0, (ratio - 1.0) / slope};
  }
};

// How far from the root of f (in f) the last step of Newton's method may start; it squares the
// error.
constexpr double exact_root = 1e-8;

// The same for the sweeps of a solve to `tolerance`. A sweep visits the contact again, and starts
// from the last root: what it leaves vanishes with the changes of the sweeps, and is below the
// tolerance from the first.
inline double root_of_sweep(double tolerance) noexcept {
  return std::clamp(0.1 * std::sqrt(tolerance), exact_root, 1e-2);
}

// Root of f by Newton's method in a bracket that starts as (0, infinity). `lambda` holds the last
// root (a first guess) and returns the new one. `unit` > 0 is a typical size of S. The last step,
// taken from |f| <= close, is not evaluated again.
inline void find_slip_root(const SlipProblem& problem, double unit, double close,
                           double& lambda) noexcept {
  constexpr int max_iterations = 100;
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double low = 0.0, high = infinity;
  double at = lambda > 0.0 && lambda < infinity ? lambda : 0.1 * unit;
  for (int i = 0; i < max_iterations; ++i) {
    const SlipProblem::Sample f = problem.evaluate(at);
    lambda = at;
    if (f.excess == 0.0) return;
    (f.excess > 0.0 ? high : low) = at;
    double next = at - f.step;
    const bool inside = next > low && next < high;
    if (!inside)
      next = high == infinity ? 4.0 * at
             : low > 0.0      ? std::sqrt(low) * std::sqrt(high)
                              : 0.125 * high;
    if (std::abs(next - at) <= epsilon * at) return;
    at = next;
    if (inside && std::abs(f.excess) <= close * f.scale) break;
  }
  lambda = at;
}

// Slip at one contact, given that b_N < 0 and that sticking is outside the cone. A is row-major.
inline void solve_slip(const double A[9], const double b[3], double mu, double close,
                       double& lambda, double p[3]) noexcept {
  p[0] = p[1] = p[2] = 0.0;
  if (!(A[0] > 0.0)) return;
  const double inverse = 1.0 / A[0];
  SlipProblem problem;
  problem.mu = mu;
  problem.S[0][0] = A[4] - A[3] * inverse * A[1];
  problem.S[0][1] = A[5] - A[3] * inverse * A[2];
  problem.S[1][0] = A[7] - A[6] * inverse * A[1];
  problem.S[1][1] = A[8] - A[6] * inverse * A[2];
  problem.c[0] = b[1] - A[3] * inverse * b[0];
  problem.c[1] = b[2] - A[6] * inverse * b[0];
  problem.normal[0] = -inverse * b[0];
  problem.normal[1] = -inverse * A[1];
  problem.normal[2] = -inverse * A[2];
  p[0] = problem.normal[0];
  if (mu == 0.0 || (problem.c[0] == 0.0 && problem.c[1] == 0.0)) return;
  find_slip_root(problem, A[0] + A[4] + A[8], close, lambda);
  const double minus_c[2] = {-problem.c[0], -problem.c[1]};
  double x[2];
  problem.solve(lambda, minus_c, x);
  const double n = problem.normal_impulse(x);
  const double length = std::sqrt(x[0] * x[0] + x[1] * x[1]);
  if (!(n > 0.0) || !(length > 0.0)) return;
  p[0] = n;
  p[1] = x[0] * (mu * n / length);
  p[2] = x[1] * (mu * n / length);
}

// The slipping case of `visit_contact`, kept apart from the short path.
template <class Block>
[[gnu::noinline]] void slip_visit(Block A, double alpha, double mu, double close, const double w[3],
                                  double b_n, double& lambda, const double old[3],
                                  double p[3]) noexcept {
  double shifted[9];
  for (int k = 0; k < 9; ++k) shifted[k] = A[k];
  for (int k = 0; k < 9; k += 4) shifted[k] += alpha;
  const double b[3] = {b_n,
                       w[1] - (shifted[3] * old[0] + shifted[4] * old[1] + shifted[5] * old[2]),
                       w[2] - (shifted[6] * old[0] + shifted[7] * old[1] + shifted[8] * old[2])};
  solve_slip(shifted, b, mu, close, lambda, p);
}

// One visit of a sweep. `w` is the velocity at impulse p, `inverse` that of A + alpha I; the local
// problem is w' = (A + alpha I) (p' - p) + w, so a stuck contact needs the inverse only. Writes p'
// over p and p' - p to dp. `A` and `inverse`: row-major entries, Symmetric or const double*.
// `close`: of a slip's root, see above.
template <class Block>
[[gnu::always_inline]] inline void visit_contact(Block A, Block inverse, double alpha, double mu,
                                                 double close, const double w[3], double& lambda,
                                                 double p[3], double dp[3]) noexcept {
  const double old[3] = {p[0], p[1], p[2]};
  const double b_n = w[0] - (A[0] * old[0] + A[1] * old[1] + A[2] * old[2] + alpha * old[0]);
  if (b_n >= 0.0) {
    p[0] = p[1] = p[2] = 0.0;
  } else {
    for (int i = 0; i < 3; ++i) {
      p[i] =
          old[i] - (inverse[3 * i] * w[0] + inverse[3 * i + 1] * w[1] + inverse[3 * i + 2] * w[2]);
    }
    const double limit = mu * p[0];
    if (!(p[0] >= 0.0 && p[1] * p[1] + p[2] * p[2] <= limit * limit)) {
      slip_visit(A, alpha, mu, close, w, b_n, lambda, old, p);
    }
  }
  for (int i = 0; i < 3; ++i) dp[i] = p[i] - old[i];
}

struct LocalSolution {
  Vector3 p = Vector3::Zero();  // [N s]
  LocalState state = LocalState::open;
};

// Solves one contact. `lambda` [1/kg]: first guess of the slip multiplier in, root out (kept when
// not slipping).
inline LocalSolution solve_local(const Matrix3& A, const Vector3& b, double mu,
                                 double& lambda) noexcept {
  if (!(b[0] < 0.0)) return {};
  const Eigen::Matrix<double, 3, 1> stick = -A.partialPivLu().solve(b);
  if (stick.allFinite() && cone_contains(stick, mu)) return {stick, LocalState::stick};
  const double rows[9] = {A(0, 0), A(0, 1), A(0, 2), A(1, 0), A(1, 1),
                          A(1, 2), A(2, 0), A(2, 1), A(2, 2)};
  LocalSolution solution;
  solve_slip(rows, b.data(), mu, exact_root, lambda, solution.p.data());
  solution.state = LocalState::slip;
  return solution;
}

inline LocalSolution solve_local(const Matrix3& A, const Vector3& b, double mu) noexcept {
  double lambda = 0.0;
  return solve_local(A, b, mu, lambda);
}

}  // namespace scree::contact
