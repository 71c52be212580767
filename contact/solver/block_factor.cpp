#include "contact/solver/block_factor.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "contact/solver/at.hpp"

namespace scree::contact {

namespace {

// C -= A B. Rows of B and C are lanes; each entry of A is used for a whole row.
template <std::size_t size, std::size_t lanes>
[[gnu::always_inline]] inline void subtract_product(const double* A, const double* B,
                                                    double* C) noexcept {
  constexpr std::size_t stride = lanes * n_lanes;
  Lanes b[size][lanes];
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t l = 0; l < lanes; ++l) load_lanes(b[k][l], B + stride * k + n_lanes * l);
  }
  for (std::size_t i = 0; i < size; ++i) {
    Lanes c[lanes];
    for (std::size_t l = 0; l < lanes; ++l) load_lanes(c[l], C + stride * i + n_lanes * l);
    for (std::size_t k = 0; k < size; ++k) {
      for (std::size_t l = 0; l < lanes; ++l) c[l] -= A[stride * i + k] * b[k][l];
    }
    for (std::size_t l = 0; l < lanes; ++l) store_lanes(C + stride * i + n_lanes * l, c[l]);
  }
}

// B <- A B.
template <std::size_t size, std::size_t lanes>
[[gnu::always_inline]] inline void multiply(const double* A, double* B) noexcept {
  constexpr std::size_t stride = lanes * n_lanes;
  Lanes b[size][lanes];
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t l = 0; l < lanes; ++l) load_lanes(b[k][l], B + stride * k + n_lanes * l);
  }
  for (std::size_t i = 0; i < size; ++i) {
    Lanes c[lanes] = {};
    for (std::size_t k = 0; k < size; ++k) {
      for (std::size_t l = 0; l < lanes; ++l) c[l] += A[stride * i + k] * b[k][l];
    }
    for (std::size_t l = 0; l < lanes; ++l) store_lanes(B + stride * i + n_lanes * l, c[l]);
  }
}

// A <- A^-1 by Gauss and Jordan with row exchanges.
template <std::size_t size, std::size_t lanes>
[[gnu::always_inline]] inline bool invert(double* A) noexcept {
  constexpr std::size_t stride = lanes * n_lanes;
  std::size_t exchanged[size];
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < size; ++i) {
      if (std::abs(A[stride * i + k]) > std::abs(A[stride * pivot + k])) pivot = i;
    }
    exchanged[k] = pivot;
    if (pivot != k) std::swap_ranges(A + stride * k, A + stride * k + stride, A + stride * pivot);
    const double value = A[stride * k + k];
    if (!(std::abs(value) > 0.0 && std::abs(value) <= std::numeric_limits<double>::max()))
      return false;
    const double inverse = 1.0 / value;
    A[stride * k + k] = 1.0;
    for (std::size_t j = 0; j < stride; ++j) A[stride * k + j] *= inverse;
    for (std::size_t i = 0; i < size; ++i) {
      if (i == k) continue;
      const double factor = A[stride * i + k];
      A[stride * i + k] = 0.0;
      for (std::size_t j = 0; j < stride; ++j) A[stride * i + j] -= factor * A[stride * k + j];
    }
  }
  for (std::size_t k = size; k-- > 0;) {
    if (exchanged[k] == k) continue;
    for (std::size_t i = 0; i < size; ++i)
      std::swap(A[stride * i + k], A[stride * i + exchanged[k]]);
  }
  return true;
}

// y -= A x, or y = A x when `assign`.
template <std::size_t size, std::size_t lanes, bool assign>
[[gnu::always_inline]] inline void apply_block(const double* A, const double* x,
                                               double* y) noexcept {
  constexpr std::size_t stride = lanes * n_lanes;
  for (std::size_t i = 0; i < size; ++i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < size; ++k) sum += A[stride * i + k] * x[k];
    y[i] = assign ? sum : y[i] - sum;
  }
}

}  // namespace

template <int block_size>
bool BlockFactor<block_size>::analyse(std::size_t n, std::span<const BlockPair> pairs,
                                      double most_flops) {
  if (n != n_ || !std::equal(pairs.begin(), pairs.end(), pairs_.begin(), pairs_.end())) {
    n_ = n;
    pairs_.assign(pairs.begin(), pairs.end());
    order();
    count_flops();
    target_.clear();
    if (flops_ <= most_flops) find_targets(), place_pairs();
  } else if (flops_ <= most_flops && pair_block_.size() != pairs.size()) {
    find_targets(), place_pairs();
  }
  return flops_ <= most_flops;
}

