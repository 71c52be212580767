// What the integrator hands to the contact problem: inertia and velocities without contact impulses.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/math.hpp"

namespace scree {

// Structure of arrays [n_bodies], all at the poses of t_k.
struct FreeMotion {
  std::vector<Matrix3> R_WB;               // orientation
  std::vector<double> inverse_mass;        // [1/kg] 0: fixed or inactive
  std::vector<Matrix3> inverse_inertia_W;  // [1/(kg m2)] world axes
  std::vector<Vector3> v;                  // [m/s] velocity without contact impulses
  std::vector<Vector3> w_B;                // [rad/s] spin without contact impulses, gyroscopic term implicit
  std::vector<Vector3> gyroscopic_B;       // [N m s] -h w_theta x (J w_theta), frozen during a contact solve
  std::vector<std::uint8_t> spins;         // 1: moving with unequal moments, so the gyroscopic term can act

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
