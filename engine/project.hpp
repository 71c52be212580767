// Position correction: after the step, the smallest displacement in the mass metric that removes
// penetration beyond a slop.
//
//   min 1/2 |d|_M^2   subject to   gap_c + slop + (H_N d)_c >= 0
//
// a frictionless contact problem at position level, solved by the contact solver (w = H_N d + gap +
// slop, p in N s * s). Velocities and body spins are untouched; the potential energy it adds is a
// line of the ledger.
//
// Overlaps are those of the step's candidates: their points go with the bodies, their normals stay
// as they were at t_k. That is exact but for how far a normal turns in a step times how far the
// bodies slide in it; what is left, and pairs that were no candidates, shows when the next step's
// contacts are found, and is pushed out in that one.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"
#include "engine/workspace.hpp"

namespace scree {

// With frames in the middle of the step: gaps of the candidates at t_k, as far as their points and
// faces are still the same ones there, into work.start_gap. For what is told of them; laws go by
// those of the candidates, which are linear in time.
void find_start_gaps(const Model& model, const Settings& settings, const State& state,
                     Workspace& work);

// Does nothing unless settings.step.correction asks for it and something penetrates deeper than the
// slop.
void project(const Model& model, const Settings& settings, State& state, Workspace& work,
             StepRecord& record);

}  // namespace scree
