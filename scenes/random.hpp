// Random numbers of the generators: the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>

#include "engine/model/math.hpp"

namespace scree {

// SplitMix64 (Steele, Lea, Flood 2014): integer arithmetic only, the same on every machine.
class SeededRandom {
 public:
  explicit SeededRandom(std::uint64_t seed) : state_(seed) {}

  // Uniform in [0, 1), a multiple of 2^-53.
  double uniform() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
  }

  // Uniform on the unit sphere, by rejection: no trigonometry, whose last bit differs between libraries.
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

  // Uniform over the rotations: a direction in four dimensions, again by rejection.
  Quaternion rotation() {
    while (true) {
      const double w = 2.0 * uniform() - 1.0;
      const double x = 2.0 * uniform() - 1.0;
      const double y = 2.0 * uniform() - 1.0;
      const double z = 2.0 * uniform() - 1.0;
      const double square = w * w + x * x + y * y + z * z;
      const double norm = std::sqrt(square);
      if (square <= 1.0 && square > 0.01) return {w / norm, x / norm, y / norm, z / norm};
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace scree
