// What one step did: counts, residuals, times and the energy ledger's row.
#pragma once

#include <array>
#include <cstdint>

#include "contact/laws/laws.hpp"
#include "contact/solver/solver.hpp"
#include "engine/base/indices.hpp"
#include "engine/model/warnings.hpp"

namespace scree {

// Energies at the end of a step and work done during it [J]. `balance` = dK + dU - (all work
// terms), zero to round-off.
struct LedgerRow {
  double kinetic = 0.0, potential = 0.0;  // at t_{k+1}; U from the scene's origin
  double external_work = 0.0;             // loads, and the field besides gravity
  double drag_work = 0.0;                 // <= 0
  double driven_work = 0.0;
  double shear_work = 0.0;               // of the images of a sheared periodic world
  double contact_normal_work = 0.0;      // sum of u_N,theta p_N
  double contact_tangential_work = 0.0;  // sum of u_T,theta . p_T
  double contact_rolling_work = 0.0;     // sum of moment . relative spin_theta
  std::array<double, contact::Laws::n_energies> law_energy = {};  // as contact::Laws::energies says
  double numerical_dissipation = 0.0;                             // (1/2 - theta) |dv|_M^2
  double projection_work = 0.0;  // potential energy added by the position correction
  double event_energy = 0.0;     // K + U of bodies that appeared, less that of bodies that vanished
                                 // or left
  double max_normal_work = 0.0,
         min_normal_work = 0.0;  // largest (>= 0) and most negative (<= 0) over contacts
  double max_tangential_work = 0.0, min_tangential_work = 0.0;
  double max_rolling_work = 0.0, min_rolling_work = 0.0;
  double balance = 0.0;
  double energy_scale = 0.0;  // largest K + |U - U_0 - event U| so far
};

struct StepRecord {
  std::int64_t step = 0;        // number of the step, from 1
  double time = 0.0;            // [s] at its end
  std::int64_t candidates = 0;  // contacts found
  std::int64_t contacts = 0;    // contacts that entered the problem
  std::int64_t iterations = 0;  // sweeps, all passes together
  int passes = 0;               // solves for the gyroscopic coupling
  int rounds = 0;  // times that the problem was solved again: contacts were missing, or the solve
                   // had stopped short for such
  int reversions = 0;           // damped contacts that went back to the published law
  contact::Residuals residual;  // at the velocities kept
  bool converged = true;        // the tolerance is met, or what is left is round-off
  bool round_off = false;       // the tolerance is not met, and what is left is round-off
  double stop_value = 0.0;      // [-] what is compared with the tolerance
  std::array<BodyIndex, 2> wedged = {
      -1, -1};  // the step has no solution: the bodies of the contact whose impulse grows most
  bool from_zero = false;        // a solve found its start of no use, and began at p = 0
  double max_penetration = 0.0;  // [m] largest -gap among the contacts of t_k, >= 0
  std::int64_t caught = 0;  // bodies whose way in this step ended at a touch (caught_bodies.hpp)
  double projection_residual = 0.0;  // `scaled`, of the position correction
  bool projection_converged = true;
  double seconds_detect = 0.0, seconds_assemble = 0.0, seconds_solve = 0.0, seconds_advance = 0.0;
  LedgerRow ledger;
  WarningLog warnings;  // raised in this step
};

}  // namespace scree
