// Where driven bodies go: they move as prescribed, and nothing fixed or driven stops them.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/model/warnings.hpp"
#include "engine/settings.hpp"

namespace scree {

// Whether a motion is more than standing still.
bool is_driven_to_move(const MotionHistory& history);

// Warns of driven bodies that come to overlap fixed or driven ones, or such as are locked in the
// directions of their push, that they did not overlap at the start, by more than a share of the
// thinner one's extent. Looks at moments of the run, so that what is passed in between is not seen.
void warn_of_driven_paths(const Model& model, const Settings& settings, const State& state,
                          WarningLog& log);

}  // namespace scree
