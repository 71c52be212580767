#include "contact/rolling_local_solver.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <Eigen/Cholesky>

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

// Six linear equations with their right-hand side in the last column.
struct Equations {
  double row[6][7];

  // Gauss with row exchange; `x` is not finite when there is no solution.
  void solve(double x[6]) noexcept {
    for (int k = 0; k < 6; ++k) {
      int pivot = k;
      for (int i = k + 1; i < 6; ++i) {
        if (std::abs(row[i][k]) > std::abs(row[pivot][k])) pivot = i;
      }
      if (pivot != k) {
        for (int j = k; j < 7; ++j) std::swap(row[k][j], row[pivot][j]);
      }
      const double inverse = 1.0 / row[k][k];
      for (int i = k + 1; i < 6; ++i) {
        if (row[i][k] == 0.0) continue;
        const double factor = row[i][k] * inverse;
        for (int j = k + 1; j < 7; ++j) row[i][j] -= factor * row[k][j];
      }
    }
    for (int k = 5; k >= 0; --k) {
      double sum = row[k][6];
      for (int j = k + 1; j < 6; ++j) sum -= row[k][j] * x[j];
      x[k] = sum / row[k][k];
    }
  }
};

// Alart and Curnier's equations: their generalised Jacobian with their values at p on the right. Returns the norm of
// the values in units of impulse.
double newton_equations(const Matrix6& A, const Vector6& w, const Parts& parts, const Vector6& p,
                        Equations& equations) noexcept {
  const auto sticks = [&](int i, double rho) {  // w_i = 0; scaled rows have the same solution
    for (int k = 0; k < 6; ++k) equations.row[i][k] = A(i, k);
    equations.row[i][6] = w[i];
    return rho * rho * w[i] * w[i];
  };
  double error = sticks(0, 1.0 / A(0, 0));
  for (const Part& part : parts.part) {
    const int begin = part.begin, end = part.begin + part.size;
    double trace = 0.0, length = 0.0, z[6];
    for (int i = begin; i < end; ++i) trace += A(i, i);
    const double rho = part.size / trace, radius = part.mu * p[0];
    for (int i = begin; i < end; ++i) z[i] = p[i] - rho * w[i], length += z[i] * z[i];
    length = std::sqrt(length);
    if (length <= radius && radius > 0.0) {
      for (int i = begin; i < end; ++i) error += sticks(i, rho);
      continue;
    }
    const double inverse = length > 0.0 ? 1.0 / length : 0.0, shrink = radius * inverse;
    for (int i = begin; i < end; ++i) {
      double* row = equations.row[i];
      const double direction = z[i] * inverse, value = p[i] - radius * direction;
      for (int k = 0; k < 6; ++k) row[k] = 0.0;
      for (int k = begin; k < end; ++k) {
        const double turn = shrink * ((i == k ? 1.0 : 0.0) - direction * z[k] * inverse), push = rho * turn;
        row[k] -= turn;
        if (part.size == 1) continue;  // an interval does not turn
        for (int j = 0; j < 6; ++j) row[j] += push * A(k, j);
      }
      if (part.size == 1) row[i] = 0.0;
      row[i] += 1.0;
      row[0] -= part.mu * direction;
      row[6] = value;
      error += value * value;
    }
  }
  return std::sqrt(error);
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
  Equations equations;
  for (int step = 0; step < most; ++step) {
    const Vector6 w = A * p + b;
    const double error = newton_equations(A, w, parts, p, equations), size = p.norm();
    if (!(error < exact * size)) {
      Vector6 change;
      equations.solve(change.data());
      p -= change;
      if (!p.allFinite() || !(p[0] > 0.0)) break;
      if (error > nearly * size) continue;
    }
    clip(parts, p);
    return RollingPath::newton;
  }
  solve_rolling_bracketed(A, b, limits, p);
  return RollingPath::bracketed;
}

void rolling_slip_visit(const double A[36], double alpha, const ConeLimits& limits, const double w[6],
                        const double old[6], double p[6]) noexcept {
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
