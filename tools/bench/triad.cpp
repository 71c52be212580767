#include "tools/bench/triad.hpp"

#include <algorithm>
#include <memory>

#include "engine/base/stopwatch.hpp"

namespace scree::bench {

double triad_bandwidth(const Executor& executor, std::size_t bytes) {
  constexpr int measurements = 12;
  constexpr std::size_t least_traffic =
      std::size_t{16}
      << 20;  // of a measurement: about a millisecond, and many starts of the threads
  const int shares = executor.threads();
  const std::size_t in_share =
      std::max<std::size_t>(bytes / 24 / static_cast<std::size_t>(shares), 64);
  const std::size_t n = in_share * static_cast<std::size_t>(shares);
  const std::size_t passes = std::max<std::size_t>(least_traffic / (24 * n), 1);
  // Not initialised here: each page is first touched by a thread of the executor, which places it.
  const std::unique_ptr<double[]> a(new double[n]), b(new double[n]), c(new double[n]);
  const auto over_shares = [&](auto&& body) {
    executor.for_each_block(shares, [&](int share) {
      const std::size_t begin = static_cast<std::size_t>(share) * in_share;
      body(a.get() + begin, b.get() + begin, c.get() + begin);
    });
  };
  over_shares([&](double* x, double* y, double* z) {
    for (std::size_t i = 0; i < in_share; ++i) x[i] = 0.0, y[i] = 1.0, z[i] = 2.0;
  });
  double best = 0.0;
  for (int measurement = 0; measurement < measurements; ++measurement) {
    Stopwatch watch;
    over_shares([&, scale = 3.0 + measurement](double* __restrict x, const double* __restrict y,
                                               const double* __restrict z) {
      for (std::size_t pass = 0; pass < passes; ++pass) {
        for (std::size_t i = 0; i < in_share; ++i) x[i] = y[i] + scale * z[i];
        asm volatile(
            ""
            :
            : "r"(x)
            : "memory");  // each pass is made: the compiler must not keep the last one only
      }
    });
    best = std::max(best, 24.0 * static_cast<double>(n * passes) / watch.lap());
  }
  return best;
}

}  // namespace scree::bench
