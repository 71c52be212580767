// What can hold bodies up against gravity: fixed and driven bodies, by where they are.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"

namespace scree {

// Whether a moving body is locked against gravity: it neither falls nor gives way to what stands on
// it. Carriages and turntables do, and hold up others.
bool is_held_up(const Model& model, BodyIndex body);

// Whether a fixed, driven or held body may be below this one or be reached by it: false only when
// it is sure that it falls past all.
bool may_be_supported(const Model& model, const State& state, std::size_t body);

// Height [m] along minus gravity of the lowest point that can hold a body; -infinity where
// something without bounds holds all that falls, +infinity where nothing holds anything.
double lowest_support(const Model& model, const State& state);

// Height [m] of the highest point of what is fixed, driven or held; +infinity where something
// without bounds may be above a body, -infinity where there is nothing.
double highest_support(const Model& model, const State& state);

}  // namespace scree
