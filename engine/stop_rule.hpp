// Ends a run once everything has come to rest, or when its steps have no solution any more.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"

namespace scree {

// True when the window that the state carries is over and no moving body left its place in it;
// called after each step. A body that leaves starts a new window. Bodies that are not active do not
// count.
bool is_quiet(const Model& model, const StopSettings& stop, State& state);

// Counts in the state the steps on end that had no solution; called after each step. A step that
// merely did not converge tells nothing and leaves the count.
void note_wedged(const StepRecord& record, State& state);

// True when so many steps on end had no solution that the run ends: what driven bodies press
// together then only gets deeper into each other.
bool is_wedged(const StopSettings& stop, const State& state);

}  // namespace scree
