// Periodic directions of the world, and the shear of their images (Lees and Edwards).
//
// Along a periodic axis a body stands for all its images, a whole number of periods apart; its
// centre stays in the cell [corner, corner + length). The image (i, j, k) of a body at x lies at
//
//   x + (i L_x + k s, j L_y, k L_z)        and moves with its velocity + (k V, 0, 0)
//
// where V = shear_rate L_z and the shift s of the images above, which is between 0 and L_x, grows
// with V. Whatever a run does depends on coordinates in the cell and on whole numbers, so a start
// that is moved by periods gives the same bits.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "engine/base/math.hpp"

namespace scree {

// Numbers of periods (i, j, k), each between -512 and 511, in one integer that adds and subtracts
// as they do. 0: the body itself. Ordered by k, then j, then i.
using ImageCode = std::int32_t;

constexpr std::int32_t most_periods = 500;
constexpr ImageCode image_code(std::int32_t i, std::int32_t j, std::int32_t k) {
  return (k * 1024 + j) * 1024 + i;
}

// The three numbers of a code.
constexpr std::array<std::int32_t, 3> periods_of(ImageCode code) {
  const auto lowest = [](std::int32_t value) { return ((value + 512) & 1023) - 512; };
  const std::int32_t i = lowest(code), rest = (code - i) / 1024, j = lowest(rest);
  return {i, j, (rest - j) / 1024};
}

// How many periods a body has gone along each axis.
using PeriodCount = std::array<std::int32_t, 3>;

struct Cell {
  Vector3 length = Vector3::Zero();  // [m] 0: not periodic along this axis
  Vector3 corner = Vector3::Zero();  // [m] the lowest
  double shear_rate = 0.0;           // [1/s] of x along z, which then both are periodic

  bool is_periodic() const { return !length.isZero(0.0); }
  bool is_sheared() const { return shear_rate != 0.0; }
  double image_speed() const { return shear_rate * length.z(); }  // [m/s] V

  // From a body to one of its images [m]; `shift` is s.
  Vector3 offset(const PeriodCount& n, double shift) const {
    const Vector3 periods(n[0], n[1], n[2]);
    Vector3 offset = periods.cwiseProduct(length);
    offset.x() += periods.z() * shift;
    return offset;
  }
  Vector3 offset(ImageCode code, double shift) const { return offset(periods_of(code), shift); }

  // Velocity of an image relative to the body's own [m/s].
  Vector3 velocity(ImageCode code) const {
    return {static_cast<double>(periods_of(code)[2]) * image_speed(), 0.0, 0.0};
  }

  // The image of the cell in which a point lies.
  PeriodCount cell_of(const Vector3& x, double shift) const {
    const auto along = [&](Eigen::Index axis, double at) {
      if (length[axis] == 0.0) return std::int32_t{0};
      return static_cast<std::int32_t>(std::floor((at - corner[axis]) / length[axis]));
    };
    const std::int32_t k = along(2, x.z());
    return {along(0, x.x() - static_cast<double>(k) * shift), along(1, x.y()), k};
  }
};

}  // namespace scree
