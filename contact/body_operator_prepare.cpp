#include <cmath>

#include "contact/body_operator.hpp"
#include "contact/contact_rows.hpp"
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

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::prepare(const BodyProblem& problem, const Executor& executor,
                                              std::span<const ContactIndex> part) {
  const std::size_t n = part.empty() ? problem.n_contacts() : part.size();
  executor_ = n >= coloured_from ? executor : Executor{};
  spin_factor_.resize(problem.n_bodies());
  for_each_item(problem.n_bodies(), executor_, [&](std::size_t body) {
    spin_factor_[body] = cholesky(problem.inverse_inertia_W[body]);
  });
  find_pairs(problem, part);
  order_pairs(problem);
  contacts_.resize(n), local_.resize(n), scale_.resize(n);
  if constexpr (rows == 6) length_.resize(n);
  for_each_item(n, executor_, [&](std::size_t i) { fill(problem, i, static_cast<std::size_t>(source_[i])); });
  alpha_ = -1.0;
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::find_pairs(const BodyProblem& problem, std::span<const ContactIndex> part) {
  natural_.clear();
  natural_begin_.clear();
  const auto mobile = [&](BodyIndex body) {
    const auto i = static_cast<std::size_t>(body);
    return problem.inverse_mass[i] > 0.0 || !spin_factor_[i].isZero(0.0) ? body : BodyIndex{-1};
  };
  const std::size_t n = part.empty() ? problem.n_contacts() : part.size();
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = part.empty() ? k : static_cast<std::size_t>(part[k]);
    const BodyIndex a = problem.body_a[i], b = problem.body_b[i];
    SCREE_ASSERT(a != b && a >= 0 && b >= 0);
    if (k == 0 || problem.body_a[i - 1] != a || problem.body_b[i - 1] != b) {
      natural_.push_back({mobile(a), mobile(b), 0});
      natural_begin_.push_back(static_cast<std::int32_t>(i));
    }
    ++natural_.back().n_contacts;
  }
}

// The order rests on the pairs alone, so it stays while they stay.
template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::order_pairs(const BodyProblem& problem) {
  if (slot_.size() != problem.n_bodies() || ordered_ != natural_ || order_.block_begin.empty()) {
    std::size_t n = 0;
    for (const PairBodies& pair : natural_) n += static_cast<std::size_t>(pair.n_contacts);
    if (n >= coloured_from) colouring_.order(natural_, problem.n_bodies(), order_);
    else natural_order(natural_, problem.n_bodies(), order_);
    ordered_ = natural_;
    number_bodies(problem);
  }
  mass_.resize(n_slots());
  for (std::size_t slot = 0; slot < order_.body.size(); ++slot) {
    const double inverse = problem.inverse_mass[static_cast<std::size_t>(order_.body[slot])];
    mass_[slot] = inverse > 0.0 ? 1.0 / inverse : 0.0;
  }
  const auto inverse_mass = [&](BodyIndex body) { return problem.inverse_mass[static_cast<std::size_t>(body)]; };
  // Where the contacts of a pair are in the caller's arrays may change while the pairs stay, with those of another part.
  source_.clear();
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const std::int32_t first = natural_begin_[static_cast<std::size_t>(order_.pair[k])];
    const auto from = static_cast<std::size_t>(first);
    pairs_[k].inverse_mass_a = inverse_mass(problem.body_a[from]);
    pairs_[k].inverse_mass_b = inverse_mass(problem.body_b[from]);
    for (std::int32_t i = first; i < first + pairs_[k].end - pairs_[k].begin; ++i) source_.push_back(i);
  }
}

