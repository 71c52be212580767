#include "scenes/draws.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace scree {
namespace {

// c[0] + c[1] x + ..., by Horner's rule.
template <std::size_t n>
double polynomial(const double (&c)[n], double x) {
  double value = c[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) value = value * x + c[i];
  return value;
}

// AS 241, PPND16: numerators and denominators near the middle, in the tails and far out in them.
constexpr double middle_over[] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                  1.9715909503065514427e3, 1.3731693765509461125e4,
                                  4.5921953931549871457e4, 6.7265770927008700853e4,
                                  3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr double middle_under[] = {1.0,
                                   4.2313330701600911252e1,
                                   6.8718700749205790830e2,
                                   5.3941960214247511077e3,
                                   2.1213794301586595867e4,
                                   3.9307895800092710610e4,
                                   2.8729085735721942674e4,
                                   5.2264952788528545610e3};
constexpr double tail_over[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                5.76949722146069140550e0,  3.64784832476320460504e0,
                                1.27045825245236838258e0,  2.41780725177450611770e-1,
                                2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr double tail_under[] = {1.0,
                                 2.05319162663775882187e0,
                                 1.67638483018380384940e0,
                                 6.89767334985100004550e-1,
                                 1.48103976427480074590e-1,
                                 1.51986665636164571966e-2,
                                 5.47593808499534494600e-4,
                                 1.05075007164441684324e-9};
constexpr double far_over[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                               1.78482653991729133580e0,  2.96560571828504891230e-1,
                               2.65321895265761230930e-2, 1.24266094738807843860e-3,
                               2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double far_under[] = {1.0,
                                5.99832206555887937690e-1,
                                1.36929880922735805310e-1,
                                1.48753612908506148525e-2,
                                7.86869131145613259100e-4,
                                1.84631831751005468180e-5,
                                1.42151175831644588870e-7,
                                2.04426310338993978564e-15};

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  constexpr int rounds = 10;
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t a = std::uint64_t{0xd2511f53U} * counter[0];
    const std::uint64_t b = std::uint64_t{0xcd9e8d57U} * counter[2];
    counter = {
        static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
        static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9e3779b9U;
    key[1] += 0xbb67ae85U;
  }
  return counter;
}

double portable_log(double x) {
  constexpr double log_2_high = 0x1.62e42fefa3p-1;  // 41 bits: times an exponent it is exact
  constexpr double log_2_low = 0x1.3de6af278ece6p-42;
  constexpr double root_of_half = 0.70710678118654752440;
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // exact, in [1/2, 1)
  if (mantissa < root_of_half) mantissa *= 2.0, --exponent;
  // |s| < 0.1716, so that the terms left out are below s^23 / 23 < 1e-19.
  const double s = (mantissa - 1.0) / (mantissa + 1.0), square = s * s;
  double series = 0.0;
  for (int k = 21; k >= 3; k -= 2) series = (series + 1.0 / k) * square;
  const double of_mantissa = 2.0 * s * series + 2.0 * s;
  return exponent * log_2_high + (exponent * log_2_low + of_mantissa);
}

double normal_quantile(double p) {
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(middle_over, r) / polynomial(middle_under, r);
  }
  const double r = std::sqrt(-portable_log(std::min(p, 1.0 - p)));
  const double x = r <= 5.0 ? polynomial(tail_over, r - 1.6) / polynomial(tail_under, r - 1.6)
                            : polynomial(far_over, r - 5.0) / polynomial(far_under, r - 5.0);
  return q < 0.0 ? -x : x;
}

std::uint64_t Draws::bits() {
  const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  const auto high = [](std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); };
  const auto block = philox({next_++, stream_, low(run_), high(run_)}, {low(seed_), high(seed_)});
  return std::uint64_t{block[1]} << 32 | block[0];
}

double Draws::unit() {
  constexpr std::uint64_t one = 1;
  return static_cast<double>((bits() >> 12) * 2 + one) * 0x1.0p-53;
}

double Draws::uniform(double low, double high) { return low + (high - low) * unit(); }

std::int64_t Draws::integer(std::int64_t low, std::int64_t high) {
  const double count = static_cast<double>(high - low) + 1.0;
  return low + std::min(static_cast<std::int64_t>(count * unit()), high - low);
}

double Draws::normal(double mean, double deviation) {
  return mean + deviation * normal_quantile(unit());
}

}  // namespace scree
