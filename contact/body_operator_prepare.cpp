#include <cmath>

#include "contact/body_operator.hpp"
#include "contact/friction_cone.hpp"
#include "contact/local_solver.hpp"
#include "engine/model/block_loop.hpp"
#include "engine/model/check.hpp"

namespace scree::contact {

namespace {

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

void BodyOperator::prepare(const BodyProblem& problem, const Executor& executor) {
  const std::size_t n = problem.n_contacts();
  executor_ = n >= coloured_from ? executor : Executor{};
  spin_factor_.resize(problem.n_bodies());
  for_each_item(problem.n_bodies(), executor_, [&](std::size_t body) {
    spin_factor_[body] = cholesky(problem.inverse_inertia_W[body]);
  });
  find_pairs(problem);
  order_pairs(problem);
  contacts_.resize(n), local_.resize(n), traits_.resize(n);
  for_each_item(n, executor_, [&](std::size_t i) { fill(problem, i, static_cast<std::size_t>(source_[i])); });
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

// The order rests on the pairs alone, so it stays while they stay.
void BodyOperator::order_pairs(const BodyProblem& problem) {
  if (order_.body.size() != problem.n_bodies() || ordered_ != natural_ || order_.block_begin.empty()) {
    if (problem.n_contacts() >= coloured_from) colouring_.order(natural_, problem.n_bodies(), order_);
    else natural_order(natural_, problem.n_bodies(), order_);
    ordered_ = natural_;
    number_bodies(problem);
  }
  mass_.resize(problem.n_bodies());
  for (std::size_t slot = 0; slot < order_.body.size(); ++slot) {
    const double inverse = problem.inverse_mass[static_cast<std::size_t>(order_.body[slot])];
    mass_[slot] = inverse > 0.0 ? 1.0 / inverse : 0.0;
  }
  const auto inverse_mass = [&](BodyIndex body) { return problem.inverse_mass[static_cast<std::size_t>(body)]; };
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const auto from = static_cast<std::size_t>(natural_begin_[static_cast<std::size_t>(order_.pair[k])]);
    pairs_[k].inverse_mass_a = inverse_mass(problem.body_a[from]);
    pairs_[k].inverse_mass_b = inverse_mass(problem.body_b[from]);
  }
}

// Numbers of bodies, pairs and contacts in the order of visits, and the phases of loops.
void BodyOperator::number_bodies(const BodyProblem& problem) {
  slot_.resize(problem.n_bodies());
  for (std::size_t slot = 0; slot < order_.body.size(); ++slot) {
    slot_[static_cast<std::size_t>(order_.body[slot])] = static_cast<std::int32_t>(slot);
  }
  const auto slot_of = [&](std::int32_t body) { return body < 0 ? -1 : slot_[static_cast<std::size_t>(body)]; };
  pairs_.clear();
  source_.clear();
  for (const std::int32_t k : order_.pair) {
    const PairBodies& bodies = natural_[static_cast<std::size_t>(k)];
    const std::int32_t from = natural_begin_[static_cast<std::size_t>(k)];
    const auto begin = static_cast<std::int32_t>(source_.size());
    pairs_.push_back({slot_of(bodies.body_a), slot_of(bodies.body_b), begin, begin + bodies.n_contacts, 0.0, 0.0});
    for (std::int32_t i = 0; i < bodies.n_contacts; ++i) source_.push_back(from + i);
  }
  gradient_phases_ = order_.colour_begin;
  gradient_phases_.push_back(gradient_phases_.back() + static_cast<std::int32_t>(order_.body_begin.size()) - 1);
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
    }
    c.b[i] = factor * bias[i];
  }
  c.mu = problem.mu[source];
  Local& local = local_[contact];
  double* A = local.A;
  for (int i = 0; i < 3; ++i) {
    for (int k = i; k < 3; ++k) *A++ = factor * factor * W(i, k);
  }
  local.lambda = 0.0;
  traits_[contact] = {bias, c.mu, factor, problem.scale[source]};
}

void BodyOperator::load(std::span<const Vector3> p, Numbers& y) const {
  y.resize(3 * n_contacts());
  for_each_item(n_contacts(), executor_, [&](std::size_t i) {
    const Vector3 in_cone = project_on_cone(p[static_cast<std::size_t>(source_[i])], traits_[i].mu);
    for (std::size_t k = 0; k < 3; ++k) y[3 * i + k] = in_cone[static_cast<int>(k)] / traits_[i].factor;
  });
}

void BodyOperator::store(const Numbers& y, std::span<Vector3> p) const {
  for_each_item(n_contacts(), executor_, [&](std::size_t i) {
    p[static_cast<std::size_t>(source_[i])] = traits_[i].factor * Vector3(y[3 * i], y[3 * i + 1], y[3 * i + 2]);
  });
}

void BodyOperator::set_alpha(double alpha) {
  if (alpha == alpha_) return;
  alpha_ = alpha;
  for_each_item(n_contacts(), executor_, [&](std::size_t i) {
    const Symmetric A{local_[i].A};
    double full[9], inverse[9];
    for (int k = 0; k < 9; ++k) full[k] = A[k];
    regularised_inverse(full, alpha, inverse);
    for (int row = 0, at = 0; row < 3; ++row) {
      for (int k = row; k < 3; ++k) local_[i].inverse[at++] = inverse[3 * row + k];
    }
  });
}

}  // namespace scree::contact
