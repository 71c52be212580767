#include <cmath>

#include <Eigen/Eigenvalues>

#include "contact/laws/contact_rows.hpp"
#include "contact/solver/body_operator.hpp"
#include "contact/solver/local_solver.hpp"
#include "engine/base/block_loop.hpp"
#include "engine/base/check.hpp"

namespace scree::contact {

namespace {

// Lower factor L of a symmetric positive semidefinite matrix, M = L L^T; zero columns where a pivot
// vanishes.
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

// What the masses of bodies a and b add to a contact's block.
Matrix3 linear_block(const BodyProblem& problem, std::size_t a, std::size_t b, const Matrix3& R) {
  if (problem.has_locks()) {
    const Vector3 inverse = problem.inverse_mass[a] * problem.directions[a] +
                            problem.inverse_mass[b] * problem.directions[b];
    return R.transpose() * inverse.asDiagonal() * R;
  }
  return (problem.inverse_mass[a] + problem.inverse_mass[b]) * (R.transpose() * R);
}

// Directions of a contact along which locked bodies give way to nothing get a mobility of the
// block's own size: its local problem can then be solved, and asks for impulses there only while
// something moves along them, as friction between a driven and a locked body does. What solves the
// contacts is the same: fixed points depend on velocities alone.
template <class Block>
void fill_kernel(Block& W) {
  constexpr double nothing = 1e-10;  // [-] of the largest
  constexpr int n = Block::RowsAtCompileTime;
  const Eigen::SelfAdjointEigenSolver<Block> solver(W);
  const double largest = solver.eigenvalues()[n - 1];
  if (!(largest > 0.0)) return;
  for (int i = 0; i < n && solver.eigenvalues()[i] <= nothing * largest; ++i) {
    const auto direction = solver.eigenvectors().col(i);
    W += largest * direction * direction.transpose();
  }
}

}  // namespace

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::prepare(const BodyProblem& problem,
                                                         const Executor& executor,
                                                         std::span<const ContactIndex> part,
                                                         const ContactIslands* islands) {
  const std::size_t n = part.empty() ? problem.n_contacts() : part.size();
  executor_ = n >= coloured_from ? executor : Executor{};
  spin_factor_.resize(problem.n_bodies());
  for_each_item(problem.n_bodies(), executor_, [&](std::size_t body) {
    spin_factor_[body] = cholesky(problem.inverse_inertia_W[body]);
  });
  find_pairs(problem, part);
  order_pairs(problem);
  n_contacts_ = n;
  const std::size_t n_fours = source_.size() / n_lanes;
  contacts_.resize(n_fours), local_.resize(n_fours), scale_.resize(n_fours),
      inverse_unit_.resize(n_fours);
  if constexpr (rows == 6) length_.assign(source_.size(), 1.0);
  for_each_item(n_fours, executor_, [&](std::size_t four) {
    clear(four);
    for (std::size_t place = n_lanes * four; place < n_lanes * (four + 1); ++place) {
      if (source_[place] >= 0) fill(problem, place, static_cast<std::size_t>(source_[place]));
    }
  });
  set_units(problem);
  place_islands(islands);
  place_locks(problem);
  alpha_ = -1.0;
  direct_.filled = false;
}

// P_c of each contact, and their sum of squares in the order of visits.
template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::set_units(const BodyProblem& problem) {
  double common = 0.0;
  if (problem.speed.empty()) {
    for (std::size_t place = 0; place < source_.size(); ++place) {
      const Contacts& four = contacts_[place / n_lanes];
      const std::size_t lane = place % n_lanes;
      double squares = 0.0;
      for (std::size_t k = 0; k < n_rows; ++k) squares += four.b[k][lane] * four.b[k][lane];
      common = std::max(common, std::sqrt(squares) / four.factor[lane]);
    }
  }
  units_ = 0.0;
  for (std::size_t place = 0; place < source_.size(); ++place) {
    const double factor = contacts_[place / n_lanes].factor[place % n_lanes];
    const double speed = source_[place] < 0 ? 0.0
                         : problem.speed.empty()
                             ? common
                             : problem.speed[static_cast<std::size_t>(source_[place])];
    const double unit = factor * factor * speed;
    inverse_unit_[place / n_lanes][place % n_lanes] = unit > 0.0 ? 1.0 / unit : 0.0;
    units_ += unit * unit;
  }
}

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::find_pairs(const BodyProblem& problem,
                                                            std::span<const ContactIndex> part) {
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
template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::order_pairs(const BodyProblem& problem) {
  if (slot_.size() != problem.n_bodies() || ordered_ != natural_ || order_.block_begin.empty()) {
    std::size_t n = 0;
    for (const PairBodies& pair : natural_) n += static_cast<std::size_t>(pair.n_contacts);
    if (n >= coloured_from)
      colouring_.order(natural_, problem.n_bodies(), order_);
    else
      natural_order(natural_, problem.n_bodies(), order_);
    ordered_ = natural_;
    number_bodies(problem);
  }
  mass_.resize(n_slots());
  for (std::size_t slot = 0; slot < order_.body.size(); ++slot) {
    const double inverse = problem.inverse_mass[static_cast<std::size_t>(order_.body[slot])];
    mass_[slot] = inverse > 0.0 ? 1.0 / inverse : 0.0;
  }
  place_batches(problem);
}

// Bodies, masses and contacts of the batches. Where the contacts of a pair are in the caller's
// arrays may change while the pairs stay, with those of another part.
template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::place_batches(const BodyProblem& problem) {
  const std::vector<PairBatch>& grouped = grouping_.batches();
  batches_.resize(grouped.size());
  const auto slot_of = [&](std::int32_t body) {
    return body < 0 ? -1 : slot_[static_cast<std::size_t>(body)];
  };
  const auto inverse_mass = [&](BodyIndex body) {
    return problem.inverse_mass[static_cast<std::size_t>(body)];
  };
  std::int32_t begin = 0;
  for (std::size_t k = 0; k < grouped.size(); ++k) {
    batches_[k].begin = begin;
    batches_[k].end = begin += grouped[k].n_contacts;
  }
  source_.assign(n_lanes * static_cast<std::size_t>(begin), -1);
  for (std::size_t k = 0; k < grouped.size(); ++k) {
    Batch& batch = batches_[k];
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      batch.body_a[lane] = batch.body_b[lane] = -1;
      batch.inverse_mass_a[lane] = batch.inverse_mass_b[lane] = 0.0;
      if (grouped[k].pair[lane] < 0) continue;
      const auto pair = static_cast<std::size_t>(grouped[k].pair[lane]);
      const auto first = static_cast<std::size_t>(natural_begin_[pair]);
      batch.body_a[lane] = slot_of(natural_[pair].body_a),
      batch.body_b[lane] = slot_of(natural_[pair].body_b);
      batch.inverse_mass_a[lane] = inverse_mass(problem.body_a[first]);
      batch.inverse_mass_b[lane] = inverse_mass(problem.body_b[first]);
      for (std::int32_t i = 0; i < natural_[pair].n_contacts; ++i) {
        source_[n_lanes * static_cast<std::size_t>(batch.begin + i) + lane] =
            natural_begin_[pair] + i;
      }
    }
  }
}

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::place_locks(const BodyProblem& problem) {
  locks_.clear();
  if (!problem.has_locks()) return;
  locks_.resize(batches_.size());
  for (std::size_t k = 0; k < batches_.size(); ++k) {
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      const std::int32_t source =
          source_[n_lanes * static_cast<std::size_t>(batches_[k].begin) + lane];
      for (int axis = 0; axis < 3; ++axis) {
        const auto of = [&](const std::vector<BodyIndex>& body) {
          if (source < 0) return 1.0;
          return problem
              .directions[static_cast<std::size_t>(body[static_cast<std::size_t>(source)])][axis];
        };
        locks_[k].a[axis][lane] = of(problem.body_a);
        locks_[k].b[axis][lane] = of(problem.body_b);
      }
    }
  }
}

