// Long-vector operations in fixed blocks: same bits for any executor.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/model/executor.hpp"

namespace scree::contact {

constexpr std::size_t vector_block = 4096;

template <class Range>
void for_vector_blocks(std::size_t n, const Executor& executor, Range&& range) {
  const auto n_blocks = static_cast<int>((n + vector_block - 1) / vector_block);
  executor.for_each_block(n_blocks, [&](int block) {
    const std::size_t begin = static_cast<std::size_t>(block) * vector_block;
    range(static_cast<std::size_t>(block), begin, std::min(n, begin + vector_block));
  });
}

// Sum over i of term(i), block by block.
template <class Term>
double block_sum(std::size_t n, const Executor& executor, std::vector<double>& partial, Term&& term) {
  partial.assign((n + vector_block - 1) / vector_block, 0.0);
  for_vector_blocks(n, executor, [&](std::size_t block, std::size_t begin, std::size_t end) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    std::size_t i = begin;
    for (; i + 4 <= end; i += 4) {
      for (std::size_t k = 0; k < 4; ++k) sum[k] += term(i + k);
    }
    for (; i < end; ++i) sum[0] += term(i);
    partial[block] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  });
  double total = 0.0;
  for (const double value : partial) total += value;
  return total;
}

inline double distance_squared(const std::vector<double>& a, const std::vector<double>& b, const Executor& executor,
                               std::vector<double>& partial) {
  return block_sum(a.size(), executor, partial, [&](std::size_t i) { return (a[i] - b[i]) * (a[i] - b[i]); });
}

// One step of the nonsmooth conjugate gradient: x <- x + beta d, d <- beta d + (x - x_old); beta = 0 restarts d.
inline void extrapolate(double beta, std::vector<double>& x, const std::vector<double>& x_old, std::vector<double>& d,
                        const Executor& executor) {
  d.resize(x.size());
  for_vector_blocks(x.size(), executor, [&](std::size_t, std::size_t begin, std::size_t end) {
    if (beta == 0.0) {
      for (std::size_t i = begin; i < end; ++i) d[i] = x[i] - x_old[i];
      return;
    }
    for (std::size_t i = begin; i < end; ++i) {
      const double push = beta * d[i], change = x[i] - x_old[i];
      x[i] += push;
      d[i] = push + change;
    }
  });
}

// Nesterov's extrapolation: x <- x_new, ahead = x_new + beta (x_new - x_before).
inline void momentum(double beta, std::vector<double>& x, const std::vector<double>& x_new, std::vector<double>& ahead,
                     const Executor& executor) {
  for_vector_blocks(x.size(), executor, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      ahead[i] = x_new[i] + beta * (x_new[i] - x[i]);
      x[i] = x_new[i];
    }
  });
}

}  // namespace scree::contact
