// Prescribed motion of a driven body: velocity and spin as functions of time.
#pragma once

#include <vector>

#include "engine/model/math.hpp"

namespace scree {

// What the table holds. An acceleration table is integrated exactly (its linear interpolation gives a velocity that is
// quadratic between two entries).
enum class HistoryKind { velocity, acceleration };

struct PrescribedVelocity {
  Vector3 v = Vector3::Zero();     // [m/s]
  Vector3 w_W = Vector3::Zero();   // [rad/s] world axes
};

// Table over time, linearly interpolated, constant before the first and after the last entry. An acceleration acts from
// t = 0 on, so entries before that and after the last one contribute with their constant value.
struct MotionHistory {
  HistoryKind kind = HistoryKind::velocity;
  PrescribedVelocity start;        // velocity at t = 0 that an acceleration table adds to
  std::vector<double> time;        // [s] strictly increasing, at least one entry
  std::vector<Vector3> linear;     // [m/s] or [m/s2], world axes
  std::vector<Vector3> angular;    // [rad/s] or [rad/s2], world axes
};

// Velocity at time t >= 0.
PrescribedVelocity velocity_at(const MotionHistory& history, double t);

// Throws InputError: empty, lengths that differ, times not increasing, values not finite.
void check_history(const MotionHistory& history);

}  // namespace scree
