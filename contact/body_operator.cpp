#include "contact/body_operator.hpp"

#include <cmath>

#include "contact/friction_cone.hpp"
#include "contact/local_solver.hpp"
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

double dot3(const double* a, const double* b) noexcept {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace

void BodyOperator::prepare(const BodyProblem& problem, const Executor& executor) {
  executor_ = executor;
  const std::size_t n_bodies = problem.n_bodies(), n = problem.n_contacts();
  image_size_ = body_stride * n_bodies;
  inverse_mass_ = problem.inverse_mass;
  spin_factor_.resize(n_bodies);
  for (std::size_t body = 0; body < n_bodies; ++body) {
    spin_factor_[body] = cholesky(problem.inverse_inertia_W[body]);
  }
  find_pairs(problem);
  contacts_.resize(n);
  traits_.resize(n);
  lambda_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) fill(problem, i, i);
  alpha_ = -1.0;
}

void BodyOperator::find_pairs(const BodyProblem& problem) {
  pairs_.clear();
  pair_of_.clear();
  const auto mobile = [&](BodyIndex body) {
    const auto i = static_cast<std::size_t>(body);
    return problem.inverse_mass[i] > 0.0 || !spin_factor_[i].isZero(0.0) ? body : BodyIndex{-1};
  };
  const auto mass = [&](BodyIndex body) { return problem.inverse_mass[static_cast<std::size_t>(body)]; };
  const std::size_t n = problem.n_contacts();
  for (std::size_t i = 0; i < n; ++i) {
    const BodyIndex a = problem.body_a[i], b = problem.body_b[i];
    SCREE_ASSERT(a != b && a >= 0 && b >= 0);
    const auto index = static_cast<std::int32_t>(i);
    if (i > 0 && problem.body_a[i - 1] == a && problem.body_b[i - 1] == b) {
      pairs_.back().end = index + 1;
    } else {
      pairs_.push_back({mobile(a), mobile(b), index, index + 1, mass(a), mass(b)});
    }
    pair_of_.push_back(static_cast<std::int32_t>(pairs_.size()) - 1);
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
    const Vector3 in_cone = project_on_cone(p[i], traits_[i].mu);
    for (std::size_t k = 0; k < 3; ++k) y[3 * i + k] = in_cone[static_cast<int>(k)] / traits_[i].factor;
  }
}

void BodyOperator::store(const std::vector<double>& y, std::span<Vector3> p) const {
  for (std::size_t i = 0; i < n_contacts(); ++i) {
    p[i] = traits_[i].factor * Vector3(y[3 * i], y[3 * i + 1], y[3 * i + 2]);
  }
}

void BodyOperator::set_alpha(double alpha) {
  if (alpha == alpha_) return;
  alpha_ = alpha;
  for (Contact& c : contacts_) regularised_inverse(c.A, alpha, c.inverse);
}

BodyOperator::Motion BodyOperator::gather(const double* image, std::int32_t body) noexcept {
  if (body < 0) return {};
  const double* z = image + body_stride * static_cast<std::size_t>(body);
  return {{z[0], z[1], z[2]}, {z[4], z[5], z[6]}};
}

void BodyOperator::scatter(double* image, std::int32_t body, const Motion& motion) noexcept {
  if (body < 0) return;
  double* z = image + body_stride * static_cast<std::size_t>(body);
  for (int k = 0; k < 3; ++k) z[k] = motion.v[k], z[4 + k] = motion.w[k];
}

inline void BodyOperator::relative_velocity(const Contact& c, const Motion& a, const Motion& b, double w[3]) noexcept {
  const double dv[3] = {b.v[0] - a.v[0], b.v[1] - a.v[1], b.v[2] - a.v[2]};
  for (int i = 0; i < 3; ++i) {
    w[i] = (c.b[i] + dot3(c.frame + 3 * i, dv)) + (dot3(c.spin_b + 3 * i, b.w) - dot3(c.spin_a + 3 * i, a.w));
  }
}

inline void BodyOperator::apply(const Contact& c, const Pair& pair, const double dp[3], Motion& a,
                                Motion& b) noexcept {
  for (int k = 0; k < 3; ++k) {
    const double f = c.frame[k] * dp[0] + c.frame[3 + k] * dp[1] + c.frame[6 + k] * dp[2];
    a.v[k] -= pair.inverse_mass_a * f;
    b.v[k] += pair.inverse_mass_b * f;
    a.w[k] -= c.spin_a[k] * dp[0] + c.spin_a[3 + k] * dp[1] + c.spin_a[6 + k] * dp[2];
    b.w[k] += c.spin_b[k] * dp[0] + c.spin_b[3 + k] * dp[1] + c.spin_b[6 + k] * dp[2];
  }
}

void BodyOperator::make_image(const std::vector<double>& y, std::vector<double>& image) const {
  image.assign(image_size_, 0.0);
  for (const Pair& pair : pairs_) {
    Motion a = gather(image.data(), pair.body_a), b = gather(image.data(), pair.body_b);
    for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
      apply(contacts_[i], pair, y.data() + 3 * i, a, b);
    }
    scatter(image.data(), pair.body_a, a);
    scatter(image.data(), pair.body_b, b);
  }
}

void BodyOperator::velocity(std::size_t contact, const double* image, double w[3]) const noexcept {
  const Pair& pair = pairs_[static_cast<std::size_t>(pair_of_[contact])];
  relative_velocity(contacts_[contact], gather(image, pair.body_a), gather(image, pair.body_b), w);
}

void BodyOperator::sweep_pair(const Pair& pair, double* y, double* image) noexcept {
  Motion a = gather(image, pair.body_a), b = gather(image, pair.body_b);
  for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
    const Contact& c = contacts_[i];
    double w[3], dp[3];
    relative_velocity(c, a, b, w);
    visit_contact(c.A, c.inverse, alpha_, c.mu, w, lambda_[i], y + 3 * i, dp);
    apply(c, pair, dp, a, b);
  }
  scatter(image, pair.body_a, a);
  scatter(image, pair.body_b, b);
}

void BodyOperator::sweep(std::vector<double>& y, std::vector<double>& image) {
  for (const Pair& pair : pairs_) sweep_pair(pair, y.data(), image.data());
}

void BodyOperator::project_step(const std::vector<double>& y, const std::vector<double>& image, double step,
                                bool refresh, std::vector<double>& shift, std::vector<double>& g,
                                std::vector<double>& y_new, std::vector<double>& image_new) const {
  image_new.assign(image_size_, 0.0);
  for (const Pair& pair : pairs_) {
    const Motion a = gather(image.data(), pair.body_a), b = gather(image.data(), pair.body_b);
    Motion a_new = gather(image_new.data(), pair.body_a), b_new = gather(image_new.data(), pair.body_b);
    for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
      const Contact& c = contacts_[i];
      double* w = g.data() + 3 * i;
      relative_velocity(c, a, b, w);
      if (refresh) shift[i] = c.mu * std::sqrt(w[1] * w[1] + w[2] * w[2]);
      w[0] += shift[i];
      double* p = y_new.data() + 3 * i;
      for (std::size_t k = 0; k < 3; ++k) p[k] = y[3 * i + k] - step * w[k];
      project_on_cone(c.mu, p[0], p[1], p[2]);
      apply(c, pair, p, a_new, b_new);
    }
    scatter(image_new.data(), pair.body_a, a_new);
    scatter(image_new.data(), pair.body_b, b_new);
  }
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
