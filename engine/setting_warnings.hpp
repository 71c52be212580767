// Warnings of what a run is asked for besides its bodies: times, the stop rule, devices.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/model/warnings.hpp"
#include "engine/settings.hpp"
#include "engine/suggested_step.hpp"

namespace scree {

inline constexpr double short_step_limit = 1000.0;  // [-] the suggested dt over dt
inline constexpr std::int64_t most_steps = 50'000'000;
inline constexpr double quiet_share = 0.1;  // [-] of sqrt(g size), or of the speed at the start
inline constexpr double far_share = 3.0;    // [-] of the way at the speed of start and fall

// Of a step that is far too short, and of too many of them.
void warn_of_times(const SuggestedStep& suggested, const Settings& settings, WarningLog& log);

// Of a stop rule that takes what moves for quiet.
void warn_of_stop_rule(const Model& model, const Settings& settings, const State& state,
                       WarningLog& log);

// Of gauges and screens that no body can come to.
void warn_of_devices(const Model& model, const Settings& settings, const State& state,
                     const SuggestedStep& suggested, WarningLog& log);

}  // namespace scree
