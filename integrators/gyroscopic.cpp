#include "integrators/gyroscopic.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>

namespace scree::integrators {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// The equation for w = w_theta alone, F(w) = K w + a w x (J w) - L = 0 with a = theta h and L = K
// w_0 + theta P; K is J without drag.
//
// It has a solution for every a: w . F shows that w . K w = w . L there, and F points outwards on
// large spheres. In the length |J^-1/2 F| its Jacobian is J^1/2 (I + skew) J^1/2, seldom singular;
// so Newton's steps, halved until |F| falls, find it, if not from one start, then from another.
struct SpinEquation {
  const Vector3& inertia;
  const Vector3& turned;
  Vector3 L;
  double a;

  Vector3 left(const Vector3& w) const {
    const Vector3 momentum = inertia.cwiseProduct(w);
    return turned.cwiseProduct(w) + a * w.cross(momentum) - L;
  }

  // Round-off of `left`.
  double floor(const Vector3& w) const {
    const double momentum = turned.cwiseProduct(w).norm();
    return 8.0 * epsilon * (momentum + a * w.norm() * momentum + L.norm());
  }

  Vector3 step(const Vector3& w, const Vector3& residual) const {
    const Vector3 momentum = inertia.cwiseProduct(w);
    Matrix3 tangent = a * (skew(w) * inertia.asDiagonal() - skew(momentum));
    tangent.diagonal() += turned;
    return tangent.partialPivLu().solve(residual);
  }

  // Damped Newton's method from w. True if it ends at a solution.
  bool solve(Vector3& w) const {
    constexpr int most_steps = 60, most_halvings = 30;
    Vector3 residual = left(w);
    for (int i = 0; i < most_steps; ++i) {
      const double size = residual.norm();
      const Vector3 full = step(w, residual);
      if (!full.allFinite()) return false;
      double share = 1.0;
      Vector3 next = w - full, next_residual = left(next);
      for (int k = 0; k < most_halvings && !(next_residual.norm() < size); ++k) {
        share *= 0.5;
        next = w - share * full, next_residual = left(next);
      }
      if (!(next_residual.norm() < size)) return size <= floor(w);
      w = next, residual = next_residual;
    }
    return residual.norm() <= floor(w);
  }
};

// Follows the solution from the one without gyroscopic term, a = 0, in 2, 4, ... parts of a.
bool solve_in_parts(const SpinEquation& equation, Vector3& w) {
  for (int n_parts = 2; n_parts <= 256; n_parts *= 2) {
    w = equation.L.cwiseQuotient(equation.turned);
    bool solved = true;
    for (int part = 1; part <= n_parts && solved; ++part) {
      solved =
          SpinEquation{equation.inertia, equation.turned, equation.L, equation.a * part / n_parts}
              .solve(w);
    }
    if (solved) return true;
  }
  return false;
}

// From spins about each axis and between them, with the momentum of L.
bool solve_from_elsewhere(const SpinEquation& equation, Vector3& w) {
  for (int k = 0; k < 27; ++k) {
    const Vector3 direction(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
    if (direction.isZero(0.0)) continue;
    w = equation.L.norm() * direction.normalized().cwiseQuotient(equation.turned);
    if (equation.solve(w)) return true;
  }
  return false;
}

}  // namespace

Vector3 gyroscopic_impulse(const Vector3& inertia, const Vector3& w_B, double h) {
  return -h * w_B.cross(inertia.cwiseProduct(w_B));
}

EndSpin end_spin(const Vector3& inertia, const Vector3& w_0, const Vector3& impulse_B, double h,
                 double theta, const Vector3& guess) {
  return end_spin(inertia, inertia, w_0, impulse_B, h, theta, guess);
}

EndSpin end_spin(const Vector3& inertia, const Vector3& turned, const Vector3& w_0,
                 const Vector3& impulse_B, double h, double theta, const Vector3& guess) {
  constexpr int most_updates = 50;
  constexpr double round_off = 4.0 * epsilon;
  Vector3 w_1 = guess;
  for (int i = 0; i < most_updates; ++i) {
    const Vector3 w = (1.0 - theta) * w_0 + theta * w_1;
    const Vector3 momentum = inertia.cwiseProduct(w);
    const Vector3 residual = turned.cwiseProduct(w_1 - w_0) + h * w.cross(momentum) - impulse_B;
    Matrix3 tangent = h * theta * (skew(w) * inertia.asDiagonal() - skew(momentum));
    tangent.diagonal() += turned;
    const Vector3 update = tangent.inverse() * residual;
    w_1 -= update;
    if (update.norm() <= round_off * w_1.norm()) return {w_1, true};
  }
  const SpinEquation equation{inertia, turned, turned.cwiseProduct(w_0) + theta * impulse_B,
                              theta * h};
  const auto end = [&](const Vector3& w) -> Vector3 { return w_0 + (w - w_0) / theta; };
  Vector3 w = (1.0 - theta) * w_0 + theta * guess;
  if (w.allFinite() && equation.solve(w)) return {end(w), true};
  if (solve_in_parts(equation, w)) return {end(w), true};
  if (solve_from_elsewhere(equation, w)) return {end(w), true};
  return {end(w), false};
}

}  // namespace scree::integrators
