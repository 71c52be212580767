// The energy ledger: every joule of a step has a name, and what is left over is the balance.
//
//   dK = h F . v_theta + sum (p . u_theta + moment . spin_theta) + (1/2 - theta) |dv|_M^2
//
// Changes are summed from increments, not taken as differences of large totals, so that the balance
// of a wall at rest is as sharp as that of a flying rock.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"
#include "engine/workspace.hpp"

namespace scree {

// Energies of one body [J]; the potential is taken from the scene's origin. Zero for fixed bodies.
double kinetic_energy(const Model& model, const State& state, std::size_t body);
double potential_energy(const Model& model, const State& state, std::size_t body);

// Velocity (n,t,s) of contact c of the problem averaged over the step, with body velocities of its
// end as they are now: its product with the impulse is the contact's work.
Vector3 averaged_velocity(const Workspace& work, std::size_t c);

// The same of its relative spin [rad/s]: its product with the moment is the rest of that work.
Vector3 averaged_spin(const Workspace& work, std::size_t c);

StepRecord begin_record(const Settings& settings, const State& state);

// Works and balance of the step, from the velocities at both ends and the impulses. Call before the
// state advances.
void record_work(const Model& model, const Settings& settings, State& state, Workspace& work,
                 StepRecord& record);

// Energies at t_{k+1} and the energy scale. Call last.
void finish_record(const Model& model, State& state, StepRecord& record);

}  // namespace scree
