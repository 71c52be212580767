// Random numbers with the same bits on every machine: integer arithmetic, and of floating point
// only what IEEE 754 fixes.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/math.hpp"

namespace scree {

// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  // Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

  // Uniform in [0, n), n > 0 (the bias of 2^-53 n does not matter).
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(n));
  }

  // Uniform on the unit sphere, by rejection: no trigonometry, whose last bit differs between
  // libraries.
  Vector3 direction() {
    while (true) {
      const double x = 2.0 * uniform() - 1.0;
      const double y = 2.0 * uniform() - 1.0;
      const double z = 2.0 * uniform() - 1.0;
      const Vector3 point(x, y, z);
      const double square = point.squaredNorm();
      if (square <= 1.0 && square > 0.01) return point / std::sqrt(square);
    }
  }

  // Uniform over all rotations: a point of the unit sphere in four dimensions.
  Quaternion rotation() {
    while (true) {
      const double w = 2.0 * uniform() - 1.0, x = 2.0 * uniform() - 1.0;
      const double y = 2.0 * uniform() - 1.0, z = 2.0 * uniform() - 1.0;
      const double square = w * w + x * x + y * y + z * z;
      if (square > 1.0 || square <= 0.01) continue;
      const double norm = std::sqrt(square);
      return {w / norm, x / norm, y / norm, z / norm};
    }
  }

  template <class Value>
  void shuffle(std::vector<Value>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::uint64_t state_;
};

// The direction, of ten drawn, that is farthest from those so far: directions spread out.
Vector3 spread_direction(Random& random, const std::vector<Vector3>& so_far);

// Cube root of x > 0 by Newton's method: std::cbrt differs between libraries in the last bit.
double cube_root(double x);

}  // namespace scree
