// Shows a finished step to the observers of a run.
#pragma once

#include <span>

#include "engine/run.hpp"
#include "engine/workspace.hpp"

namespace scree {

// Record of the state before the first step: energies, no contacts.
StepRecord first_record(const Model& model, State& state);

// Derives tangents, world impulses and contact status, and calls each observer. Does nothing
// without observers.
void observe(const Model& model, const Settings& settings, const State& state,
             const StepRecord& record, Workspace& work, std::span<const Observer> observers,
             bool last = false);

}  // namespace scree
