// Warnings that a step, or the run so far, gives.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"
#include "engine/workspace.hpp"

namespace scree {

// Limits beyond which a step is warned of.
inline constexpr double overlap_limit = 0.1;  // [-] of the thinnest extent
inline constexpr double motion_limit =
    0.5;  // [-] of the thinnest extent, between bodies in contact, in a step
inline constexpr double spin_limit = 0.5;  // [rad] in a step
inline constexpr double work_limit =
    100.0;  // [-] positive work of a contact over what the residual lets pass
inline constexpr double balance_limit = 1e-9;     // [-] of the energy scale
inline constexpr double projection_limit = 1e-3;  // [-] of the energy scale, in a step
inline constexpr double sinking_limit = 1e-3;     // [-] of the thinnest extent
inline constexpr double crush_limit = 1000.0;     // [-] of the weight of all moving bodies
inline constexpr double impact_limit =
    10.0;  // [-] of all moving masses times the largest speed at a contact
inline constexpr double flown_limit = 20.0;              // [-] of a body's size, above all else
inline constexpr double quiet_energy = 0.01;             // [-] of m g size, of a body at rest
inline constexpr double lively_share = 0.1;              // [-] of the energy scale, of all bodies
inline constexpr std::int64_t steps_between_looks = 64;  // at where all bodies are
inline constexpr std::int64_t steps_between_turns = 16;  // at which of them turn back

// Raises in `record` what the step gives, and notes which bodies turned back. Call after its works
// are recorded and before poses move on. No allocation.
void warn_of_step(const Model& model, const Settings& settings, const Workspace& work, State& state,
                  StepRecord& record);

// Adds what the step raised to the state's log and, now and then, looks where the bodies are. Call
// last.
void keep_warnings(const Model& model, const Settings& settings, const Workspace& work,
                   StepRecord& record, State& state);

// What is known once a run has come to its end; `quiet`: the stop rule ended it.
void warn_of_run(const Model& model, const Settings& settings, const State& state, bool quiet,
                 WarningLog& log);

}  // namespace scree
