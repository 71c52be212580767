// Position correction: after the step, the smallest displacement in the mass metric that removes penetration beyond a slop.
//
//   min 1/2 |d|_M^2   subject to   gap_c + slop + (H_N d)_c >= 0
//
// a frictionless contact problem at position level, solved by the contact solver (w = H_N d + gap + slop, p in N s * s).
// Velocities and body spins are untouched; the potential energy it adds is a line of the ledger.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"
#include "engine/workspace.hpp"

namespace scree {

// Does nothing unless settings.step.correction asks for it and something penetrates deeper than the slop.
void project(const Model& model, const Settings& settings, State& state, Workspace& work, StepRecord& record);

}  // namespace scree
