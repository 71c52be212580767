// What can hold bodies up against gravity: fixed and driven bodies, by where they are.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"

namespace scree {

// Whether a fixed or driven body may be below this one or be reached by it: false only when it is
// sure that it falls past all.
bool may_be_supported(const Model& model, const State& state, std::size_t body);

// Height [m] along minus gravity of the lowest point that can hold a body; -infinity where
// something without bounds holds all that falls, +infinity where nothing holds anything.
double lowest_support(const Model& model, const State& state);

}  // namespace scree
