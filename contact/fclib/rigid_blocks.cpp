#include "contact/fclib/rigid_blocks.hpp"

#include <cstddef>

#include <Eigen/LU>

#include "contact/problem/scaling.hpp"
#include "contact/solver/residual.hpp"

namespace scree::contact {

namespace {

using Row6 = Eigen::Matrix<double, 6, 1>;

template <int rows, int columns>
void append(SparseEntries& to, std::int64_t row, std::int64_t column,
            const Eigen::Matrix<double, rows, columns>& block) {
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      if (block(i, j) != 0.0) to.entry.push_back({row + i, column + j, block(i, j)});
    }
  }
}

// Calls visit(body, block) for each body that a contact touches.
template <class Visit>
void for_bodies(const ContactColumns& contact, const Visit& visit) {
  for (std::size_t k = 0; k < contact.body.size(); ++k) {
    if (contact.body[k] >= 0) visit(static_cast<std::size_t>(contact.body[k]), contact.block[k]);
  }
}

}  // namespace

bool ContactColumns::add(BodyIndex of, int row, int column, double value) {
  for (std::size_t k = 0; k < body.size(); ++k) {
    if (body[k] < 0) body[k] = of;
    if (body[k] != of) continue;
    block[k](row, column) += value;
    return true;
  }
  return false;
}

SparseEntries RigidBlocks::mass_entries() const {
  const auto n = static_cast<std::int64_t>(6 * mass.size());
  SparseEntries result{n, n, {}};
  for (std::size_t i = 0; i < mass.size(); ++i)
    append(result, static_cast<std::int64_t>(6 * i), static_cast<std::int64_t>(6 * i), mass[i]);
  return result;
}

SparseEntries RigidBlocks::jacobian_entries() const {
  SparseEntries result{static_cast<std::int64_t>(6 * mass.size()),
                       static_cast<std::int64_t>(3 * contact.size()),
                       {}};
  for (std::size_t c = 0; c < contact.size(); ++c) {
    for_bodies(contact[c], [&](std::size_t i, const BodyColumns& block) {
      append(result, static_cast<std::int64_t>(6 * i), static_cast<std::int64_t>(3 * c), block);
    });
  }
  return result;
}

std::optional<RigidBlocks> cut_into_blocks(const SparseEntries& M, const SparseEntries& H,
                                           const std::vector<double>& f,
                                           const std::vector<double>& w,
                                           const std::vector<double>& mu) {
  if (M.rows == 0 || M.rows % 6 != 0) return std::nullopt;
  RigidBlocks blocks;
  blocks.mass.assign(static_cast<std::size_t>(M.rows / 6), MassBlock::Zero());
  for (const Entry& e : M.entry) {
    if (e.value == 0.0) continue;
    if (e.row / 6 != e.column / 6) return std::nullopt;
    blocks.mass[static_cast<std::size_t>(e.row / 6)](e.row % 6, e.column % 6) += e.value;
  }
  blocks.contact.assign(static_cast<std::size_t>(H.columns / 3), {});
  for (const Entry& e : H.entry) {
    if (e.value == 0.0) continue;
    ContactColumns& contact = blocks.contact[static_cast<std::size_t>(e.column / 3)];
    if (!contact.add(static_cast<BodyIndex>(e.row / 6), static_cast<int>(e.row % 6),
                     static_cast<int>(e.column % 3), e.value))
      return std::nullopt;
  }
  blocks.f = f, blocks.w = w, blocks.mu = mu;
  return blocks;
}

Residuals residuals(const RigidBlocks& blocks, std::span<const Vector3> p) {
  std::vector<Row6> v_free(blocks.mass.size()), v(blocks.mass.size(), Row6::Zero());
  std::vector<MassBlock> inverse(blocks.mass.size());
  for (std::size_t c = 0; c < blocks.contact.size(); ++c) {
    for_bodies(blocks.contact[c],
               [&](std::size_t i, const BodyColumns& block) { v[i] += block * p[c]; });
  }
  for (std::size_t i = 0; i < blocks.mass.size(); ++i) {
    const Eigen::Map<const Row6> f(blocks.f.data() + 6 * i);
    const Eigen::PartialPivLU<MassBlock> factor(blocks.mass[i]);
    inverse[i] = factor.inverse();
    v_free[i] = factor.solve(f);
    v[i] = factor.solve(Row6(f + v[i]));
  }
  ResidualSums total;
  for (std::size_t c = 0; c < blocks.contact.size(); ++c) {
    Vector3 b = Vector3::Zero(), u = Vector3::Zero();
    double trace = 0.0;
    for_bodies(blocks.contact[c], [&](std::size_t i, const BodyColumns& block) {
      b += block.transpose() * v_free[i], u += block.transpose() * v[i];
      trace += (block.transpose() * (inverse[i] * block)).trace();
    });
    const Eigen::Map<const Vector3> w(blocks.w.data() + 3 * c);
    total.add(ContactTraits{b + w, blocks.mu[c], contact_factor(trace), 1.0}, p[c], Vector3(u + w));
  }
  return total.measures();
}

}  // namespace scree::contact
