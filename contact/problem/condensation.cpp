#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include <Eigen/Dense>
#include <Eigen/Sparse>

#include "contact/problem/sparse_entries.hpp"
#include "engine/base/check.hpp"
#include "engine/base/forest.hpp"

namespace scree::contact {

namespace {

constexpr std::size_t largest_dense = 256;  // [-] size of a block of M that is inverted densely

using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

Sparse to_eigen(const SparseEntries& entries) {
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(entries.entry.size());
  for (const Entry& e : entries.entry)
    triplets.emplace_back(static_cast<int>(e.row), static_cast<int>(e.column), e.value);
  Sparse result(static_cast<int>(entries.rows), static_cast<int>(entries.columns));
  result.setFromTriplets(triplets.begin(), triplets.end());
  return result;
}

// Independent blocks of M: groups of rows that no entry connects.
std::vector<std::vector<int>> independent_blocks(const Sparse& M) {
  std::vector<int> parent(static_cast<std::size_t>(M.rows()));
  std::iota(parent.begin(), parent.end(), 0);
  for (int column = 0; column < M.outerSize(); ++column) {
    for (Sparse::InnerIterator it(M, column); it; ++it) {
      if (it.value() == 0.0) continue;
      const int a = root_of(parent, static_cast<int>(it.row())), b = root_of(parent, column);
      parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  std::vector<std::vector<int>> blocks(static_cast<std::size_t>(M.rows()));
  for (int i = 0; i < static_cast<int>(M.rows()); ++i)
    blocks[static_cast<std::size_t>(root_of(parent, i))].push_back(i);
  std::erase_if(blocks, [](const auto& block) { return block.empty(); });
  return blocks;
}

void require_definite(bool holds) { require(holds, "M", "not positive definite"); }

bool is_symmetric(double asymmetry, double size) { return asymmetry <= 1e-9 * size; }

// Inverse of a small block. Some files store one triangle of M only; M is taken as it is, so it may
// be unsymmetric.
Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& block) {
  const auto identity = Eigen::MatrixXd::Identity(block.rows(), block.cols());
  if (is_symmetric((block - block.transpose()).norm(), block.norm())) {
    const Eigen::LLT<Eigen::MatrixXd> factor(block);
    require_definite(factor.info() == Eigen::Success);
    return factor.solve(identity);
  }
  const Eigen::PartialPivLU<Eigen::MatrixXd> factor(block);
  require_definite(factor.rcond() > 1e-15 && block.diagonal().minCoeff() > 0.0);
  return factor.solve(identity);
}

// M^-1 when every independent block is small.
Sparse invert_blocks(const Sparse& M, const std::vector<std::vector<int>>& blocks) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (const auto& block : blocks) {
    const auto n = static_cast<Eigen::Index>(block.size());
    Eigen::MatrixXd dense(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        dense(i, j) =
            M.coeff(block[static_cast<std::size_t>(i)], block[static_cast<std::size_t>(j)]);
      }
    }
    const Eigen::MatrixXd inverse = inverse_of(dense);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        if (inverse(i, j) == 0.0) continue;
        triplets.emplace_back(block[static_cast<std::size_t>(i)],
                              block[static_cast<std::size_t>(j)], inverse(i, j));
      }
    }
  }
  Sparse result(M.rows(), M.cols());
  result.setFromTriplets(triplets.begin(), triplets.end());
  return result;
}

// Upper bound of the entries of H^T M^-1 H: each independent block couples all the columns that
// touch it.
std::int64_t product_bound(const Sparse& H, const std::vector<std::vector<int>>& blocks) {
  std::vector<std::size_t> block_of(static_cast<std::size_t>(H.rows()), 0);
  std::vector<int> last(blocks.size(), -1), touching(blocks.size(), 0);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const int row : blocks[b]) block_of[static_cast<std::size_t>(row)] = b;
  }
  for (int column = 0; column < H.outerSize(); ++column) {
    for (Sparse::InnerIterator it(H, column); it; ++it) {
      const std::size_t b = block_of[static_cast<std::size_t>(it.row())];
      if (last[b] == column) continue;
      last[b] = column;
      ++touching[b];
    }
  }
  double bound = 0.0;
  for (const int count : touching) bound += static_cast<double>(count) * static_cast<double>(count);
  return bound < 9e18 ? static_cast<std::int64_t>(bound) : std::int64_t{9000000000000000000};
}

