// One time step of the Moreau-Jean scheme with contacts (engine/README.md has the equations).
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"
#include "engine/workspace.hpp"

namespace scree {

// Advances `state` from t_k to t_{k+1} = t_k + h. `work` keeps nothing that the next step needs.
// Does not allocate once warm. A step whose residual is not met is reported, never hidden.
[[nodiscard]] StepRecord step(const Model& model, const Settings& settings, State& state,
                              Workspace& work);

// The middle of a step: from the candidates in `work.contacts`, however these
// were found after find_frames, to the impulses `work.p` and the velocities `work.end` at
// t_{k+1}. Poses and velocities in `state` stay.
void solve_candidates(const Model& model, const Settings& settings, const State& state,
                      Workspace& work, StepRecord& record);

}  // namespace scree
