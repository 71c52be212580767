#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "scenes/draws.hpp"

namespace draws_test {

using namespace scree;

namespace {

// Units in the last place of `b` between a and b.
double ulps(double a, double b) {
  const double unit =
      std::nextafter(std::abs(b), std::numeric_limits<double>::infinity()) - std::abs(b);
  return std::abs(a - b) / unit;
}

}  // namespace

TEST_CASE("Philox gives the published blocks") {
  // Random123, kat_vectors: philox4x32, 10 rounds.
  using Block = std::array<std::uint32_t, 4>;
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Block{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U});
  constexpr std::uint32_t ones = 0xffffffffU;
  CHECK(philox({ones, ones, ones, ones}, {ones, ones}) ==
        Block{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU});
  CHECK(philox({0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U}, {0xa4093822U, 0x299f31d0U}) ==
        Block{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U});
}

TEST_CASE("The logarithm is that of the library to two units in the last place") {
  std::mt19937_64 random(7);
  double worst = 0.0;
  for (int i = 0; i < 200000; ++i) {
    const double x = std::ldexp(1.0 + static_cast<double>(random() >> 11) * 0x1.0p-53,
                                static_cast<int>(random() % 120) - 60);
    if (std::abs(std::log(x)) > 0.1) worst = std::max(worst, ulps(portable_log(x), std::log(x)));
  }
  CHECK(worst <= 2.0);
  CHECK(portable_log(1.0) == 0.0);
}

TEST_CASE("The normal quantile is the inverse of the distribution") {
  // Digits of AS 241, and of the normal distribution in any table.
  CHECK(normal_quantile(0.5) == 0.0);
  CHECK(normal_quantile(0.25) == Approx(-0.6744897501960817).epsilon(1e-15));
  CHECK(normal_quantile(0.001) == Approx(-3.090232306167814).epsilon(1e-15));
  CHECK(normal_quantile(1e-20) == Approx(-9.262340089798408).epsilon(1e-14));
  CHECK(normal_quantile(0.975) == Approx(1.959963984540054).epsilon(1e-15));
  // Phi(x) = erfc(-x / sqrt 2) / 2: round-off of p grows by p / density in x.
  for (double p = 0x1.0p-52; p < 0.5; p *= 1.37) {
    const double x = normal_quantile(p);
    CHECK(0.5 * std::erfc(-x / std::sqrt(2.0)) == Approx(p).epsilon(1e-13));
    CHECK(normal_quantile(1.0 - p) == -normal_quantile(1.0 - (1.0 - p)));
  }
}

TEST_CASE("Draws are known numbers of seed, run and stream alone") {
  // Bits that every machine must give: they were written down once.
  Draws draws(1, 0, 0);
  const std::vector<double> first = {draws.unit(), draws.unit(), draws.normal(0.0, 1.0)};
  Draws again(1, 0, 0);
  CHECK(std::vector<double>{again.unit(), again.unit(), again.normal(0.0, 1.0)} == first);
  CHECK(first ==
        std::vector<double>{0x1.ca141d79c7d01p-1, 0x1.bf8b997d58103p-1, 0x1.23064f5e93ea2p-3});
  std::set<double> seen;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (std::uint64_t run = 0; run < 4; ++run) {
      for (std::uint32_t stream = 0; stream < 4; ++stream)
        seen.insert(Draws(seed, run << 40, stream).unit());
    }
  }
  CHECK(seen.size() == 64);
}

TEST_CASE("Draws have the moments of their distributions") {
  constexpr int n = 100000;
  double uniform_sum = 0.0, uniform_squares = 0.0, sum = 0.0, squares = 0.0, fourth = 0.0;
  for (int i = 0; i < n; ++i) {
    const double u = Draws(3, static_cast<std::uint64_t>(i), 0).uniform(-1.0, 3.0);
    const double x = Draws(3, static_cast<std::uint64_t>(i), 1).normal(0.0, 1.0);
    CHECK_FALSE((u < -1.0 || u > 3.0));
    uniform_sum += u, uniform_squares += (u - 1.0) * (u - 1.0);
    sum += x, squares += x * x, fourth += x * x * x * x;
  }
  // Five standard deviations of each mean: sqrt(variance of one / n).
  const double root = std::sqrt(static_cast<double>(n));
  CHECK(std::abs(uniform_sum / n - 1.0) < 5.0 * std::sqrt(16.0 / 12.0) / root);
  CHECK(std::abs(uniform_squares / n - 16.0 / 12.0) < 5.0 * std::sqrt(256.0 / 180.0) / root);
  CHECK(std::abs(sum / n) < 5.0 / root);
  CHECK(std::abs(squares / n - 1.0) < 5.0 * std::sqrt(2.0) / root);
  CHECK(std::abs(fourth / n - 3.0) < 5.0 * std::sqrt(96.0) / root);
}

TEST_CASE("Drawn integers fill their range, each as often as the others") {
  std::array<int, 6> count = {};
  constexpr int n = 60000;
  for (std::uint64_t run = 0; run < n; ++run) {
    Draws draws(3, run, 1);
    const std::int64_t drawn = draws.integer(-2, 3);
    REQUIRE(drawn >= -2);
    REQUIRE(drawn <= 3);
    ++count[static_cast<std::size_t>(drawn + 2)];
  }
  // Chi squared of 5 degrees of freedom: above 20.5 in one of a thousand seeds.
  double chi = 0.0;
  for (const int k : count) chi += (k - n / 6.0) * (k - n / 6.0) / (n / 6.0);
  CHECK(chi < 20.5);
  Draws draws(1, 0, 0);
  CHECK(draws.integer(5, 5) == 5);
  // The number that is drawn is the share of the range that `unit` is of 1.
  constexpr std::int64_t wide = 4294967295;
  Draws one(9, 4, 2), other(9, 4, 2);
  CHECK(one.integer(0, wide) == static_cast<std::int64_t>(4294967296.0 * other.unit()));
}

}  // namespace draws_test
