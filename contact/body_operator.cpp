#include "contact/body_operator.hpp"

#include <algorithm>
#include <cmath>

#include "contact/friction_cone.hpp"
#include "contact/local_solver.hpp"
#include "contact/rolling_local_solver.hpp"
#include "contact/simd.hpp"
#include "engine/model/check.hpp"

namespace scree::contact {

namespace {

constexpr std::size_t body_stride = 8;  // v, 0, w, 0: one cache line a body

// Lower factor L of a symmetric positive semidefinite matrix, M = L L^T; zero columns where a pivot vanishes.
Matrix3 cholesky(const Matrix3& M) {
  Matrix3 L = Matrix3::Zero();
  for (int j = 0; j < 3; ++j) {
    double pivot = M(j, j);
    for (int k = 0; k < j; ++k) pivot -= L(j, k) * L(j, k);
    if (!(pivot > 0.0)) continue;
    L(j, j) = std::sqrt(pivot);
    for (int i = j + 1; i < 3; ++i) {
      double sum = M(i, j);
      for (int k = 0; k < j; ++k) sum -= L(i, k) * L(j, k);
      L(i, j) = sum / L(j, j);
    }
  }
  return L;
}

// Whether a contact of six rows resists rolling or spinning.
template <class Limits>
[[gnu::always_inline]] inline bool resists(const Limits& limits) noexcept {
  return limits.mu_spin > 0.0 || limits.mu_roll > 0.0;
}

}  // namespace

// Velocity and spin of the two bodies of a pair, in registers; lane 3 is not used.
template <int rows_of_contact>
struct BodyOperatorOf<rows_of_contact>::Motion {
  Lanes v_a, w_a, v_b, w_b;

  [[gnu::always_inline]] void gather(const double* image, const Pair& pair) noexcept {
    v_a = w_a = v_b = w_b = Lanes{0.0, 0.0, 0.0, 0.0};
    if (pair.body_a >= 0) {
      const double* z = image + body_stride * static_cast<std::size_t>(pair.body_a);
      load_lanes(v_a, z), load_lanes(w_a, z + 4);
    }
    if (pair.body_b >= 0) {
      const double* z = image + body_stride * static_cast<std::size_t>(pair.body_b);
      load_lanes(v_b, z), load_lanes(w_b, z + 4);
    }
  }

  [[gnu::always_inline]] void scatter(double* image, const Pair& pair) noexcept {
    v_a[3] = w_a[3] = v_b[3] = w_b[3] = 0.0;
    if (pair.body_a >= 0) {
      double* z = image + body_stride * static_cast<std::size_t>(pair.body_a);
      store_lanes(z, v_a), store_lanes(z + 4, w_a);
    }
    if (pair.body_b >= 0) {
      double* z = image + body_stride * static_cast<std::size_t>(pair.body_b);
      store_lanes(z, v_b), store_lanes(z + 4, w_b);
    }
  }

  // w = J z + b.
  [[gnu::always_inline]] void relative_velocity(const Contact& c, double* w) const noexcept {
    const Lanes dv = v_b - v_a;
    for (int i = 0; i < 3; ++i) {
      Lanes axis, spin_a, spin_b;
      load_lanes(axis, c.frame + 3 * i), load_lanes(spin_a, c.spin_a + 3 * i), load_lanes(spin_b, c.spin_b + 3 * i);
      const Lanes products = axis * dv + (spin_b * w_b - spin_a * w_a);
      w[i] = c.b[i] + sum3(products);
    }
    for (int i = 3; i < rows; ++i) {
      Lanes spin_a, spin_b;
      load_lanes(spin_a, c.spin_a + 3 * i), load_lanes(spin_b, c.spin_b + 3 * i);
      const Lanes products = spin_b * w_b - spin_a * w_a;
      w[i] = c.b[i] + sum3(products);
    }
  }

