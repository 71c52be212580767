#include "contact/solver/rolling_local_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree::contact {

namespace {

// Rows of one disc.
struct Part {
  int begin, size;
  double mu;
};

struct Parts {
  Part part[3];

  explicit Parts(const ConeLimits& limits)
      : part{{1, 2, limits.mu}, {3, 1, limits.mu_spin}, {4, 2, limits.mu_roll}} {}
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

// Alart and Curnier's equations: their generalised Jacobian with their values at p on the right.
// Returns the norm of the values in units of impulse. `hold_normal`: the first equation says that
// p_N stays as it is, instead of w_N = 0.
double newton_equations(const Matrix6& A, const Vector6& w, const Parts& parts, const Vector6& p,
                        Equations& equations, bool hold_normal = false) noexcept {
  const auto sticks = [&](int i, double rho) {  // w_i = 0; scaled rows have the same solution
    for (int k = 0; k < 6; ++k) equations.row[i][k] = A(i, k);
    equations.row[i][6] = w[i];
    return rho * rho * w[i] * w[i];
  };
  double error = sticks(0, 1.0 / A(0, 0));
  if (hold_normal) {
    error = 0.0;
    for (int k = 0; k < 7; ++k) equations.row[0][k] = k == 0 ? 1.0 : 0.0;
  }
  for (const Part& part : parts.part) {
    const int begin = part.begin, end = part.begin + part.size;
    double trace = 0.0, length = 0.0, z[6];
    for (int i = begin; i < end; ++i) trace += A(i, i);
    // Where nothing can turn about these axes the velocity is given: the part slips, whatever the
    // step.
    const double rho = trace > 0.0 ? part.size / trace : 1.0, radius = part.mu * p[0];
    for (int i = begin; i < end; ++i) z[i] = p[i] - rho * w[i], length += z[i] * z[i];
    length = std::sqrt(length);
    if (length <= radius && radius > 0.0 && trace > 0.0) {
      for (int i = begin; i < end; ++i) error += sticks(i, rho);
      continue;
    }
    const double inverse = length > 0.0 ? 1.0 / length : 0.0, shrink = radius * inverse;
    for (int i = begin; i < end; ++i) {
      double* row = equations.row[i];
      const double direction = z[i] * inverse, value = p[i] - radius * direction;
      for (int k = 0; k < 6; ++k) row[k] = 0.0;
      for (int k = begin; k < end; ++k) {
        const double turn = shrink * ((i == k ? 1.0 : 0.0) - direction * z[k] * inverse),
                     push = rho * turn;
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

// How far p is from the law: the natural map over |p|, with the step of the first three rows'
// trace.
double law_error(const Matrix6& A, const Vector6& b, const ConeLimits& limits,
                 const Vector6& p) noexcept {
  const double rho = 3.0 / (A(0, 0) + A(1, 1) + A(2, 2));
  return natural_map(p, Vector6(A * p + b), limits, rho).norm() / p.norm();
}

// q on the disc |q| <= radius with the least of q.S q / 2 + c.q, S symmetric of size 1 or 2.
void minimise_on_disc(const Part& part, const Matrix6& A, const double c[2], double radius,
                      double q[2]) noexcept {
  const int i = part.begin;
  if (part.size == 1) {
    q[0] = A(i, i) > 0.0 ? std::clamp(-c[0] / A(i, i), -radius, radius)
           : c[0] > 0.0  ? -radius
           : c[0] < 0.0  ? radius
                         : 0.0;
    return;
  }
  // In the axes of S: q_k = -c_k / (s_k + lambda), and |q| = radius by Newton's method on 1 / |q|,
  // which is concave in lambda.
  const double half = 0.5 * (A(i, i) - A(i + 1, i + 1)), off = A(i, i + 1),
               mean = 0.5 * (A(i, i) + A(i + 1, i + 1));
  const double spread = std::hypot(half, off), turn = 0.5 * std::atan2(off, half),
               cosine = std::cos(turn), sine = std::sin(turn);
  const double s[2] = {mean + spread, std::max(mean - spread, 0.0)};
  const double d[2] = {cosine * c[0] + sine * c[1], cosine * c[1] - sine * c[0]};
  double lambda = s[1] > 0.0 ? 0.0 : std::hypot(d[0], d[1]) / radius * 1e-16, x[2] = {0.0, 0.0};
  constexpr int most = 60;
  for (int step = 0; step < most && (d[0] != 0.0 || d[1] != 0.0); ++step) {
    double length = 0.0, slope = 0.0;
    for (int k = 0; k < 2; ++k) {
      x[k] = s[k] + lambda > 0.0 ? -d[k] / (s[k] + lambda) : 0.0;
      length += x[k] * x[k];
      if (s[k] + lambda > 0.0) slope += x[k] * x[k] / (s[k] + lambda);
    }
    length = std::sqrt(length);
    if (length <= radius * (1.0 + 1e-15) || !(slope > 0.0)) break;
    lambda += (length - radius) / radius * length * length / slope;
  }
  q[0] = cosine * x[0] - sine * x[1], q[1] = sine * x[0] + cosine * x[1];
}

// One exact descent in each disc in turn, with the normal impulse held.
void descend(const Matrix6& A, const Vector6& b, const Parts& parts, Vector6& p) noexcept {
  for (const Part& part : parts.part) {
    if (part.mu == 0.0) continue;
    double c[2] = {0.0, 0.0}, q[2] = {0.0, 0.0};
    for (int k = 0; k < part.size; ++k) {
      const int i = part.begin + k;
      c[k] = b[i];
      for (int j = 0; j < 6; ++j) {
        if (j < part.begin || j >= part.begin + part.size) c[k] += A(i, j) * p[j];
      }
    }
    minimise_on_disc(part, A, c, part.mu * p[0], q);
    for (int k = 0; k < part.size; ++k) p[part.begin + k] = q[k];
  }
}

// Newton's method with the normal impulse held; true when it ends.
bool newton_on_discs(const Matrix6& A, const Vector6& b, const Parts& parts, Vector6& p) noexcept {
  constexpr int most = 8;
  constexpr double exact = 1e-14;
  const double n = p[0];
  Equations equations;
  for (int step = 0; step < most; ++step) {
    const Vector6 w = A * p + b;
    if (newton_equations(A, w, parts, p, equations, true) < exact * p.norm()) return true;
    Vector6 change;
    equations.solve(change.data());
    p -= change;
    p[0] = n;
    if (!p.allFinite()) return false;
  }
  return false;
}

// The normal velocity at normal impulse n, once friction and moments have taken their places: the
// least of a convex function on three discs, from what is in p. Descent ends from anywhere,
// Newton's method soon.
double normal_velocity(const Matrix6& A, const Vector6& b, const Parts& parts, double n,
                       Vector6& p) noexcept {
  constexpr int most = 40, descents = 8;
  p *= p[0] > 0.0 ? n / p[0] : 0.0;
  p[0] = n;
  for (int round = 0; round < most; ++round) {
    Vector6 trial = p;
    if (newton_on_discs(A, b, parts, trial)) {
      p = trial;
      clip(parts, p);
      break;
    }
    for (int k = 0; k < descents; ++k) descend(A, b, parts, p);
  }
  double w = b[0];
  for (int j = 0; j < 6; ++j) w += A(0, j) * p[j];
  return w;
}

// Newton's method from p; true when it ends at a solution.
bool newton(const Matrix6& A, const Vector6& b, const ConeLimits& limits, const Parts& parts,
            Vector6& p) noexcept {
  constexpr int most = 20;
  constexpr double nearly = 1e-8, exact = 1e-14;  // of |p|: one more step squares the first
  constexpr double solved = 1e-11;                // round-off times the condition of a block
  Equations equations;
  for (int step = 0; step < most; ++step) {
    const Vector6 w = A * p + b;
    const double error = newton_equations(A, w, parts, p, equations), size = p.norm();
    if (!(error < exact * size)) {
      Vector6 change;
      equations.solve(change.data());
      p -= change;
      if (!p.allFinite() || !(p[0] > 0.0)) return false;
      if (error > nearly * size) continue;
    }
    clip(parts, p);
    if (law_error(A, b, limits, p) <= solved)
      return true;  // else the last step went to another piece
  }
  return false;
}

}  // namespace

bool solve_rolling_bracketed(const Matrix6& A, const Vector6& b, const ConeLimits& limits,
                             Vector6& p) noexcept {
  constexpr int most = 200,
                tries = 4;  // evaluations; of them between two trials of Newton's method
  const Parts parts(limits);
  p.setZero();
  double low = 0.0, w_low = b[0], high = -b[0] / A(0, 0),
         w_high = normal_velocity(A, b, parts, high, p);
  for (int i = 0; i < most && w_high < 0.0; ++i)
    low = high, w_low = w_high, high *= 4.0, w_high = normal_velocity(A, b, parts, high, p);
  for (int i = 1, side = 0;
       i <= most && high - low > 2.0 * std::numeric_limits<double>::epsilon() * high; ++i) {
    double at = low + (high - low) * (w_low / (w_low - w_high));
    if (!(at > low && at < high) || i % 5 == 0) at = 0.5 * (low + high);
    const double w = normal_velocity(A, b, parts, at, p);
    if (w == 0.0) break;
    const int now = w < 0.0 ? -1 : 1;
    if (now < 0)
      low = at, w_low = w;
    else
      high = at, w_high = w;
    if (now == side) (now < 0 ? w_high : w_low) *= 0.5;
    side = now;
    if (i % tries != 0) continue;
    Vector6 trial = p;
    if (newton(A, b, limits, parts, trial)) {
      p = trial;
      return true;
    }
  }
  clip(parts, p);
  return law_error(A, b, limits, p) <= 1e-9;
}

RollingPath solve_rolling(const Matrix6& A, const Vector6& b, const ConeLimits& limits,
                          Vector6& p) noexcept {
  const Parts parts(limits);
  if (!(p[0] > 0.0)) p.setZero(), p[0] = -b[0] / A(0, 0);
  if (newton(A, b, limits, parts, p)) return RollingPath::newton;
  return solve_rolling_bracketed(A, b, limits, p) ? RollingPath::bracketed : RollingPath::none;
}

void rolling_slip_visit(const double A[36], double alpha, const ConeLimits& limits,
                        const double w[6], const double old[6], double p[6]) noexcept {
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
