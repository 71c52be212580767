#include "engine/stop_rule.hpp"

#include <cmath>

namespace scree {
namespace {

// Bound on the displacement [m] of any point of the body since the window began.
double displacement(const Model& model, const State& state, std::size_t i) {
  const Quaternion turn = state.q[i] * state.window_q[i].conjugate();
  return (state.x[i] - state.window_x[i]).norm() +
         2.0 * model.radius[i] * turn.vec().norm();  // chord 2 r sin(angle / 2)
}

void start_window(State& state) {
  state.window_start = state.time;
  state.window_x = state.x;
  state.window_q = state.q;
}

}  // namespace

bool is_quiet(const Model& model, const StopSettings& stop, State& state) {
  if (!stop.wanted()) return false;
  if (state.window_x.empty() || state.time <= stop.after) {
    start_window(state);
    return false;
  }
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (model.kind[i] != BodyKind::dynamic || state.active[i] == 0) continue;
    if (displacement(model, state, i) <= stop.displacement) continue;
    start_window(state);
    return false;
  }
  return state.time - state.window_start >= stop.window * (1.0 - 1e-12);
}

void note_wedged(const StepRecord& record, State& state) {
  if (record.wedged[0] >= 0)
    ++state.wedged_on_end;
  else if (record.converged)
    state.wedged_on_end = 0;
}

bool is_wedged(const StopSettings& stop, const State& state) {
  return stop.wedged_steps > 0 && state.wedged_on_end >= stop.wedged_steps;
}

}  // namespace scree
