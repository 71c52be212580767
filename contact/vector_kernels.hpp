// Long-vector operations in fixed blocks, for an iterate and its image in one loop: same bits for any executor.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "contact/aligned.hpp"
#include "engine/model/executor.hpp"

namespace scree::contact {

constexpr std::size_t vector_block = 2048;

// Sums that a gradient step needs, of y' - y_ahead, its image and y' - y.
struct GradientSums {
  double length = 0.0;     // |y' - y_ahead|^2
  double curvature = 0.0;  // (y' - y_ahead) . W (y' - y_ahead)
  double ascent = 0.0;     // g . (y' - y)
};

// A vector, another one of the same size that it is compared with, and a direction or point that follows it.
struct Change {
  Numbers& x;
  const Numbers& other;
  Numbers& along;
};

// Calls range(change, begin, end) over blocks of each change.
template <class Range, class... Changes>
void for_vector_blocks(const Executor& executor, const Range& range, Changes&... changes) {
  const std::array<Change*, sizeof...(changes)> list = {&changes...};
  std::array<int, sizeof...(changes)> blocks{};
  int total = 0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    list[k]->along.resize(list[k]->x.size());
    total += blocks[k] = static_cast<int>((list[k]->x.size() + vector_block - 1) / vector_block);
  }
  executor.for_each_block(total, [&](int block) {
    std::size_t k = 0;
    for (; block >= blocks[k]; ++k) block -= blocks[k];
    const std::size_t begin = static_cast<std::size_t>(block) * vector_block;
    range(*list[k], begin, std::min(list[k]->x.size(), begin + vector_block));
  });
}

// One step of the nonsmooth conjugate gradient, x' = x and `other` what x was before the sweep: d <- beta d + (x' - x),
// x <- x' + beta d_before, d = `along`; beta = 0 restarts d.
template <class... Changes>
void extrapolate(double beta, const Executor& executor, Changes&&... changes) {
  for_vector_blocks(executor, [beta](Change& change, std::size_t begin, std::size_t end) {
    double* x = change.x.data();
    const double* x_old = change.other.data();
    double* d = change.along.data();
    if (beta == 0.0) {
      for (std::size_t i = begin; i < end; ++i) d[i] = x[i] - x_old[i];
      return;
    }
    for (std::size_t i = begin; i < end; ++i) {
      const double push = beta * d[i], difference = x[i] - x_old[i];
      x[i] += push;
      d[i] = push + difference;
    }
  }, changes...);
}

// Nesterov's extrapolation, `other` the new x: along = x_new + beta (x_new - x), x <- x_new.
template <class... Changes>
void momentum(double beta, const Executor& executor, Changes&&... changes) {
  for_vector_blocks(executor, [beta](Change& change, std::size_t begin, std::size_t end) {
    double* x = change.x.data();
    const double* x_new = change.other.data();
    double* ahead = change.along.data();
    for (std::size_t i = begin; i < end; ++i) {
      ahead[i] = x_new[i] + beta * (x_new[i] - x[i]);
      x[i] = x_new[i];
    }
  }, changes...);
}

}  // namespace scree::contact