// Minimum degree on explicit lists: problems for which a factorisation pays are small.
template <int block_size>
void BlockFactor<block_size>::order() {
  if (neighbours_.size() < n_) neighbours_.resize(n_);
  for (std::size_t i = 0; i < n_; ++i) neighbours_[i].clear();
  for (const BlockPair& pair : pairs_) {
    neighbours_[at(pair[0])].push_back(pair[1]);
    neighbours_[at(pair[1])].push_back(pair[0]);
  }
  for (std::size_t i = 0; i < n_; ++i) std::sort(neighbours_[i].begin(), neighbours_[i].end());
  position_.assign(n_, -1);
  node_.clear(), row_begin_.assign(1, 0), row_.clear(), pair_block_.clear();
  for (std::size_t k = 0; k < n_; ++k) {
    std::size_t lowest = n_;
    for (std::size_t i = 0; i < n_; ++i) {
      if (position_[i] >= 0) continue;
      if (lowest == n_ || neighbours_[i].size() < neighbours_[lowest].size()) lowest = i;
    }
    position_[lowest] = static_cast<std::int32_t>(k);
    node_.push_back(static_cast<std::int32_t>(lowest));
    const std::vector<std::int32_t>& list = neighbours_[lowest];
    row_.insert(row_.end(), list.begin(), list.end());
    row_begin_.push_back(static_cast<std::int32_t>(row_.size()));
    for (const std::int32_t i : list) {
      merged_.clear();
      std::set_union(list.begin(), list.end(), neighbours_[at(i)].begin(), neighbours_[at(i)].end(),
                     std::back_inserter(merged_));
      std::erase_if(merged_, [&](std::int32_t j) { return j == i || at(j) == lowest; });
      neighbours_[at(i)].assign(merged_.begin(), merged_.end());
    }
  }
  for (std::int32_t& node : row_) node = position_[at(node)];
  for (std::size_t k = 0; k < n_; ++k)
    std::sort(row_.begin() + row_begin_[k], row_.begin() + row_begin_[k + 1]);
}

template <int block_size>
void BlockFactor<block_size>::count_flops() {
  constexpr double cube = 2.0 * size * size * size, square = 2.0 * size * size;
  flops_ = solve_flops_ = 0.0;
  for (std::size_t k = 0; k < n_; ++k) {
    const double length = row_begin_[k + 1] - row_begin_[k];
    flops_ += cube * (1.0 + length + length * length);
    solve_flops_ += square * (1.0 + 2.0 * length);
  }
}

template <int block_size>
void BlockFactor<block_size>::place_pairs() {
  pair_block_.clear();
  for (const BlockPair& pair : pairs_) {
    const std::int32_t first = position_[at(pair[0])], second = position_[at(pair[1])];
    const auto [low, high] = std::minmax(first, second);
    const auto begin = row_.begin() + row_begin_[at(low)],
               end = row_.begin() + row_begin_[at(low) + 1];
    const auto entry = static_cast<std::size_t>(std::lower_bound(begin, end, high) - row_.begin());
    const auto above = static_cast<std::int32_t>(upper(entry)),
               below = static_cast<std::int32_t>(lower(entry));
    pair_block_.push_back(first < second ? std::array{above, below} : std::array{below, above});
  }
  values_.resize(block_numbers * (n_ + 2 * row_.size()));
  x_.assign(stride * n_, 0.0);
}

template <int block_size>
void BlockFactor<block_size>::find_targets() {
  for (std::size_t k = 0; k < n_; ++k) {
    const std::int32_t end = row_begin_[k + 1];
    for (std::int32_t a = row_begin_[k]; a < end; ++a) {
      std::int32_t entry = row_begin_[at(row_[at(a)])];
      for (std::int32_t b = a + 1; b < end; ++b) {
        while (row_[at(entry)] != row_[at(b)]) ++entry;
        target_.push_back(entry);
      }
    }
  }
}

template <int block_size>
void BlockFactor<block_size>::clear() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

template <int block_size>
bool BlockFactor<block_size>::factorise() {
  bool regular = true;
  run_widest([ this, &regular ]() __attribute__((always_inline)) {
    const std::int32_t* target = target_.data();
    for (std::size_t k = 0; k < n_; ++k) {
      double* const pivot = block(k);
      if (!invert<size, lanes_per_row>(pivot)) {
        regular = false;
        return;
      }
      const std::size_t begin = at(row_begin_[k]), end = at(row_begin_[k + 1]);
      for (std::size_t a = begin; a < end; ++a)
        multiply<size, lanes_per_row>(pivot, block(upper(a)));
      for (std::size_t a = begin; a < end; ++a) {
        subtract_product<size, lanes_per_row>(block(lower(a)), block(upper(a)), block(at(row_[a])));
        for (std::size_t b = a + 1; b < end; ++b) {
          const std::size_t entry = at(*target++);
          subtract_product<size, lanes_per_row>(block(lower(a)), block(upper(b)),
                                                block(upper(entry)));
          subtract_product<size, lanes_per_row>(block(lower(b)), block(upper(a)),
                                                block(lower(entry)));
        }
      }
    }
  });
  return regular;
}

template <int block_size>
void BlockFactor<block_size>::solve(double* x) {
  for (std::size_t k = 0; k < n_; ++k)
    std::copy_n(x + size * at(node_[k]), size, x_.data() + stride * k);
  run_widest([this]() __attribute__((always_inline)) {
    double* const all = x_.data();
    for (std::size_t k = 0; k < n_; ++k) {
      double scaled[size];
      apply_block<size, lanes_per_row, true>(block(k), all + stride * k, scaled);
      std::copy_n(scaled, size, all + stride * k);
      for (std::size_t a = at(row_begin_[k]); a < at(row_begin_[k + 1]); ++a) {
        apply_block<size, lanes_per_row, false>(block(lower(a)), scaled,
                                                all + stride * at(row_[a]));
      }
    }
    for (std::size_t k = n_; k-- > 0;) {
      for (std::size_t a = at(row_begin_[k]); a < at(row_begin_[k + 1]); ++a) {
        apply_block<size, lanes_per_row, false>(block(upper(a)), all + stride * at(row_[a]),
                                                all + stride * k);
      }
    }
  });
  for (std::size_t k = 0; k < n_; ++k)
    std::copy_n(x_.data() + stride * k, size, x + size * at(node_[k]));
}

template class BlockFactor<3>;
template class BlockFactor<6>;

}  // namespace scree::contact
