// The parts of a step that move bodies.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"
#include "engine/workspace.hpp"

namespace scree {

// What driven bodies do in this step, and their velocities at t_k as contacts see them.
void drive(const Model& model, const Settings& settings, State& state, Workspace& work);

// What loads and the field besides gravity do in this step, and work.pull.
void apply_loads(const Model& model, const Settings& settings, const State& state, Workspace& work);

// Velocities at t_k and those without contact impulses.
void free_motion(const Model& model, const Settings& settings, const State& state, Workspace& work);

// Velocities at t_{k+1} with the impulses work.p; spins to round-off, or marked in work.end.
void end_velocities(const Model& model, const Settings& settings, const State& state,
                    Workspace& work);

void advance(const Model& model, const Settings& settings, Workspace& work, State& state);

}  // namespace scree
