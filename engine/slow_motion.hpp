// Which bodies are at rest or about to stop.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/workspace.hpp"

namespace scree {

// [m/s] Ten times what a body gains by falling for a step, or by what pulls besides: blocks of a
// wall stop from up to (2 courses - 1) mu h |g| within a step, as each bears the courses above it.
inline double slow_speed(const Settings& settings, const Workspace& work) {
  return 10.0 * settings.time.dt * work.pull;
}

inline bool is_moved_by_contacts(const Workspace& work, std::size_t i) {
  return work.free.inverse_mass[i] > 0.0;
}

// Whether no point of body i, which contacts move, is faster than `speed` [m/s].
inline bool moves_slowly(const Model& model, const State& state, std::size_t i, double speed) {
  return state.v[i].norm() + model.radius[i] * state.w[i].norm() <= speed;
}

}  // namespace scree