// Numbers of bodies in the order of visits, the groups of pairs, and the phases of loops.
template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::number_bodies(const BodyProblem& problem) {
  slot_.resize(problem.n_bodies());
  for (std::size_t slot = 0; slot < order_.body.size(); ++slot) {
    slot_[static_cast<std::size_t>(order_.body[slot])] = static_cast<std::int32_t>(slot);
  }
  grouping_.group(natural_, order_);
  gradient_phases_ = order_.colour_begin;
  gradient_phases_.push_back(gradient_phases_.back() +
                             static_cast<std::int32_t>(order_.body_begin.size()) - 1);
}

// Four places without contacts.
template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::clear(std::size_t four) {
  contacts_[four] = Contacts{};
  contacts_[four].factor = scale_[four] = Lanes{1.0, 1.0, 1.0, 1.0};
  local_[four] = Locals{};
}

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::fill(const BodyProblem& problem, std::size_t place,
                                                      std::size_t source) {
  const auto a = static_cast<std::size_t>(problem.body_a[source]);
  const auto b = static_cast<std::size_t>(problem.body_b[source]);
  const Matrix3& R = problem.R_WC[source];
  Matrix3 spin_a, spin_b;  // columns: one per axis
  for (int axis = 0; axis < 3; ++axis) {
    spin_a.col(axis) = spin_factor_[a].transpose() * problem.r_a_W[source].cross(R.col(axis));
    spin_b.col(axis) = spin_factor_[b].transpose() * problem.r_b_W[source].cross(R.col(axis));
  }
  Matrix3 W = spin_a.transpose() * spin_a + spin_b.transpose() * spin_b;
  W += linear_block(problem, a, b, R);
  if constexpr (gives_way) W.diagonal() += problem.compliance[source];
  const double factor = contact_factor(W.trace());
  if (problem.has_locks()) fill_kernel(W);
  const Vector3 dv = problem.v_free[b] + problem.w_free_W[b].cross(problem.r_b_W[source]) -
                     problem.v_free[a] - problem.w_free_W[a].cross(problem.r_a_W[source]);
  const Vector3 bias = R.transpose() * dv + problem.bias[source];
  const std::size_t lane = place % n_lanes;
  Contacts& c = contacts_[place / n_lanes];
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      c.frame[3 * i + k][lane] = factor * R(k, i);
      c.spin_a[3 * i + k][lane] = factor * spin_a(k, i);
      c.spin_b[3 * i + k][lane] = factor * spin_b(k, i);
    }
    c.b[i][lane] = factor * bias[i];
    if constexpr (gives_way)
      c.compliance[i][lane] = factor * factor * problem.compliance[source][i];
  }
  c.limits.mu[lane] = problem.mu[source];
  c.factor[lane] = factor;
  scale_[place / n_lanes][lane] = problem.scale[source];
  double triangle[6], *entry = triangle;
  for (int i = 0; i < 3; ++i) {
    for (int k = i; k < 3; ++k) *entry++ = factor * factor * W(i, k);
  }
  local_[place / n_lanes].set_A(lane, triangle);
  if constexpr (rows == 6) fill_moment(problem, place, source);
}

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::fill_moment(
    const BodyProblem& problem, std::size_t place,
    std::size_t source) requires(rows_of_contact == 6) {
  const std::size_t lane = place % n_lanes;
  Contacts& c = contacts_[place / n_lanes];
  c.limits.mu_spin[lane] = problem.mu_spin[source],
  c.limits.mu_roll[lane] = problem.mu_roll[source];
  const double length = problem.length[source], factor = c.factor[lane];
  length_[place] = length;
  if (!resists(c.limits.of(lane))) return;
  const auto a = static_cast<std::size_t>(problem.body_a[source]),
             b = static_cast<std::size_t>(problem.body_b[source]);
  const Matrix3& R = problem.R_WC[source];
  const Vector3 bias = length * (R.transpose() * (problem.w_free_W[b] - problem.w_free_W[a]) +
                                 problem.spin_bias[source]);
  Eigen::Matrix<double, rows, 3, Eigen::RowMajor> spin_a, spin_b;
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3 direction = factor * length * R.col(axis);
    spin_a.row(3 + axis) = (spin_factor_[a].transpose() * direction).transpose();
    spin_b.row(3 + axis) = (spin_factor_[b].transpose() * direction).transpose();
    for (int k = 0; k < 3; ++k) {
      spin_a(axis, k) = c.spin_a[3 * axis + k][lane],
                   spin_b(axis, k) = c.spin_b[3 * axis + k][lane];
      c.spin_a[9 + 3 * axis + k][lane] = spin_a(3 + axis, k);
      c.spin_b[9 + 3 * axis + k][lane] = spin_b(3 + axis, k);
    }
    c.b[3 + axis][lane] = factor * bias[axis];
  }
  Matrix6 A = spin_a * spin_a.transpose() + spin_b * spin_b.transpose();
  A.topLeftCorner<3, 3>() += factor * factor * linear_block(problem, a, b, R);
  if constexpr (gives_way) {
    for (int axis = 0; axis < 3; ++axis) A(axis, axis) += c.compliance[axis][lane];
  }
  if (problem.has_locks()) fill_kernel(A);
  local_[place / n_lanes].set_rolling_A(lane, A.data());
}

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::load(std::span<const Vector3> p,
                                                      std::span<const Vector3> moment,
                                                      Numbers& y) const {
  y.resize(n_rows * source_.size());
  for_each_item(source_.size(), executor_, [&](std::size_t place) {
    double at[n_rows] = {};
    if (source_[place] >= 0) {
      const Contacts& c = contacts_[place / n_lanes];
      const auto source = static_cast<std::size_t>(source_[place]);
      for (int k = 0; k < 3; ++k) at[k] = p[source][k];
      for (int k = 3; k < rows; ++k) at[k] = moment[source][k - 3] / length_[place];
      project_on_cone(c.limits.of(place % n_lanes), at);
      for (int k = 0; k < rows; ++k) at[k] /= c.factor[place % n_lanes];
      clean_start(at, rows);
    }
    for (std::size_t k = 0; k < n_rows; ++k) y[entry(place, k)] = at[k];
  });
}

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::store(const Numbers& y, std::span<Vector3> p,
                                                       std::span<Vector3> moment) const {
  for_each_item(source_.size(), executor_, [&](std::size_t place) {
    if (source_[place] < 0) return;
    const auto source = static_cast<std::size_t>(source_[place]);
    const double factor = contacts_[place / n_lanes].factor[place % n_lanes];
    const auto rows_from = [&](std::size_t first) {
      return Vector3(y[entry(place, first)], y[entry(place, first + 1)],
                     y[entry(place, first + 2)]);
    };
    p[source] = factor * rows_from(0);
    if constexpr (rows == 6) moment[source] = factor * length_[place] * rows_from(3);
  });
}

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::set_alpha(double alpha) {
  if (alpha == alpha_) return;
  alpha_ = alpha;
  for_each_item(source_.size(), executor_, [&](std::size_t place) {
    if (source_[place] < 0) return;
    Locals& local = local_[place / n_lanes];
    const std::size_t lane = place % n_lanes;
    if constexpr (rows == 6) {
      if (resists(contacts_[place / n_lanes].limits.of(lane))) {
        regularised_inverse<6>(local.contact[lane].A, alpha, local.contact[lane].inverse);
        return;
      }
    }
    double triangle[6], full[9], inverse[9];
    local.get_A(lane, triangle);
    for (int k = 0; k < 9; ++k) full[k] = Symmetric{triangle}[k];
    regularised_inverse<3>(full, alpha, inverse);
    for (int row = 0, at = 0; row < 3; ++row) {
      for (int k = row; k < 3; ++k) triangle[at++] = inverse[3 * row + k];
    }
    local.set_inverse(lane, triangle);
  });
}

#define SCREE_INSTANTIATE(rows, gives_way)                                                        \
  template void BodyOperatorOf<rows, gives_way>::prepare(                                         \
      const BodyProblem&, const Executor&, std::span<const ContactIndex>, const ContactIslands*); \
  template void BodyOperatorOf<rows, gives_way>::load(std::span<const Vector3>,                   \
                                                      std::span<const Vector3>, Numbers&) const;  \
  template void BodyOperatorOf<rows, gives_way>::store(const Numbers&, std::span<Vector3>,        \
                                                       std::span<Vector3>) const;                 \
  template void BodyOperatorOf<rows, gives_way>::set_alpha(double)
SCREE_INSTANTIATE(3, false);
SCREE_INSTANTIATE(6, false);
SCREE_INSTANTIATE(3, true);
SCREE_INSTANTIATE(6, true);
#undef SCREE_INSTANTIATE

}  // namespace scree::contact