  // z += M^-1 J^T dp.
  [[gnu::always_inline]] void apply(const Contact& c, const Pair& pair, const double* dp) noexcept {
    Lanes row[3];
    for (int i = 0; i < 3; ++i) load_lanes(row[i], c.frame + 3 * i);
    const Lanes force = row[0] * dp[0] + row[1] * dp[1] + row[2] * dp[2];
    v_a -= pair.inverse_mass_a * force;
    v_b += pair.inverse_mass_b * force;
    for (int i = 0; i < 3; ++i) load_lanes(row[i], c.spin_a + 3 * i);
    w_a -= row[0] * dp[0] + row[1] * dp[1] + row[2] * dp[2];
    for (int i = 0; i < 3; ++i) load_lanes(row[i], c.spin_b + 3 * i);
    w_b += row[0] * dp[0] + row[1] * dp[1] + row[2] * dp[2];
    if constexpr (rows == 6) {
      for (int i = 0; i < 3; ++i) load_lanes(row[i], c.spin_a + 3 * (i + 3));
      w_a -= row[0] * dp[3] + row[1] * dp[4] + row[2] * dp[5];
      for (int i = 0; i < 3; ++i) load_lanes(row[i], c.spin_b + 3 * (i + 3));
      w_b += row[0] * dp[3] + row[1] * dp[4] + row[2] * dp[5];
    }
  }
};

namespace {

template <class Pair, class Visit>
[[gnu::always_inline]] inline void visit_range(const Pair* begin, const Pair* end, const Visit& visit) noexcept {
  for (const Pair* pair = begin; pair != end; ++pair) visit(*pair);
}

template <class Pair, class Visit>
void visit_portable(const Pair* begin, const Pair* end, const Visit& visit) noexcept {
  visit_range(begin, end, visit);
}

template <class Pair, class Visit>
SCREE_TARGET_AVX2 void visit_avx2(const Pair* begin, const Pair* end, const Visit& visit) noexcept {
  visit_range(begin, end, visit);
}

}  // namespace

// Visits all pairs, colour by colour; `visit` must be forced inline, so that it is compiled for either machine.
template <int rows_of_contact>
template <class Visit>
void BodyOperatorOf<rows_of_contact>::for_pairs(const Visit& visit) const {
  const bool avx2 = has_avx2();
  for (std::size_t colour = 0; colour + 1 < order_.colour_begin.size(); ++colour) {
    const std::int32_t first = order_.colour_begin[colour], last = order_.colour_begin[colour + 1];
    executor_.for_each_block(last - first, [&](int block) {
      const auto at = static_cast<std::size_t>(first + block);
      const Pair* begin = pairs_.data() + order_.block_begin[at];
      const Pair* end = pairs_.data() + order_.block_begin[at + 1];
      if (avx2) visit_avx2(begin, end, visit);
      else visit_portable(begin, end, visit);
    });
  }
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::prepare(const BodyProblem& problem, const Executor& executor) {
  const std::size_t n_bodies = problem.n_bodies(), n = problem.n_contacts();
  executor_ = n >= coloured_from ? executor : Executor{};
  image_size_ = body_stride * n_bodies;
  inverse_mass_ = problem.inverse_mass;
  spin_factor_.resize(n_bodies);
  for (std::size_t body = 0; body < n_bodies; ++body) {
    spin_factor_[body] = cholesky(problem.inverse_inertia_W[body]);
  }
  find_pairs(problem);
  order_pairs(problem);
  contacts_.resize(n);
  traits_.resize(n);
  lambda_.assign(n, 0.0);
  if constexpr (rows == 6) length_.resize(n);
  executor_.for_each_block(n_reduction_blocks(n), [&](int block) {
    const std::size_t begin = static_cast<std::size_t>(block) * reduction_block;
    const std::size_t end = std::min(n, begin + reduction_block);
    for (std::size_t i = begin; i < end; ++i) fill(problem, i, static_cast<std::size_t>(source_[i]));
  });
  alpha_ = -1.0;
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::find_pairs(const BodyProblem& problem) {
  natural_.clear();
  natural_begin_.clear();
  const auto mobile = [&](BodyIndex body) {
    const auto i = static_cast<std::size_t>(body);
    return problem.inverse_mass[i] > 0.0 || !spin_factor_[i].isZero(0.0) ? body : BodyIndex{-1};
  };
  for (std::size_t i = 0; i < problem.n_contacts(); ++i) {
    const BodyIndex a = problem.body_a[i], b = problem.body_b[i];
    SCREE_ASSERT(a != b && a >= 0 && b >= 0);
    if (i == 0 || problem.body_a[i - 1] != a || problem.body_b[i - 1] != b) {
      natural_.push_back({mobile(a), mobile(b), 0});
      natural_begin_.push_back(static_cast<std::int32_t>(i));
    }
    ++natural_.back().n_contacts;
  }
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::order_pairs(const BodyProblem& problem) {
  if (problem.n_contacts() >= coloured_from) coloured_order(natural_, problem.n_bodies(), order_);
  else natural_order(natural_, order_);
  const auto mass = [&](BodyIndex body) { return problem.inverse_mass[static_cast<std::size_t>(body)]; };
  pairs_.clear();
  source_.clear();
  for (const std::int32_t k : order_.pair) {
    const PairBodies& bodies = natural_[static_cast<std::size_t>(k)];
    const std::int32_t from = natural_begin_[static_cast<std::size_t>(k)];
    const auto begin = static_cast<std::int32_t>(source_.size());
    pairs_.push_back({bodies.body_a, bodies.body_b, begin, begin + bodies.n_contacts,
                      mass(problem.body_a[static_cast<std::size_t>(from)]),
                      mass(problem.body_b[static_cast<std::size_t>(from)])});
    for (std::int32_t i = 0; i < bodies.n_contacts; ++i) source_.push_back(from + i);
  }
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::fill(const BodyProblem& problem, std::size_t contact, std::size_t source) {
  const auto a = static_cast<std::size_t>(problem.body_a[source]);
  const auto b = static_cast<std::size_t>(problem.body_b[source]);
  const Matrix3& R = problem.R_WC[source];
  Matrix3 spin_a, spin_b;  // columns: one per axis
  for (int axis = 0; axis < 3; ++axis) {
    spin_a.col(axis) = spin_factor_[a].transpose() * problem.r_a_W[source].cross(R.col(axis));
    spin_b.col(axis) = spin_factor_[b].transpose() * problem.r_b_W[source].cross(R.col(axis));
  }
  Matrix3 W = spin_a.transpose() * spin_a + spin_b.transpose() * spin_b;
  W += (problem.inverse_mass[a] + problem.inverse_mass[b]) * (R.transpose() * R);
  const double factor = contact_factor(W.trace());
  const Vector3 dv = problem.v_free[b] + problem.w_free_W[b].cross(problem.r_b_W[source]) - problem.v_free[a] -
                     problem.w_free_W[a].cross(problem.r_a_W[source]);
  const Vector3 bias = R.transpose() * dv + problem.bias[source];
  Contact& c = contacts_[contact];
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      c.frame[3 * i + k] = factor * R(k, i);
      c.spin_a[3 * i + k] = factor * spin_a(k, i);
      c.spin_b[3 * i + k] = factor * spin_b(k, i);
      c.A[3 * i + k] = factor * factor * W(i, k);
    }
    c.b[i] = factor * bias[i];
  }
  c.limits.mu = problem.mu[source];
  if constexpr (rows == 3) traits_[contact] = {bias, c.limits.mu, factor, problem.scale[source]};
  else fill_moment(problem, contact, source, bias, factor);
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::fill_moment(const BodyProblem& problem, std::size_t contact, std::size_t source,
                                                  const Vector3& bias, double factor)
  requires(rows_of_contact == 6)
{
  Contact& c = contacts_[contact];
  c.limits.mu_spin = problem.mu_spin[source], c.limits.mu_roll = problem.mu_roll[source];
  const double length = problem.length[source];
  length_[contact] = length;
  const auto a = static_cast<std::size_t>(problem.body_a[source]), b = static_cast<std::size_t>(problem.body_b[source]);
  const bool rolls = resists(c.limits);
  Vector6 bias_6 = Vector6::Zero();
  bias_6.template head<3>() = bias;
  if (rolls) {
    bias_6.template tail<3>() =
        length * (problem.R_WC[source].transpose() * (problem.w_free_W[b] - problem.w_free_W[a]) + problem.spin_bias[source]);
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double unit = rolls ? factor * length : 0.0;
    const Vector3 direction = unit * problem.R_WC[source].col(axis);
    const Vector3 row_a = spin_factor_[a].transpose() * direction, row_b = spin_factor_[b].transpose() * direction;
    for (int k = 0; k < 3; ++k) {
      c.spin_a[9 + 3 * axis + k] = row_a[k];
      c.spin_b[9 + 3 * axis + k] = row_b[k];
    }
    c.b[3 + axis] = factor * bias_6[3 + axis];
  }
  traits_[contact] = {bias_6, c.limits, factor, problem.scale[source]};
  if (!rolls) return;
  using Rows = Eigen::Matrix<double, rows, 3, Eigen::RowMajor>;
  const Eigen::Map<const Rows> spin_a(c.spin_a), spin_b(c.spin_b);
  Eigen::Map<Eigen::Matrix<double, rows, rows, Eigen::RowMajor>> A(c.A);
  A = spin_a * spin_a.transpose() + spin_b * spin_b.transpose();
  const Matrix3& R = problem.R_WC[source];
  A.template topLeftCorner<3, 3>() +=
      factor * factor * (problem.inverse_mass[a] + problem.inverse_mass[b]) * (R.transpose() * R);
}

template <int rows_of_contact>
[[gnu::always_inline]] inline void BodyOperatorOf<rows_of_contact>::project(const Contact& c, double* p) const {
  if constexpr (rows == 3) project_on_cone(c.limits.mu, p[0], p[1], p[2]);
  else project_on_cone(c.limits, p);
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::load(std::span<const Vector3> p, std::span<const Vector3> moment,
                                           std::vector<double>& y) const {
  y.resize(n_rows * n_contacts());
  for (std::size_t i = 0; i < n_contacts(); ++i) {
    const auto source = static_cast<std::size_t>(source_[i]);
    double in_cone[n_rows];
    for (int k = 0; k < 3; ++k) in_cone[k] = p[source][k];
    for (int k = 3; k < rows; ++k) in_cone[k] = moment[source][k - 3] / length_[i];
    project(contacts_[i], in_cone);
    for (std::size_t k = 0; k < n_rows; ++k) y[n_rows * i + k] = in_cone[k] / traits_[i].factor;
  }
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::store(const std::vector<double>& y, std::span<Vector3> p,
                                            std::span<Vector3> moment) const {
  for (std::size_t i = 0; i < n_contacts(); ++i) {
    const auto source = static_cast<std::size_t>(source_[i]);
    const double factor = traits_[i].factor;
    const double* at = y.data() + n_rows * i;
    p[source] = factor * Vector3(at[0], at[1], at[2]);
    if constexpr (rows == 6) moment[source] = factor * length_[i] * Vector3(at[3], at[4], at[5]);
  }
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::set_alpha(double alpha) {
  if (alpha == alpha_) return;
  alpha_ = alpha;
  for (Contact& c : contacts_) {
    if constexpr (rows == 6) {
      if (resists(c.limits)) {
        regularised_inverse<6>(c.A, alpha, c.inverse);
        continue;
      }
    }
    regularised_inverse<3>(c.A, alpha, c.inverse);
  }
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::make_image(const std::vector<double>& y, std::vector<double>& image) const {
  image.assign(image_size_, 0.0);
  for_pairs([&](const Pair& pair) __attribute__((always_inline)) {
    Motion motion;
    motion.gather(image.data(), pair);
    for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
      motion.apply(contacts_[i], pair, y.data() + n_rows * i);
    }
    motion.scatter(image.data(), pair);
  });
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::velocities(const std::vector<double>& image, std::vector<double>& w) const {
  w.resize(n_rows * n_contacts());
  for_pairs([&](const Pair& pair) __attribute__((always_inline)) {
    Motion motion;
    motion.gather(image.data(), pair);
    for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
      motion.relative_velocity(contacts_[i], w.data() + n_rows * i);
    }
  });
}

// Exact solution of one contact, the others frozen.
template <int rows_of_contact>
[[gnu::always_inline]] inline void BodyOperatorOf<rows_of_contact>::visit(const Contact& c, const double* w, double& lambda,
                                                                          double* p, double* dp) const {
  if constexpr (rows == 6) {
    if (resists(c.limits)) {
      visit_rolling(c.A, c.inverse, alpha_, c.limits, w, p, dp);
      return;
    }
    for (int k = 3; k < rows; ++k) dp[k] = 0.0;
  }
  visit_contact(c.A, c.inverse, alpha_, c.limits.mu, w, lambda, p, dp);
}

// De Saxce's shift of the normal velocity.
template <int rows_of_contact>
[[gnu::always_inline]] inline double BodyOperatorOf<rows_of_contact>::shift_of(const Contact& c, const double* w) const {
  if constexpr (rows == 3) return c.limits.mu * std::sqrt(w[1] * w[1] + w[2] * w[2]);
  else return DiscNorms(w).weighted(c.limits);
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::sweep(std::vector<double>& y, std::vector<double>& image) {
  for_pairs([this, p = y.data(), z = image.data()](const Pair& pair) __attribute__((always_inline)) {
    Motion motion;
    motion.gather(z, pair);
    for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
      const Contact& c = contacts_[i];
      double w[n_rows], dp[n_rows];
      motion.relative_velocity(c, w);
      visit(c, w, lambda_[i], p + n_rows * i, dp);
      motion.apply(c, pair, dp);
    }
    motion.scatter(z, pair);
  });
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::project_step(const std::vector<double>& y, const std::vector<double>& image, double step,
                                bool refresh, std::vector<double>& shift, std::vector<double>& g,
                                std::vector<double>& y_new, std::vector<double>& image_new) const {
  image_new.assign(image_size_, 0.0);
  for_pairs([&](const Pair& pair) __attribute__((always_inline)) {
    Motion motion, moved;
    motion.gather(image.data(), pair);
    moved.gather(image_new.data(), pair);
    for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
      const Contact& c = contacts_[i];
      double* w = g.data() + n_rows * i;
      motion.relative_velocity(c, w);
      if (refresh) shift[i] = shift_of(c, w);
      w[0] += shift[i];
      double* p = y_new.data() + n_rows * i;
      for (std::size_t k = 0; k < n_rows; ++k) p[k] = y[n_rows * i + k] - step * w[k];
      project(c, p);
      moved.apply(c, pair, p);
    }
    moved.scatter(image_new.data(), pair);
  });
}

template <int rows_of_contact>
double BodyOperatorOf<rows_of_contact>::curvature(const std::vector<double>&, const std::vector<double>& image_a,
                               const std::vector<double>&, const std::vector<double>& image_b) const {
  double total = 0.0;
  for (std::size_t body = 0; body < inverse_mass_.size(); ++body) {
    const std::size_t at = body_stride * body;
    double linear = 0.0, spin = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double dv = image_a[at + k] - image_b[at + k], dw = image_a[at + 4 + k] - image_b[at + 4 + k];
      linear += dv * dv;
      spin += dw * dw;
    }
    total += spin + (inverse_mass_[body] > 0.0 ? linear / inverse_mass_[body] : 0.0);
  }
  return total;
}

template class BodyOperatorOf<3>;
template class BodyOperatorOf<6>;

}  // namespace scree::contact
