#include "engine/run.hpp"

#include <cmath>

#include "engine/base/limits.hpp"
#include "engine/base/stopwatch.hpp"
#include "engine/observe.hpp"
#include "engine/periodic_cell.hpp"
#include "engine/report.hpp"
#include "engine/scene_warnings.hpp"
#include "engine/state_hash.hpp"
#include "engine/step.hpp"
#include "engine/step_warnings.hpp"
#include "engine/stop_rule.hpp"

namespace scree {

namespace {

void require_finite(const Model& model, const State& state) {
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (state.x[i].allFinite() && state.q[i].coeffs().allFinite() && state.v[i].allFinite() &&
        state.w[i].allFinite()) {
      if (is_admitted_coordinate(state.x[i].cwiseAbs().maxCoeff())) continue;
      throw RunFailure("step " + std::to_string(state.step) +
                       " (t = " + std::to_string(state.time) + " s): body '" + model.name[i] +
                       "' is farther than 1e12 m from the origin");
    }
    throw RunFailure("step " + std::to_string(state.step) + " (t = " + std::to_string(state.time) +
                     " s): body '" + model.name[i] +
                     "' has a position or velocity that is not finite");
  }
}

// Positions may all be finite while their energies overflow; the ledger would then say nothing.
void require_finite(const StepRecord& record) {
  const LedgerRow& row = record.ledger;
  if (std::isfinite(row.kinetic) && std::isfinite(row.potential) && std::isfinite(row.balance) &&
      std::isfinite(row.energy_scale)) {
    return;
  }
  throw RunFailure("step " + std::to_string(record.step) + " (t = " + std::to_string(record.time) +
                   " s): the energies are not finite; speeds, heights or masses are too large");
}

}  // namespace

const char* name_of(RunEnd end) {
  switch (end) {
    case RunEnd::quiet:
      return "quiet";
    case RunEnd::wedged:
      return "wedged";
    case RunEnd::stopped:
      return "stopped";
    case RunEnd::finished:
      break;
  }
  return "finished";
}

RunReport run(const Model& model, const Settings& settings, State& state,
              std::span<const Observer> observers, const std::atomic<bool>* stop) {
  check_settings(model, settings);
  check_motion(model, settings, state);
  check_cell(model, settings, state);
  enter_cell(model, state);
  Workspace work(model, settings);
  RunStatistics statistics;
  Stopwatch total, recording;
  if (state.step == 0) state.warnings.set_raised(warnings_of_scene(model, settings, state));
  renew_late_warnings(model, settings, state.warnings);
  const StepRecord start = first_record(model, state);
  require_finite(start);
  observe(model, settings, state, start, work, observers);
  statistics.add_recording(recording.lap());

  // Read once a step, so that what observers are told and what the loop does never differ.
  const auto asked_to_stop = [stop] {
    return stop != nullptr && stop->load(std::memory_order_relaxed);
  };
  bool stopping = asked_to_stop();
  const std::int64_t last_step = settings.time.last_step();
  // The state that a run goes on from may be its end: the rule says the same of it as when the run
  // was there.
  bool quiet = !state.window_x.empty() && is_quiet(model, settings.stop, state);
  bool wedged = is_wedged(settings.stop, state);
  while (state.step < last_step && !stopping && !quiet && !wedged) {
    const StepRecord record = step(model, settings, state, work);
    require_finite(model, state);
    require_finite(record);
    statistics.add(record);
    recording.lap();
    stopping = asked_to_stop();
    quiet = is_quiet(model, settings.stop, state);
    wedged = is_wedged(settings.stop, state);
    observe(model, settings, state, record, work, observers,
            stopping || quiet || wedged || state.step >= last_step);
    statistics.add_recording(recording.lap());
  }

  RunReport report = statistics.report();
  if (report.steps == 0) {
    report.energy.kinetic = start.ledger.kinetic;
    report.energy.potential = start.ledger.potential;
    report.energy.energy_scale = start.ledger.energy_scale;
  }
  report.end = quiet                                ? RunEnd::quiet
               : wedged                             ? RunEnd::wedged
               : stopping && state.step < last_step ? RunEnd::stopped
                                                    : RunEnd::finished;
  report.warnings = state.warnings;
  if (report.end != RunEnd::stopped) warn_of_run(model, settings, state, quiet, report.warnings);
  report.departures = departures_of(model, state, settings.time.dt);
  report.bodies = model.n_bodies();
  report.time_end = state.time;
  report.threads = work.executor.threads();
  report.backend = work.executor.backend();
  report.seconds_total = total.lap();
  report.state_hash = state_hash(state);
  report.resume_hash = resume_hash(state);
  return report;
}

}  // namespace scree
