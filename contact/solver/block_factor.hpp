// Direct solution of sparse systems of small square blocks with a symmetric pattern and unsymmetric
// values: an LU factorisation without exchanges between blocks, inside each diagonal block with row
// exchanges. The order is that of minimum degree with ties to the lowest number, so it rests on the
// pattern alone, and the bits on nothing else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/problem/aligned.hpp"
#include "engine/base/lanes.hpp"

namespace scree::contact {

using BlockPair = std::array<std::int32_t, 2>;  // two nodes, the lower first

// Keeps its memory, and the order while the pattern stays.
template <int block_size>
class BlockFactor {
 public:
  static constexpr std::size_t size = block_size;
  static constexpr std::size_t lanes_per_row = (size + n_lanes - 1) / n_lanes;
  static constexpr std::size_t stride =
      lanes_per_row * n_lanes;  // of a row, in numbers; what is beyond `size` is zero
  static constexpr std::size_t block_numbers = size * stride;

  // Takes the pattern: `pairs` (sorted, no pair twice) of n nodes have blocks, and each node with
  // itself. Returns false when the factorisation takes more than `most_flops`: then nothing can be
  // factorised.
  bool analyse(std::size_t n, std::span<const BlockPair> pairs, double most_flops);

  double flops() const { return flops_; }              // of a factorisation
  double solve_flops() const { return solve_flops_; }  // of a solution

  void clear();
  // Numbers of a block, row by row.
  double* diagonal(std::size_t node) { return block(static_cast<std::size_t>(position_[node])); }
  // The two blocks of pair k of `analyse`: (first, second) and (second, first).
  double* forward(std::size_t k) { return block(static_cast<std::size_t>(pair_block_[k][0])); }
  double* backward(std::size_t k) { return block(static_cast<std::size_t>(pair_block_[k][1])); }

  // Factorises the blocks in place; false when a pivot vanishes or is not finite.
  bool factorise();
  // Overwrites x [n * size] with the solution.
  void solve(double* x);

 private:
  double* block(std::size_t k) { return values_.data() + block_numbers * k; }
  std::size_t upper(std::size_t entry) const { return n_ + entry; }
  std::size_t lower(std::size_t entry) const { return n_ + row_.size() + entry; }
  void order();
  void count_flops();
  void place_pairs();
  void find_targets();

  std::size_t n_ = 0;
  std::vector<BlockPair> pairs_;
  double flops_ = 0.0, solve_flops_ = 0.0;
  std::vector<std::vector<std::int32_t>> neighbours_;  // of nodes not eliminated yet, ascending
  std::vector<std::int32_t> merged_;
  std::vector<std::int32_t> position_, node_;  // of a node in the order, and back
  std::vector<std::int32_t> row_begin_,
      row_;  // of each position: later positions that it is coupled with, ascending
  std::vector<std::array<std::int32_t, 2>> pair_block_;
  std::vector<std::int32_t>
      target_;      // entry that each product of a pivot changes, for rows a < b of its list
  Numbers values_;  // blocks: diagonal, upper, lower
  Numbers x_;       // in the order, rows padded to `stride`
};

}  // namespace scree::contact
