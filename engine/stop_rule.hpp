// Ends a run once everything has come to rest.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"

namespace scree {

// True when the window that the state carries is over and no moving body left its place in it;
// called after each step. A body that leaves starts a new window. Bodies that are not active do not
// count.
bool is_quiet(const Model& model, const StopSettings& stop, State& state);

}  // namespace scree
