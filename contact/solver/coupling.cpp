#include "contact/solver/coupling.hpp"

#include <algorithm>

#include <Eigen/LU>

#include "contact/solver/at.hpp"
#include "engine/base/math.hpp"

namespace scree::contact {

namespace {

// Sorts pairs and drops what is there twice.
void make_unique(std::vector<BlockPair>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

std::int32_t index_of(const std::vector<BlockPair>& pairs, const BlockPair& pair) {
  return static_cast<std::int32_t>(std::lower_bound(pairs.begin(), pairs.end(), pair) -
                                   pairs.begin());
}

// to += G^T T; rows of both of BlockFactor<6>::stride numbers.
[[gnu::always_inline]] inline void add_product(const double* G, const double* T,
                                               double* to) noexcept {
  constexpr std::size_t size = 6, stride = BlockFactor<size>::stride,
                        lanes = BlockFactor<size>::lanes_per_row;
  Lanes t[3][lanes];
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t l = 0; l < lanes; ++l) load_lanes(t[r][l], T + stride * r + n_lanes * l);
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t l = 0; l < lanes; ++l) {
      Lanes sum;
      load_lanes(sum, to + stride * i + n_lanes * l);
      sum += (G[i] * t[0][l] + G[stride + i] * t[1][l]) + G[2 * stride + i] * t[2][l];
      store_lanes(to + stride * i + n_lanes * l, sum);
    }
  }
}

// T = P G.
[[gnu::always_inline]] inline void weigh(const Block3& P, const double* G, double* T) noexcept {
  constexpr std::size_t stride = BlockFactor<6>::stride, lanes = BlockFactor<6>::lanes_per_row;
  for (std::size_t l = 0; l < lanes; ++l) {
    Lanes g[3];
    for (std::size_t r = 0; r < 3; ++r) load_lanes(g[r], G + stride * r + n_lanes * l);
    for (std::size_t r = 0; r < 3; ++r)
      store_lanes(T + stride * r + n_lanes * l,
                  (P[3 * r] * g[0] + P[3 * r + 1] * g[1]) + P[3 * r + 2] * g[2]);
  }
}

[[gnu::always_inline]] inline void apply3(const Block3& P, const double* x, double* y) noexcept {
  for (std::size_t r = 0; r < 3; ++r)
    y[r] = (P[3 * r] * x[0] + P[3 * r + 1] * x[1]) + P[3 * r + 2] * x[2];
}

}  // namespace

void BodyCoupling::clear(std::size_t n_bodies, std::size_t n_contacts) {
  n_bodies_ = n_bodies;
  contacts_.clear(), pairs_.clear(), mu.clear(), b.clear(), compliance.clear();
  contacts_.reserve(n_contacts), pairs_.reserve(n_contacts);
  mu.reserve(n_contacts), b.reserve(3 * n_contacts);
}

void BodyCoupling::add(std::int32_t body_a, std::int32_t body_b, const double* rows_a,
                       const double* rows_b) {
  Contact& contact = contacts_.emplace_back();
  contact.body_a = body_a, contact.body_b = body_b, contact.pair = -1;
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t k = 0; k < stride; ++k) {
      contact.a[stride * r + k] = k < 6 && body_a >= 0 ? rows_a[6 * r + k] : 0.0;
      contact.b[stride * r + k] = k < 6 && body_b >= 0 ? rows_b[6 * r + k] : 0.0;
    }
  }
  if (body_a >= 0 && body_b >= 0)
    pairs_.push_back({std::min(body_a, body_b), std::max(body_a, body_b)});
}

bool BodyCoupling::analyse(double most_flops) {
  make_unique(pairs_);
  for (Contact& contact : contacts_) {
    if (contact.body_a < 0 || contact.body_b < 0) continue;
    contact.pair = index_of(pairs_, {std::min(contact.body_a, contact.body_b),
                                     std::max(contact.body_a, contact.body_b)});
  }
  u_.resize(6 * n_bodies_);
  return factor_.analyse(n_bodies_, pairs_, most_flops);
}

void BodyCoupling::add_impulses(const double* y) {
  std::fill(u_.begin(), u_.end(), 0.0);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    const double* p = y + 3 * c;
    const auto add = [&](std::int32_t body, const double* rows) {
      if (body < 0) return;
      double* u = u_.data() + 6 * at(body);
      for (std::size_t k = 0; k < 6; ++k)
        u[k] += (rows[k] * p[0] + rows[stride + k] * p[1]) + rows[2 * stride + k] * p[2];
    };
    add(contact.body_a, contact.a), add(contact.body_b, contact.b);
  }
}

void BodyCoupling::velocities(double* w) const {
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    const double* u_a =
        u_.data() +
        6 * at(std::max(contact.body_a, 0));  // rows of a body that nothing moves are zero
    const double* u_b = u_.data() + 6 * at(std::max(contact.body_b, 0));
    for (std::size_t r = 0; r < 3; ++r) {
      const double *a = contact.a + stride * r, *b_rows = contact.b + stride * r;
      double sum = 0.0;
      for (std::size_t k = 0; k < 6; ++k) sum += a[k] * u_a[k] + b_rows[k] * u_b[k];
      w[3 * c + r] = sum;
    }
  }
}

void BodyCoupling::product(const double* y, double* w) {
  if (n_bodies_ == 0) return std::fill_n(w, 3 * n_contacts(), 0.0), void();
  add_impulses(y);
  velocities(w);
  for (std::size_t k = 0; k < compliance.size(); ++k) w[k] += compliance[k] * y[k];
}

