#include "tools/cli/simulate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <filesystem>

#include "tools/cli/commands.hpp"
#include "tools/cli/progress.hpp"
#include "tools/cli/stop_signal.hpp"
#include "tools/cli/summary.hpp"
#include "tools/common/arithmetic.hpp"
#include "tools/common/checkpoints.hpp"
#include "tools/common/console.hpp"
#include "tools/common/version.hpp"

namespace scree {
namespace {

RunReport run_and_record(Simulation& simulation, ResultWriter& writer) {
  Scene& scene = simulation.scene;
  Progress progress(isatty(STDERR_FILENO) == 1);
  Checkpoints checkpoints(scene.settings.checkpoint,
                          {program_name(), scene.source_name, scene.source, simulation.overrides,
                           "", simulation.start_hash, scene.files, true, arithmetic_fingerprint()},
                          writer);
  const std::int64_t first = simulation.resumed_at ? scene.state.step + 1 : 0;
  const std::array<Observer, 4> observers = {
      [&](const StepView& view) {
        if (view.record.step >= first) writer.record(view, view.last);
      },
      [&](const StepView& view) {
        if (simulation.dump && view.record.step >= first) simulation.dump->update(view);
      },
      [&](const StepView& view) { checkpoints.update(view.state); },
      [&](const StepView& view) { progress.update(view); }};
  const std::atomic<bool>& stop_asked = stop_on_signal();
  try {
    const RunReport report = run(scene.model, scene.settings, scene.state, observers, &stop_asked);
    const bool stopped = report.end == RunEnd::stopped;
    checkpoints.finish(scene.state, stopped);
    writer.finish(report);
    if (!stopped) checkpoints.conclude();
    progress.finish();
    simulation.file = writer.path();
    return report;
  } catch (const RunFailure& failure) {
    progress.finish();
    writer.fail(std::string("run failed: ") + failure.what());
    throw RunFailure(fmt::format("{}; {}", failure.what(), writer.readable()));
  } catch (const CheckpointFailure& failure) {
    progress.finish();
    writer.fail(std::string("writing failed: ") + failure.what());
    const std::string old =
        checkpoints.time() < 0.0
            ? ""
            : fmt::format("the checkpoint of t = {:.9g} s is intact; ", checkpoints.time());
    throw CheckpointFailure(fmt::format("{}; {}{}", failure.what(), old, writer.readable()));
  } catch (const RecordingFailure&) {
    progress.finish();
    throw;
  }
}

// Says how the run ended and returns the exit code.
int conclude(const RunSummary& run) {
  const RunReport& report = run.report;
  if (report.end == RunEnd::stopped) {
    notice("Stopped by a signal at t = {:.9g} s; {} is readable up to there.\n", report.time_end,
           run.file);
    notice("scree resume {} goes on from there.\n", checkpoint_path(run.file));
    return exit_failed;
  }
  if (report.end == RunEnd::quiet) {
    const StopSettings& stop = run.scene.settings.stop;
    notice("Quiet at t = {:.9g} s: nothing moved by more than {:g} m in {:g} s.\n", report.time_end,
           stop.displacement, stop.window);
  } else if (run.scene.settings.stop.wanted()) {
    notice("Not quiet at t = {:.9g} s, the end of the run.\n", report.time_end);
  }
  if (report.unconverged_steps == 0) return exit_done;
  notice("{} of {} steps did not reach the tolerance {:g}; worst residual {:.3g} ({}).\n",
         report.unconverged_steps, report.steps, run.scene.settings.step.solver.tolerance,
         report.worst_residual, measure_name(run.scene.settings.step.solver.measure));
  return exit_unconverged;
}

}  // namespace

int simulate(Simulation& simulation, ResultWriter& writer) {
  RunReport report;
  try {
    report = run_and_record(simulation, writer);
  } catch (const std::exception& error) {
    if (simulation.json) write_json(failure_json(simulation.scene, simulation.file, error.what()));
    throw;
  }
  const RunSummary summary{simulation.scene, simulation.file, report, simulation.resumed_at,
                           writer.disturbances()};
  (simulation.json ? write_notice : write_output)(summary_table(summary));
  if (simulation.json) write_json(summary_json(summary));
  if (simulation.dump) {
    notice("{} contact problems written to {}.\n", simulation.dump->written(),
           simulation.dump->folder());
  }
  const int code = conclude(summary);
  for (const std::string& disturbance : summary.disturbances) notice("{}.\n", disturbance);
  return summary.disturbances.empty() ? code : exit_failed;
}

}  // namespace scree
