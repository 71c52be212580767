// Random numbers for one of many runs, each a function of (seed, run, stream, draw) alone: no order
// of runs, no number of them and no kill changes what a run draws.
//
// The bits are those of Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers, as
// easy as 1, 2, 3; SC'11): integers only. What follows uses +, -, *, / and square roots of doubles,
// which IEEE 754 rounds correctly, in a fixed order and without contraction; no exp or log of the
// library, whose last bit differs between machines. So every machine draws the same bits.
#pragma once

#include <array>
#include <cstdint>

namespace scree {

// The block that Philox 4x32-10 makes of a counter under a key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

// Natural logarithm of a normal number x > 0, to 2 ulp where |log x| > 0.1: exponent times log 2,
// and of the mantissa in [sqrt(1/2), sqrt(2)) the series of 2 artanh((m - 1) / (m + 1)).
double portable_log(double x);

// The x that a standard normal number falls below with probability p in (0, 1): algorithm AS 241
// (Wichura, Applied Statistics 37, 1988), relative error about 1e-15.
double normal_quantile(double p);

// The numbers of one run that one quantity draws, in turn.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t run, std::uint32_t stream)
      : seed_(seed), run_(run), stream_(stream) {}

  std::uint64_t bits();
  // In (0, 1): an odd multiple of 2^-53, each equally likely.
  double unit();
  // In [low, high]: low + (high - low) unit().
  double uniform(double low, double high);
  // Of the integers low, ..., high, fewer than 2^32, each equally likely to 2^-20 of its share.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  // mean + deviation normal_quantile(unit()): |normal_quantile| < 8.3, so no draw is wild.
  double normal(double mean, double deviation);

 private:
  std::uint64_t seed_, run_;
  std::uint32_t stream_, next_ = 0;
};

}  // namespace scree
