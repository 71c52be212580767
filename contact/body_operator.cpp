#include "contact/body_operator.hpp"

#include <algorithm>
#include <cmath>

#include "contact/friction_cone.hpp"
#include "contact/local_solver.hpp"
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

}  // namespace

// Velocity and spin of the two bodies of a pair, in registers; lane 3 is not used.
struct BodyOperator::Motion {
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
  [[gnu::always_inline]] void relative_velocity(const Contact& c, double w[3]) const noexcept {
    const Lanes dv = v_b - v_a;
    for (int i = 0; i < 3; ++i) {
      Lanes axis, spin_a, spin_b;
      load_lanes(axis, c.frame + 3 * i), load_lanes(spin_a, c.spin_a + 3 * i), load_lanes(spin_b, c.spin_b + 3 * i);
      const Lanes products = axis * dv + (spin_b * w_b - spin_a * w_a);
      w[i] = c.b[i] + sum3(products);
    }
  }

  // z += M^-1 J^T dp.
  [[gnu::always_inline]] void apply(const Contact& c, const Pair& pair, const double dp[3]) noexcept {
    Lanes row[3];
    for (int i = 0; i < 3; ++i) load_lanes(row[i], c.frame + 3 * i);
    const Lanes force = row[0] * dp[0] + row[1] * dp[1] + row[2] * dp[2];
    v_a -= pair.inverse_mass_a * force;
    v_b += pair.inverse_mass_b * force;
    for (int i = 0; i < 3; ++i) load_lanes(row[i], c.spin_a + 3 * i);
    w_a -= row[0] * dp[0] + row[1] * dp[1] + row[2] * dp[2];
    for (int i = 0; i < 3; ++i) load_lanes(row[i], c.spin_b + 3 * i);
    w_b += row[0] * dp[0] + row[1] * dp[1] + row[2] * dp[2];
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
template <class Visit>
void BodyOperator::for_pairs(const Visit& visit) const {
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

void BodyOperator::prepare(const BodyProblem& problem, const Executor& executor) {
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
  executor_.for_each_block(n_reduction_blocks(n), [&](int block) {
    const std::size_t begin = static_cast<std::size_t>(block) * reduction_block;
    const std::size_t end = std::min(n, begin + reduction_block);
    for (std::size_t i = begin; i < end; ++i) fill(problem, i, static_cast<std::size_t>(source_[i]));
  });
  alpha_ = -1.0;
}

void BodyOperator::find_pairs(const BodyProblem& problem) {
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

void BodyOperator::order_pairs(const BodyProblem& problem) {
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

void BodyOperator::fill(const BodyProblem& problem, std::size_t contact, std::size_t source) {
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
  c.mu = problem.mu[source];
  traits_[contact] = {bias, c.mu, factor, problem.scale[source]};
}

void BodyOperator::load(std::span<const Vector3> p, std::vector<double>& y) const {
  y.resize(3 * n_contacts());
  for (std::size_t i = 0; i < n_contacts(); ++i) {
    const Vector3 in_cone = project_on_cone(p[static_cast<std::size_t>(source_[i])], traits_[i].mu);
    for (std::size_t k = 0; k < 3; ++k) y[3 * i + k] = in_cone[static_cast<int>(k)] / traits_[i].factor;
  }
}

void BodyOperator::store(const std::vector<double>& y, std::span<Vector3> p) const {
  for (std::size_t i = 0; i < n_contacts(); ++i) {
    p[static_cast<std::size_t>(source_[i])] = traits_[i].factor * Vector3(y[3 * i], y[3 * i + 1], y[3 * i + 2]);
  }
}

void BodyOperator::set_alpha(double alpha) {
  if (alpha == alpha_) return;
  alpha_ = alpha;
  for (Contact& c : contacts_) regularised_inverse(c.A, alpha, c.inverse);
}

void BodyOperator::make_image(const std::vector<double>& y, std::vector<double>& image) const {
  image.assign(image_size_, 0.0);
  for_pairs([&](const Pair& pair) __attribute__((always_inline)) {
    Motion motion;
    motion.gather(image.data(), pair);
    for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
      motion.apply(contacts_[i], pair, y.data() + 3 * i);
    }
    motion.scatter(image.data(), pair);
  });
}

void BodyOperator::velocities(const std::vector<double>& image, std::vector<double>& w) const {
  w.resize(3 * n_contacts());
  for_pairs([&](const Pair& pair) __attribute__((always_inline)) {
    Motion motion;
    motion.gather(image.data(), pair);
    for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
      motion.relative_velocity(contacts_[i], w.data() + 3 * i);
    }
  });
}

void BodyOperator::sweep(std::vector<double>& y, std::vector<double>& image) {
  for_pairs([this, p = y.data(), z = image.data()](const Pair& pair) __attribute__((always_inline)) {
    Motion motion;
    motion.gather(z, pair);
    for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
      const Contact& c = contacts_[i];
      double w[3], dp[3];
      motion.relative_velocity(c, w);
      visit_contact(c.A, c.inverse, alpha_, c.mu, w, lambda_[i], p + 3 * i, dp);
      motion.apply(c, pair, dp);
    }
    motion.scatter(z, pair);
  });
}

void BodyOperator::project_step(const std::vector<double>& y, const std::vector<double>& image, double step,
                                bool refresh, std::vector<double>& shift, std::vector<double>& g,
                                std::vector<double>& y_new, std::vector<double>& image_new) const {
  image_new.assign(image_size_, 0.0);
  for_pairs([&](const Pair& pair) __attribute__((always_inline)) {
    Motion motion, moved;
    motion.gather(image.data(), pair);
    moved.gather(image_new.data(), pair);
    for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
      const Contact& c = contacts_[i];
      double* w = g.data() + 3 * i;
      motion.relative_velocity(c, w);
      if (refresh) shift[i] = c.mu * std::sqrt(w[1] * w[1] + w[2] * w[2]);
      w[0] += shift[i];
      double* p = y_new.data() + 3 * i;
      for (std::size_t k = 0; k < 3; ++k) p[k] = y[3 * i + k] - step * w[k];
      project_on_cone(c.mu, p[0], p[1], p[2]);
      moved.apply(c, pair, p);
    }
    moved.scatter(image_new.data(), pair);
  });
}

double BodyOperator::curvature(const std::vector<double>&, const std::vector<double>& image_a,
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

}  // namespace scree::contact
