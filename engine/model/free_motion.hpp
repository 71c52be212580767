// What the integrator hands to the contact problem: inertia and velocities without contact
// impulses.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/math.hpp"
#include "engine/model/motion_history.hpp"

namespace scree {

// What a driven body does in one step, from its history.
struct DrivenStep {
  Vector3 x_1 = Vector3::Zero();  // [m] pose at t_{k+1}
  Quaternion q_1 = Quaternion::Identity();
  PrescribedVelocity at_end;  // the history's at t_{k+1}

  // As contacts see it: `mean` is the way of the step over h, and the spin that the rotation update
  // turns into the turn of the step; `begin` and `end` are the history's at t_k and t_{k+1}, both
  // shifted so that their theta mean is `mean`.
  PrescribedVelocity mean, begin, end;

  bool turns = false;
  double angle = 0.0;                        // [rad]
  Matrix3 turn = Matrix3::Identity();        // R_{k+1} R_k^T
  Matrix3 half_turn = Matrix3::Identity();   // half of it, about the same axis
  Matrix3 frame_turn = Matrix3::Identity();  // 1 - theta of it, where the step turns in two parts
  Matrix3 mean_arm =
      Matrix3::Identity();  // mean.w_W x (mean_arm r) = (turn - 1) r / h, for any arm r at t_k
  Matrix3 bend = Matrix3::Zero();  // [1/s] bend X: change in the step of the velocity that a rider
                                   // at X from the centre has when (1 - theta) v_k + theta v_k1 =
                                   // (turn - 1) X / h for ever
};

// What the forces of a steered body's own do in one step.
struct SteeredStep {
  Vector3 impulse_W = Vector3::Zero();  // [N s] of its loads
  Vector3 angular_B = Vector3::Zero();  // [N m s] of its loads, about the centre of mass, axes B
  double theta = 0.5;                   // [-] weight with which drag is implicit
  Vector3 inertia = Vector3::Zero();    // [kg m2] J + h theta angular drag: what a torque turns
  Vector3 turning_B = Vector3::Zero();  // [N m s] angular_B less the drag of the spin at t_k
};

// Structure of arrays [n_bodies], all at the poses of t_k.
struct FreeMotion {
  std::vector<Matrix3> R_WB;               // orientation
  std::vector<double> inverse_mass;        // [1/kg] 0: fixed or inactive
  std::vector<Matrix3> inverse_inertia_W;  // [1/(kg m2)] world axes
  std::vector<Vector3> v;                  // [m/s] velocity without contact impulses
  std::vector<Vector3> w_B;  // [rad/s] spin without contact impulses, gyroscopic term implicit
  std::vector<Vector3>
      gyroscopic_B;  // [N m s] -h w_theta x (J w_theta), frozen during a contact solve
  std::vector<std::uint8_t>
      spins;                       // 1: moving with unequal moments, so the gyroscopic term can act
  std::vector<DrivenStep> driven;  // [n_histories] by number of the history
  std::vector<SteeredStep> steered;      // [n_steered] by number in Model::steered
  std::vector<Vector3> directions;       // [n_bodies] along which each can move, 1 or 0; empty: all
  Vector3 field_gain = Vector3::Zero();  // [m/s] that the field besides gravity gives every body

  void resize(std::size_t n) {
    R_WB.resize(n), inverse_mass.resize(n), inverse_inertia_W.resize(n), v.resize(n), w_B.resize(n);
    gyroscopic_B.resize(n), spins.resize(n);
  }
};

// Velocities of all bodies, structure of arrays [n_bodies]; spin in the axes that the suffix names.
struct Velocities {
  std::vector<Vector3> v;    // [m/s] world axes
  std::vector<Vector3> w_B;  // [rad/s] body axes
  std::vector<Vector3> w_W;  // [rad/s] world axes at the poses of t_k

  std::vector<std::uint8_t> spin_unsolved;  // 1: the spin equation has an error beyond round-off

  void resize(std::size_t n) { v.resize(n), w_B.resize(n), w_W.resize(n), spin_unsolved.resize(n); }
};

}  // namespace scree
