#include "tools/bench/triad.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "engine/stopwatch.hpp"

namespace scree::bench {

double triad_bandwidth(const Executor& executor) {
  constexpr std::size_t n = std::size_t{1} << 23, blocks = 64, in_block = n / blocks;  // 64 MiB an array
  constexpr int passes = 12;
  // Not initialised here: each page is first touched by a thread of the executor, which places it.
  const std::unique_ptr<double[]> a(new double[n]), b(new double[n]), c(new double[n]);
  const auto over_blocks = [&](auto&& body) {
    executor.for_each_block(static_cast<int>(blocks), [&](int block) {
      const std::size_t begin = static_cast<std::size_t>(block) * in_block;
      body(a.get() + begin, b.get() + begin, c.get() + begin);
    });
  };
  over_blocks([](double* x, double* y, double* z) {
    for (std::size_t i = 0; i < in_block; ++i) x[i] = 0.0, y[i] = 1.0, z[i] = 2.0;
  });
  double best = 0.0;
  for (int pass = 0; pass < passes; ++pass) {
    Stopwatch watch;
    over_blocks([scale = 3.0 + pass](double* __restrict x, const double* __restrict y, const double* __restrict z) {
      for (std::size_t i = 0; i < in_block; ++i) x[i] = y[i] + scale * z[i];
    });
    best = std::max(best, 24.0 * static_cast<double>(n) / watch.lap());
  }
  // Reading the result keeps the compiler from leaving the loops out.
  const volatile double kept = a[n / 2];
  return kept > 0.0 ? best : 0.0;
}

}  // namespace scree::bench
