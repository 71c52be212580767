#include "contact/rolling_local_solver.hpp"

#include <algorithm>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "contact/local_solver.hpp"

namespace scree::contact {

namespace {

// Rows of one disc.
struct Part {
  int begin, size;
  double mu;
};

struct Parts {
  Part part[3];

  explicit Parts(const ConeLimits& limits) : part{{1, 2, limits.mu}, {3, 1, limits.mu_spin}, {4, 2, limits.mu_roll}} {}
};

double norm_of(const Vector6& x, const Part& part) noexcept {
  double sum = 0.0;
  for (int i = part.begin; i < part.begin + part.size; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

// Puts parts that are outside their discs by round-off back on the rim.
void clip(const Parts& parts, Vector6& p) noexcept {
  for (const Part& part : parts.part) {
    const double length = norm_of(p, part), radius = part.mu * p[0];
    if (length <= radius) continue;
    for (int i = part.begin; i < part.begin + part.size; ++i) p[i] *= radius / length;
  }
}

// Alart and Curnier's equations in units of impulse: F, and its generalised Jacobian.
void newton_equations(const Matrix6& A, const Vector6& w, const Parts& parts, const Vector6& p, Vector6& F,
                      Matrix6& jacobian) noexcept {
  F[0] = w[0] / A(0, 0);
  jacobian.row(0) = A.row(0) / A(0, 0);
  for (const Part& part : parts.part) {
    double trace = 0.0;
    for (int i = part.begin; i < part.begin + part.size; ++i) trace += A(i, i);
    const double rho = part.size / trace, radius = part.mu * std::max(p[0], 0.0);
    Vector6 z = p - rho * w;
    const double length = norm_of(z, part);
    const bool sticks = length <= radius && radius > 0.0;
    for (int i = part.begin; i < part.begin + part.size; ++i) {
      if (sticks) {
        F[i] = rho * w[i];
        jacobian.row(i) = rho * A.row(i);
        continue;
      }
      const double direction = length > 0.0 ? z[i] / length : 0.0;
      F[i] = p[i] - radius * direction;
      jacobian.row(i).setZero();
      jacobian(i, i) = 1.0;
      if (p[0] > 0.0) jacobian(i, 0) = -part.mu * direction;
      if (!(length > 0.0)) continue;
      for (int k = part.begin; k < part.begin + part.size; ++k) {
        const double turn = radius / length * ((i == k ? 1.0 : 0.0) - direction * z[k] / length);
        jacobian(i, k) -= turn;
        jacobian.row(i) += rho * turn * A.row(k);
      }
    }
  }
}

// The contact with lambda_spin and lambda_roll given: three rows once the moment is eliminated.
struct Eliminated {
  const Matrix6& A;
  const Vector6& b;
  const ConeLimits& limits;

  void solve(double lambda_spin, double lambda_roll, Vector6& p) const noexcept {
    Matrix3 mm = A.block<3, 3>(3, 3), fm = A.block<3, 3>(0, 3);
    Vector3 b_m = b.tail<3>();
    const double lambda[3] = {lambda_spin, lambda_roll, lambda_roll};
    const double mu[3] = {limits.mu_spin, limits.mu_roll, limits.mu_roll};
    for (int i = 0; i < 3; ++i) {
      mm(i, i) += lambda[i];
      if (mu[i] > 0.0) continue;  // no moment about this axis
      mm.row(i).setZero(), mm.col(i).setZero(), fm.col(i).setZero();
      mm(i, i) = 1.0, b_m[i] = 0.0;
    }
    const Eigen::LLT<Matrix3> factor(mm);
    const Matrix3 eliminate = factor.solve(fm.transpose()).transpose();
    const Matrix3 ff = A.block<3, 3>(0, 0) - eliminate * fm.transpose();
    const Vector3 b_f = b.head<3>() - eliminate * b_m;
    const Vector3 force = solve_local(ff, b_f, limits.mu).p;
    p.head<3>() = force;
    p.tail<3>() = -factor.solve(b_m + fm.transpose() * force);
  }
};

// Root of f, negative at 0 and not negative far away, by doubling and Illinois' false position; 0 when f(0) >= 0.
template <class Function>
double bracketed_root(double unit, const Function& f) noexcept {
  constexpr int most = 200;
  double low = 0.0, f_low = f(0.0);
  if (f_low >= 0.0) return 0.0;
  double high = unit, f_high = f(high);
  for (int i = 0; i < most && f_high < 0.0; ++i) low = high, f_low = f_high, high *= 4.0, f_high = f(high);
  for (int i = 0, side = 0; i < most && f_high > 0.0; ++i) {
    double at = high - f_high * (high - low) / (f_high - f_low);
    if (!(at > low && at < high) || i % 4 == 3) at = 0.5 * (low + high);
    if (!(at > low && at < high)) break;
    const double value = f(at);
    if (value < 0.0) {
      low = at, f_low = value;
      if (side == -1) f_high *= 0.5;
      side = -1;
    } else {
      high = at, f_high = value;
      if (side == 1) f_low *= 0.5;
      side = 1;
    }
    if (high - low <= 4.0 * std::numeric_limits<double>::epsilon() * high) break;
  }
  return high;
}

}  // namespace

void solve_rolling_bracketed(const Matrix6& A, const Vector6& b, const ConeLimits& limits, Vector6& p) noexcept {
  const Eliminated contact{A, b, limits};
  const Parts parts(limits);
  const double unit = A.trace() / 6.0;
  double lambda_roll = 0.0;
  const auto roll_root = [&](double lambda_spin) {
    if (limits.mu_roll > 0.0) {
      lambda_roll = bracketed_root(unit, [&](double lambda) {
        contact.solve(lambda_spin, lambda, p);
        return limits.mu_roll * p[0] - norm_of(p, parts.part[2]);
      });
    }
    contact.solve(lambda_spin, lambda_roll, p);
  };
  double lambda_spin = 0.0;
  if (limits.mu_spin > 0.0) {
    lambda_spin = bracketed_root(unit, [&](double lambda) {
      roll_root(lambda);
      return limits.mu_spin * p[0] - norm_of(p, parts.part[1]);
    });
  }
  roll_root(lambda_spin);
  clip(parts, p);
}

RollingPath solve_rolling(const Matrix6& A, const Vector6& b, const ConeLimits& limits, Vector6& p) noexcept {
  constexpr int most = 20;
  constexpr double nearly = 1e-8, exact = 1e-14;  // of |p|: one more step squares the first
  const Parts parts(limits);
  if (!(p[0] > 0.0)) p.setZero(), p[0] = -b[0] / A(0, 0);
  Vector6 F;
  Matrix6 jacobian;
  for (int step = 0; step < most; ++step) {
    const Vector6 w = A * p + b;
    newton_equations(A, w, parts, p, F, jacobian);
    const double error = F.norm(), size = p.norm();
    if (!(error > exact * size)) break;
    p -= jacobian.partialPivLu().solve(F);
    if (!p.allFinite() || !(p[0] > 0.0)) break;
    if (error > nearly * size) continue;
    clip(parts, p);
    return RollingPath::newton;
  }
  if (p.allFinite() && p[0] > 0.0 && F.norm() <= exact * p.norm()) {
    clip(parts, p);
    return RollingPath::newton;
  }
  solve_rolling_bracketed(A, b, limits, p);
  return RollingPath::bracketed;
}

void rolling_slip_visit(const double A[36], double alpha, const ConeLimits& limits, const double w[6], const double old[6],
                        double p[6]) noexcept {
  Matrix6 shifted = Eigen::Map<const Matrix6>(A);
  shifted.diagonal().array() += alpha;
  Eigen::Map<Vector6> solution(p);
  if (!(shifted(0, 0) > 0.0)) {
    solution.setZero();
    return;
  }
  Vector6 guess = Eigen::Map<const Vector6>(old);
  const Vector6 b = Eigen::Map<const Vector6>(w) - shifted * guess;
  solve_rolling(shifted, b, limits, guess);
  solution = guess;
}

}  // namespace scree::contact