// Numbers of bodies and pairs in the order of visits, and the phases of loops.
template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::number_bodies(const BodyProblem& problem) {
  slot_.resize(problem.n_bodies());
  for (std::size_t slot = 0; slot < order_.body.size(); ++slot) {
    slot_[static_cast<std::size_t>(order_.body[slot])] = static_cast<std::int32_t>(slot);
  }
  const auto slot_of = [&](std::int32_t body) { return body < 0 ? -1 : slot_[static_cast<std::size_t>(body)]; };
  pairs_.clear();
  std::int32_t begin = 0;
  for (const std::int32_t k : order_.pair) {
    const PairBodies& bodies = natural_[static_cast<std::size_t>(k)];
    pairs_.push_back({slot_of(bodies.body_a), slot_of(bodies.body_b), begin, begin + bodies.n_contacts, 0.0, 0.0});
    begin += bodies.n_contacts;
  }
  gradient_phases_ = order_.colour_begin;
  gradient_phases_.push_back(gradient_phases_.back() + static_cast<std::int32_t>(order_.body_begin.size()) - 1);
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
    }
    c.b[i] = factor * bias[i];
  }
  c.limits.mu = problem.mu[source];
  c.factor = factor;
  scale_[contact] = problem.scale[source];
  Local& local = local_[contact];
  double* A = local.A;
  for (int i = 0; i < 3; ++i) {
    for (int k = i; k < 3; ++k) *A++ = factor * factor * W(i, k);
  }
  local.lambda = 0.0;
  if constexpr (rows == 6) fill_moment(problem, contact, source);
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::fill_moment(const BodyProblem& problem, std::size_t contact, std::size_t source)
  requires(rows_of_contact == 6)
{
  Contact& c = contacts_[contact];
  c.limits.mu_spin = problem.mu_spin[source], c.limits.mu_roll = problem.mu_roll[source];
  const double length = problem.length[source];
  length_[contact] = length;
  const auto a = static_cast<std::size_t>(problem.body_a[source]), b = static_cast<std::size_t>(problem.body_b[source]);
  const bool rolls = resists(c.limits);
  Vector3 bias = Vector3::Zero();
  if (rolls) {
    bias = length * (problem.R_WC[source].transpose() * (problem.w_free_W[b] - problem.w_free_W[a]) + problem.spin_bias[source]);
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double unit = rolls ? c.factor * length : 0.0;
    const Vector3 direction = unit * problem.R_WC[source].col(axis);
    const Vector3 row_a = spin_factor_[a].transpose() * direction, row_b = spin_factor_[b].transpose() * direction;
    for (int k = 0; k < 3; ++k) {
      c.spin_a[9 + 3 * axis + k] = row_a[k];
      c.spin_b[9 + 3 * axis + k] = row_b[k];
    }
    c.b[3 + axis] = c.factor * bias[axis];
  }
  if (!rolls) return;
  using Rows = Eigen::Matrix<double, rows, 3, Eigen::RowMajor>;
  const Eigen::Map<const Rows> spin_a(c.spin_a), spin_b(c.spin_b);
  Eigen::Map<Eigen::Matrix<double, rows, rows, Eigen::RowMajor>> A(local_[contact].A);
  A = spin_a * spin_a.transpose() + spin_b * spin_b.transpose();
  const Matrix3& R = problem.R_WC[source];
  A.template topLeftCorner<3, 3>() +=
      c.factor * c.factor * (problem.inverse_mass[a] + problem.inverse_mass[b]) * (R.transpose() * R);
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::load(std::span<const Vector3> p, std::span<const Vector3> moment, Numbers& y) const {
  y.resize(n_rows * n_contacts());
  for_each_item(n_contacts(), executor_, [&](std::size_t i) {
    const auto source = static_cast<std::size_t>(source_[i]);
    double* at = y.data() + n_rows * i;
    for (int k = 0; k < 3; ++k) at[k] = p[source][k];
    for (int k = 3; k < rows; ++k) at[k] = moment[source][k - 3] / length_[i];
    project_on_cone(contacts_[i].limits, at);
    for (int k = 0; k < rows; ++k) at[k] /= contacts_[i].factor;
  });
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::store(const Numbers& y, std::span<Vector3> p, std::span<Vector3> moment) const {
  for_each_item(n_contacts(), executor_, [&](std::size_t i) {
    const auto source = static_cast<std::size_t>(source_[i]);
    const double factor = contacts_[i].factor;
    const double* at = y.data() + n_rows * i;
    p[source] = factor * Vector3(at[0], at[1], at[2]);
    if constexpr (rows == 6) moment[source] = factor * length_[i] * Vector3(at[3], at[4], at[5]);
  });
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::set_alpha(double alpha) {
  if (alpha == alpha_) return;
  alpha_ = alpha;
  for_each_item(n_contacts(), executor_, [&](std::size_t i) {
    Local& local = local_[i];
    if constexpr (rows == 6) {
      if (resists(contacts_[i].limits)) {
        regularised_inverse<6>(local.A, alpha, local.inverse);
        return;
      }
    }
    const Symmetric A{local.A};
    double full[9], inverse[9];
    for (int k = 0; k < 9; ++k) full[k] = A[k];
    regularised_inverse<3>(full, alpha, inverse);
    for (int row = 0, at = 0; row < 3; ++row) {
      for (int k = row; k < 3; ++k) local.inverse[at++] = inverse[3 * row + k];
    }
  });
}

template void BodyOperatorOf<3>::prepare(const BodyProblem&, const Executor&, std::span<const ContactIndex>);
template void BodyOperatorOf<3>::load(std::span<const Vector3>, std::span<const Vector3>, Numbers&) const;
template void BodyOperatorOf<3>::store(const Numbers&, std::span<Vector3>, std::span<Vector3>) const;
template void BodyOperatorOf<3>::set_alpha(double);
template void BodyOperatorOf<6>::prepare(const BodyProblem&, const Executor&, std::span<const ContactIndex>);
template void BodyOperatorOf<6>::load(std::span<const Vector3>, std::span<const Vector3>, Numbers&) const;
template void BodyOperatorOf<6>::store(const Numbers&, std::span<Vector3>, std::span<Vector3>) const;
template void BodyOperatorOf<6>::set_alpha(double);

}  // namespace scree::contact