Eigen::Map<const Eigen::VectorXd> map_vector(const std::vector<double>& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

// M^-1 H and M^-1 f when M couples many rows.
void solve_sparse(const Sparse& M, const Sparse& H, const Eigen::VectorXd& f, Sparse& inverse_H,
                  Eigen::VectorXd& velocity) {
  const Sparse transposed = M.transpose();
  if (is_symmetric((M - transposed).norm(), M.norm())) {
    const Eigen::SimplicialLDLT<Sparse> factor(M);
    require_definite(factor.info() == Eigen::Success && factor.vectorD().minCoeff() > 0.0);
    inverse_H = factor.solve(H);
    velocity = factor.solve(f);
    return;
  }
  Eigen::SparseLU<Sparse> factor(M);
  require_definite(factor.info() == Eigen::Success && M.diagonal().minCoeff() > 0.0);
  inverse_H = factor.solve(H);
  velocity = factor.solve(f);
}

}  // namespace

CondensedProblem condense(const SparseEntries& M_entries, const SparseEntries& H_entries,
                          const std::vector<double>& f, const std::vector<double>& w,
                          std::int64_t max_entries) {
  const Sparse M = to_eigen(M_entries), H = to_eigen(H_entries);
  const auto blocks = independent_blocks(M);
  require(product_bound(H, blocks) <= max_entries, "H", "too many coupled contacts to form W");
  Sparse inverse_H;
  Eigen::VectorXd velocity;
  if (std::all_of(blocks.begin(), blocks.end(),
                  [](const auto& block) { return block.size() <= largest_dense; })) {
    const Sparse inverse = invert_blocks(M, blocks);
    inverse_H = inverse * H;
    velocity = inverse * map_vector(f);
  } else {
    solve_sparse(M, H, map_vector(f), inverse_H, velocity);
  }
  const Sparse W = Sparse(H.transpose()) * inverse_H;
  const Eigen::VectorXd q = H.transpose() * velocity + map_vector(w);
  CondensedProblem result;
  result.W.rows = result.W.columns = W.rows();
  for (int column = 0; column < W.outerSize(); ++column) {
    for (Sparse::InnerIterator it(W, column); it; ++it)
      result.W.entry.push_back({it.row(), column, it.value()});
  }
  result.q.assign(q.begin(), q.end());
  return result;
}

MatrixProblem to_blocks(SparseEntries W, const std::vector<double>& q,
                        const std::vector<double>& mu, int dimension) {
  const auto n = static_cast<std::int64_t>(mu.size());
  for (std::int64_t i = 0; i < n; ++i) W.entry.push_back({dimension * i, dimension * i, 0.0});
  const auto key = [dimension](const Entry& e) {
    return std::pair(e.row / dimension, e.column / dimension);
  };
  std::stable_sort(W.entry.begin(), W.entry.end(),
                   [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  MatrixProblem problem;
  problem.mu = mu;
  problem.row_begin.assign(static_cast<std::size_t>(n) + 1, 0);
  std::pair<std::int64_t, std::int64_t> last(-1, -1);
  for (const Entry& e : W.entry) {
    if (key(e) != last) {
      last = key(e);
      problem.column.push_back(static_cast<ContactIndex>(last.second));
      problem.block.push_back(Matrix3::Zero());
      ++problem.row_begin[static_cast<std::size_t>(last.first) + 1];
    }
    problem.block.back()(e.row % dimension, e.column % dimension) += e.value;
  }
  std::partial_sum(problem.row_begin.begin(), problem.row_begin.end(), problem.row_begin.begin());
  for (std::int64_t i = 0; i < n; ++i) {
    Vector3 b = Vector3::Zero();
    for (int k = 0; k < dimension; ++k) b[k] = q[static_cast<std::size_t>(dimension * i + k)];
    problem.b.push_back(b);
    if (dimension == 3) continue;
    const auto begin = static_cast<std::size_t>(problem.row_begin[static_cast<std::size_t>(i)]);
    const auto end = static_cast<std::size_t>(problem.row_begin[static_cast<std::size_t>(i) + 1]);
    for (std::size_t at = begin; at < end;
         ++at) {  // the third direction carries nothing and keeps the mean of the trace
      Matrix3& block = problem.block[at];
      if (problem.column[at] == static_cast<ContactIndex>(i))
        block(2, 2) = 0.5 * (block(0, 0) + block(1, 1));
    }
  }
  return problem;
}

}  // namespace scree::contact
