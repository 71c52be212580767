#include "engine/model/freedom.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "engine/base/check.hpp"

namespace scree {

namespace {

// [-] of the largest moment: two that are as near count as equal; and how far from a principal axis
// a direction may lie [rad].
constexpr double equal_moments = 1e-9, aligned = 1e-7;

// The principal axis along `axis` (axes B), exact; `axis` itself if all moments are equal; zero: it
// lies along none. Two equal moments leave every direction in their plane principal.
Vector3 principal_axis(const Vector3& inertia, const Vector3& axis) {
  const double largest = inertia.maxCoeff();
  const auto equal = [&](int i, int j) {
    return std::abs(inertia[i] - inertia[j]) <= equal_moments * largest;
  };
  if (equal(0, 1) && equal(1, 2)) return axis;
  for (int i = 0; i < 3; ++i) {
    const Vector3 unit = Vector3::Unit(i);
    if (axis.cross(unit).norm() <= aligned) return unit;
    if (equal((i + 1) % 3, (i + 2) % 3) && std::abs(axis[i]) <= aligned)
      return (axis - axis[i] * unit).normalized();
  }
  return Vector3::Zero();
}

double degrees_to_nearest(const Vector3& axis) {
  return std::acos(std::min(axis.cwiseAbs().maxCoeff(), 1.0)) * 180.0 / std::numbers::pi;
}

}  // namespace

Vector3 Freedom::of_spin(const Vector3& w_B) const {
  const Vector3 along = axis.dot(w_B) * axis;
  return rotations == 3   ? w_B
         : rotations == 2 ? Vector3(w_B - along)
         : rotations == 1 ? along
                          : Vector3(Vector3::Zero());
}

Vector3 Freedom::turned(const Vector3& inertia, const Vector3& impulse_B) const {
  if (rotations == 1) return axis * (axis.dot(impulse_B) / axis.dot(inertia.cwiseProduct(axis)));
  return of_spin(of_spin(impulse_B).cwiseQuotient(inertia));
}

Matrix3 Freedom::inverse_inertia(const Vector3& inertia) const {
  Matrix3 inverse;
  for (int i = 0; i < 3; ++i) inverse.col(i) = turned(inertia, Vector3::Unit(i));
  return 0.5 * (inverse + inverse.transpose());
}

Freedom freedom_of(const std::vector<std::string>& names, const Vector3& inertia,
                   const Quaternion& q_WB) {
  std::array<bool, 6> free = {};
  for (const std::string& name : names) {
    const auto found = std::find(freedom_names.begin(), freedom_names.end(), name);
    require(found != freedom_names.end(), "free",
            "unknown direction \"" + name + "\"; must be among x, y, z, rx, ry, rz");
    bool& here = free[static_cast<std::size_t>(found - freedom_names.begin())];
    require(!here, "free", "\"" + name + "\" is there twice");
    here = true;
  }
  require(!names.empty(), "free", "nothing is free; a body that never moves is fixed = true");
  Freedom freedom;
  freedom.rotations = 0;
  for (int i = 0; i < 3; ++i) {
    freedom.directions[i] = free[static_cast<std::size_t>(i)] ? 1.0 : 0.0;
    freedom.rotations += free[static_cast<std::size_t>(3 + i)] ? 1 : 0;
  }
  if (freedom.rotations != 1 && freedom.rotations != 2) return freedom;
  // The single axis that is free, or locked.
  int single = 0;
  while (free[static_cast<std::size_t>(3 + single)] != (freedom.rotations == 1)) ++single;
  const Vector3 axis = q_WB.conjugate() * Vector3(Vector3::Unit(single));
  freedom.axis = axis.normalized();
  if (freedom.rotations == 1) return freedom;
  freedom.axis = principal_axis(inertia, freedom.axis);
  if (freedom.axis.isZero(0.0)) {
    char angle[32];
    std::snprintf(angle, sizeof angle, "%.3g", degrees_to_nearest(axis));
    std::string text = "the rotation ";
    text += freedom_names[static_cast<std::size_t>(3 + single)];
    text += " alone cannot be locked: no principal axis of the body lies along it (the nearest is ";
    text += angle;
    text += " degrees off); free one rotation, none or all three, or turn the body";
    throw InputError("free: " + text);
  }
  return freedom;
}

std::string describe(const Freedom& freedom, const Quaternion& q_BU) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    if (freedom.directions[i] == 0.0) continue;
    text += freedom_names[static_cast<std::size_t>(i)];
    text += ", ";
  }
  const Vector3 axis = q_BU.conjugate() * freedom.axis;
  std::array<char, 96> about{};
  std::snprintf(about.data(), about.size(), "(%.4g, %.4g, %.4g)", axis.x() + 0.0, axis.y() + 0.0,
                axis.z() + 0.0);
  switch (freedom.rotations) {
    case 0:
      return text + "no rotation";
    case 1:
      return text + "rotation about " + about.data();
    case 2:
      return text + "rotations but about " + about.data();
    default:
      return text + "all rotations";
  }
}

}  // namespace scree
