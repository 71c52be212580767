// Bodies of a periodic world stay in its cell: what leaves it goes on as the image that enters.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"
#include "engine/workspace.hpp"

namespace scree {

// The start of a run: bodies are put into the cell, and counts of periods begin. Does nothing to a
// state that has them.
void enter_cell(const Model& model, State& state);

// The end of a step, after all that compares it with its beginning. What images of a sheared world
// bring along is added to the ledger.
void stay_in_cell(const Model& model, const Settings& settings, State& state, Workspace& work,
                  StepRecord& record);

// Where a body would be, had it gone on from the start without leaving the cell [m].
inline Vector3 path_end(const Cell& cell, const State& state, std::size_t body) {
  if (state.image.empty()) return state.x[body];
  return state.x[body] + cell.offset(state.image[body], state.image_shift);
}

// Throws RunFailure if a body may come farther than half a period in the step.
void check_reach(const Model& model, const State& state, double h, const Workspace& work);

// What a periodic world cannot hold. Throws InputError("FIELD: what is wrong").
void check_cell(const Model& model, const Settings& settings, const State& state);

}  // namespace scree
