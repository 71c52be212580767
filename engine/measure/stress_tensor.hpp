// Stress as files have it: six numbers of a symmetric tensor, tension positive.
#pragma once

#include <array>
#include <cmath>

#include "engine/base/math.hpp"

namespace scree::measure {

// xx, yy, zz, xy, yz, xz: the order of VTK.
using StressTensor = std::array<double, 6>;
inline constexpr std::array stress_axes = {"xx", "yy", "zz", "xy", "yz", "xz"};

// The symmetric part of a matrix.
inline StressTensor symmetric_part(const Matrix3& m) {
  return {m(0, 0),
          m(1, 1),
          m(2, 2),
          0.5 * (m(0, 1) + m(1, 0)),
          0.5 * (m(1, 2) + m(2, 1)),
          0.5 * (m(0, 2) + m(2, 0))};
}

inline Matrix3 matrix_of(const StressTensor& s) {
  Matrix3 m;
  m << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return m;
}

// Vector of the antisymmetric part: e_ijk m_jk, for a (x) f the moment a x f.
inline Vector3 moment_of(const Matrix3& m) {
  return {m(1, 2) - m(2, 1), m(2, 0) - m(0, 2), m(0, 1) - m(1, 0)};
}

// P = -tr(s)/3, compression positive.
inline double pressure_of(const StressTensor& s) { return -(s[0] + s[1] + s[2]) / 3.0; }

// sqrt(s' : s' / 2) of the deviator s'.
inline double shear_of(const StressTensor& s) {
  const double p = pressure_of(s);
  const double diagonal =
      (s[0] + p) * (s[0] + p) + (s[1] + p) * (s[1] + p) + (s[2] + p) * (s[2] + p);
  return std::sqrt(0.5 * diagonal + s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
}

// Sum of the sizes of the principal values.
double trace_norm(const StressTensor& s);

// What is left of the antisymmetric part of a tensor, told by its vector, over the trace norm of
// the symmetric one.
inline double asymmetry_of(const StressTensor& s, const Vector3& moment) {
  constexpr double root_of_half = 0.70710678118654752440;
  const double left = root_of_half * moment.norm();
  return left == 0.0 ? 0.0 : left / trace_norm(s);
}

}  // namespace scree::measure
