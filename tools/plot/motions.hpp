// What can be said of the motion of one body, and of all that move: for plots, and for the measures
// of a sweep.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "engine/base/math.hpp"

namespace scree::plot {

struct BodyMotion {
  const Vector3 &position, &velocity, &spin;  // [m] of the centre of mass, [m/s], [rad/s]
  const Vector3& displacement;                // [m] from where it was at the start
};

struct Motion {
  const char* name;
  const char* quantity;
  const char* unit;
  double (*value)(const BodyMotion& body);
};

inline constexpr std::array motions = {
    Motion{"x", "position", "m", [](const BodyMotion& b) { return b.position.x(); }},
    Motion{"y", "position", "m", [](const BodyMotion& b) { return b.position.y(); }},
    Motion{"z", "position", "m", [](const BodyMotion& b) { return b.position.z(); }},
    Motion{"displacement", "displacement", "m",
           [](const BodyMotion& b) { return b.displacement.norm(); }},
    Motion{"vx", "velocity", "m/s", [](const BodyMotion& b) { return b.velocity.x(); }},
    Motion{"vy", "velocity", "m/s", [](const BodyMotion& b) { return b.velocity.y(); }},
    Motion{"vz", "velocity", "m/s", [](const BodyMotion& b) { return b.velocity.z(); }},
    Motion{"speed", "speed", "m/s", [](const BodyMotion& b) { return b.velocity.norm(); }},
    Motion{"spin", "spin", "rad/s", [](const BodyMotion& b) { return b.spin.norm(); }}};

// "up" against gravity; the third axis without gravity.
inline Vector3 upward(const Vector3& gravity) {
  return gravity.isZero(0.0) ? Vector3::UnitZ() : Vector3(-gravity.normalized());
}

// Height of the highest of the bodies that move, -infinity if none does.
template <class Moves>
double highest(const std::vector<Vector3>& position, const Vector3& up, const Moves& moves) {
  double height = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < position.size(); ++i) {
    if (moves(i)) height = std::max(height, up.dot(position[i]));
  }
  return height;
}

// Middle of the bodies that move.
template <class Moves>
Vector3 middle_of(const std::vector<Vector3>& position, const Moves& moves) {
  Vector3 middle = Vector3::Zero();
  double count = 0.0;
  for (std::size_t i = 0; i < position.size(); ++i) {
    if (moves(i)) middle += position[i], count += 1.0;
  }
  return middle / std::max(count, 1.0);
}

// Horizontal distance from `middle` of the farthest of the bodies that move.
template <class Moves>
double farthest(const std::vector<Vector3>& position, const Vector3& middle, const Vector3& up,
                const Moves& moves) {
  double distance = 0.0;
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Vector3 r = position[i] - middle;
    if (moves(i)) distance = std::max(distance, (r - up.dot(r) * up).norm());
  }
  return distance;
}

}  // namespace scree::plot