void BodyCoupling::soften(const std::vector<Block3>& P) {
  soft_.resize(P.size()), softening_.resize(P.size());
  for (std::size_t c = 0; c < P.size(); ++c) {
    using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    const Eigen::Map<const Rows> weight(P[c].data());
    const Eigen::Map<const Vector3> D(compliance.data() + 3 * c);
    const Rows system = Rows::Identity() + Rows(weight * D.asDiagonal());
    Eigen::Map<Rows>(softening_[c].data()) = system.inverse();
    Eigen::Map<Rows>(soft_[c].data()) = system.inverse() * weight;
  }
}

bool BodyCoupling::factorise(const std::vector<Block3>& of_rigid) {
  if (!compliance.empty()) soften(of_rigid);
  const std::vector<Block3>& P = compliance.empty() ? of_rigid : soft_;
  factor_.clear();
  for (std::size_t body = 0; body < n_bodies_; ++body) {
    for (std::size_t k = 0; k < 6; ++k) factor_.diagonal(body)[stride * k + k] = 1.0;
  }
  run_widest([ this, &P ]() __attribute__((always_inline)) {
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const Contact& contact = contacts_[c];
      double a[3 * stride], b_rows[3 * stride];
      weigh(P[c], contact.a, a), weigh(P[c], contact.b, b_rows);
      if (contact.body_a >= 0) add_product(contact.a, a, factor_.diagonal(at(contact.body_a)));
      if (contact.body_b >= 0) add_product(contact.b, b_rows, factor_.diagonal(at(contact.body_b)));
      if (contact.pair < 0) continue;
      const bool in_order = contact.body_a < contact.body_b;
      double* const ab =
          in_order ? factor_.forward(at(contact.pair)) : factor_.backward(at(contact.pair));
      double* const ba =
          in_order ? factor_.backward(at(contact.pair)) : factor_.forward(at(contact.pair));
      add_product(contact.a, b_rows, ab), add_product(contact.b, a, ba);
    }
  });
  return factor_.factorise();
}

void BodyCoupling::solve(const double* g, double* w) {
  if (n_bodies_ == 0) return std::fill_n(w, 3 * n_contacts(), 0.0), void();
  if (compliance.empty()) {
    add_impulses(g);
    factor_.solve(u_.data());
    return velocities(w);
  }
  g_.resize(3 * n_contacts());
  for (std::size_t c = 0; c < n_contacts(); ++c)
    apply3(softening_[c], g + 3 * c, g_.data() + 3 * c);
  add_impulses(g_.data());
  factor_.solve(u_.data());
  velocities(w);
  for (std::size_t c = 0; c < n_contacts(); ++c) {
    double weighed[3];
    apply3(soft_[c], w + 3 * c, weighed);
    for (std::size_t k = 0; k < 3; ++k)
      w[3 * c + k] += compliance[3 * c + k] * (g_[3 * c + k] - weighed[k]);
  }
}

void MatrixCoupling::clear() { blocks_.clear(), pairs_.clear(), mu.clear(), b.clear(); }

void MatrixCoupling::add(std::int32_t row, std::int32_t column, const double* block) {
  Entry& entry = blocks_.emplace_back();
  entry.row = row, entry.column = column, entry.pair = -1, entry.forward = row < column;
  std::copy_n(block, 9, entry.block.begin());
  if (row != column) pairs_.push_back({std::min(row, column), std::max(row, column)});
}

bool MatrixCoupling::analyse(double most_flops) {
  make_unique(pairs_);
  for (Entry& entry : blocks_) {
    if (entry.row != entry.column)
      entry.pair =
          index_of(pairs_, {std::min(entry.row, entry.column), std::max(entry.row, entry.column)});
  }
  return factor_.analyse(n_contacts(), pairs_, most_flops);
}

void MatrixCoupling::product(const double* y, double* w) const {
  std::fill_n(w, 3 * n_contacts(), 0.0);
  for (const Entry& entry : blocks_) {
    double sum[3];
    apply3(entry.block, y + 3 * at(entry.column), sum);
    for (std::size_t k = 0; k < 3; ++k) w[3 * at(entry.row) + k] += sum[k];
  }
}

bool MatrixCoupling::factorise(const std::vector<Block3>& P) {
  constexpr std::size_t stride = BlockFactor<3>::stride;
  factor_.clear();
  for (std::size_t c = 0; c < n_contacts(); ++c) {
    for (std::size_t k = 0; k < 3; ++k) factor_.diagonal(c)[stride * k + k] = 1.0;
  }
  for (const Entry& entry : blocks_) {
    double* const to = entry.pair < 0  ? factor_.diagonal(at(entry.row))
                       : entry.forward ? factor_.forward(at(entry.pair))
                                       : factor_.backward(at(entry.pair));
    const Block3& weight = P[at(entry.row)];
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t k = 0; k < 3; ++k) {
        to[stride * r + k] +=
            (weight[3 * r] * entry.block[k] + weight[3 * r + 1] * entry.block[3 + k]) +
            weight[3 * r + 2] * entry.block[6 + k];
      }
    }
  }
  return factor_.factorise();
}

void MatrixCoupling::solve(const double* g, double* w) {
  d_.assign(g, g + 3 * n_contacts());
  factor_.solve(d_.data());
  product(d_.data(), w);
}

}  // namespace scree::contact
