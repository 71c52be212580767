// The parts of a step that find, assemble and solve contacts.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"
#include "engine/workspace.hpp"

namespace scree {

// How far a body's surface may move in one step [m]: h (|v| + |w| r) + h^2 |g| + 1 % of its radius.
constexpr double reach_slack = 0.01;  // [-] of the bounding radius

// Candidates at the poses of find_frames.
void detect(const Model& model, const Settings& settings, const State& state, Workspace& work,
            StepRecord& record);

// Candidates along whose normals neither body can give way, as both are locked there: guides hold
// them, and no impulse does anything. They are marked in work.held, and their gaps are infinite.
void find_held(Workspace& work);

// The start set of the activation rule.
void activate(const Model& model, const Settings& settings, const State& state, Workspace& work);

// The contact problem of the candidates in work.in_problem.
void assemble(const Model& model, const Settings& settings, const State& state, Workspace& work);

// Warm start from the impulses of the last step or of the one before it, whichever leaves the
// smaller residual: under `fremond` at theta = 1/2 tangential velocities at the level of the
// tolerance reverse every step, and with them the impulses.
void start_impulses(const State& state, Workspace& work);

// Impulses with the gyroscopic term frozen; less closely than the tolerance while many contacts are
// still being found (README.md, Activation).
void solve(const Model& model, const Settings& settings, const State& state, Workspace& work,
           StepRecord& record);

// Adds the candidates that the solved velocities would violate (`predict` only). True if there is
// something to solve again.
bool add_missed_contacts(const Model& model, const Settings& settings, const State& state,
                         Workspace& work, StepRecord& record);

// Contact residual at the end velocities. True if the step is done: the residual is met, or cannot
// be within the passes allowed. Else the gyroscopic impulse is frozen anew.
bool check_coupling(const Model& model, const Settings& settings, const State& state,
                    Workspace& work, StepRecord& record);

// Freezes the gyroscopic impulse at the end velocities.
void freeze_spins(const Model& model, const Settings& settings, const State& state,
                  Workspace& work);

// Impulses for the next step's warm start; none after a step without a solution.
void keep_impulses(const StepRecord& record, Workspace& work, State& state);

}  // namespace scree
