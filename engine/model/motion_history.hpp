// Prescribed motion of a driven body: velocity and spin as functions of time, and the pose that
// they lead to.
#pragma once

#include <vector>

#include "engine/base/math.hpp"

namespace scree {

// What the table holds. An acceleration table is integrated exactly (its linear interpolation gives
// a velocity that is quadratic between two entries).
enum class HistoryKind { velocity, acceleration };

struct PrescribedVelocity {
  Vector3 v = Vector3::Zero();    // [m/s]
  Vector3 w_W = Vector3::Zero();  // [rad/s] world axes
};

// Integrals of the table's interpolation from t = 0 to one of its entries, once and twice.
struct HistoryIntegrals {
  Vector3 linear_1 = Vector3::Zero(), angular_1 = Vector3::Zero();
  Vector3 linear_2 = Vector3::Zero(), angular_2 = Vector3::Zero();
};

// Table over time, linearly interpolated, constant before the first and after the last entry. An
// acceleration acts from t = 0 on, so entries before that and after the last one contribute with
// their constant value.
struct MotionHistory {
  HistoryKind kind = HistoryKind::velocity;
  PrescribedVelocity start;      // velocity at t = 0 that an acceleration table adds to
  std::vector<double> time;      // [s] strictly increasing, at least one entry
  std::vector<Vector3> linear;   // [m/s] or [m/s2], world axes
  std::vector<Vector3> angular;  // [rad/s] or [rad/s2], world axes

  // By integrate(), so that a long table costs a search a step.
  std::vector<HistoryIntegrals> integrals = {};  // [n_entries]
  bool fixed_axis = true;                        // the spin keeps its direction, to round-off
};

// Fills the integrals. `history` has passed check_history.
void integrate(MotionHistory& history);

// Velocity at time t >= 0.
PrescribedVelocity velocity_at(const MotionHistory& history, double t);

// Mean velocity and mean spin from t to t + h, exact. The way of a step is h times this.
PrescribedVelocity mean_velocity(const MotionHistory& history, double t, double h);

// Way from t_0 to t_1 [m], and the integral of the spin [rad]. Exact.
PrescribedVelocity way_between(const MotionHistory& history, double t_0, double t_1);

// Rotation vector of the turn from t to t + h [rad, world axes]: R(t + h) = exp(turn) R(t). Exact
// for a fixed axis, with any number of revolutions. Else, between two entries of the table, the
// fourth-order Magnus expansion at the two Gauss points: turn = h (mean spin) + (sqrt(3)/12) h^2
// w(t_2) x w(t_1); of more than one entry the product is taken.
Vector3 turn_during(const MotionHistory& history, double t, double h);

// Throws InputError: empty, lengths that differ, times not increasing, values not finite.
void check_history(const MotionHistory& history);

}  // namespace scree
