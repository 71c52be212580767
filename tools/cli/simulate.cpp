#include "tools/cli/simulate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <exception>

#include "contact/solver/names.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/progress.hpp"
#include "tools/cli/stop_signal.hpp"
#include "tools/common/console.hpp"
#include "tools/common/warnings.hpp"

namespace scree {
namespace {

RunReport run_and_record(CommandRun& run) {
  Progress progress(isatty(STDERR_FILENO) == 1);
  if (run.dump) run.simulation.observe([&](const StepView& view) { run.dump->update(view); });
  run.simulation.observe([&](const StepView& view) { progress.update(view); });
  return run.simulation.run(&stop_on_signal());
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
  } else if (report.end == RunEnd::wedged) {
    notice(
        "Stopped at t = {:.9g} s: {} steps on end had no solution, as bodies are wedged (above); "
        "{} is finished there. With [stop] wedged_steps = 0 a run goes on.\n",
        report.time_end, run.scene.settings.stop.wedged_steps, run.file);
  } else if (run.scene.settings.stop.wanted()) {
    notice("Not quiet at t = {:.9g} s, the end of the run.\n", report.time_end);
  }
  if (report.unconverged_steps == 0) return exit_done;
  notice("{} of {} steps did not reach the tolerance {:g}; worst residual {:.3g} ({}).\n",
         report.unconverged_steps, report.steps, run.scene.settings.step.solver.tolerance,
         report.worst_residual, contact::name_of(run.scene.settings.step.solver.measure));
  return exit_unconverged;
}

}  // namespace

int simulate(CommandRun& run) {
  const Simulation& simulation = run.simulation;
  RunReport report;
  try {
    report = run_and_record(run);
  } catch (const std::exception& error) {
    const Scene& scene = simulation.scene();
    const std::vector<RecordedWarning> warnings =
        raised_warnings(scene.state.warnings, scene.model.name);
    write_notice(warnings_text(warnings));
    if (run.json) {
      nlohmann::ordered_json json =
          failure_json(scene.source_name, scene.title, simulation.file(), reason_of(error));
      json["warnings"] = warnings_json(warnings, scene.model.name);
      write_json(json);
    }
    throw;
  }
  const RunSummary summary{simulation.scene(), simulation.file(), report, run.resumed_at,
                           simulation.disturbances()};
  (run.json ? write_notice : write_output)(summary_table(summary));
  if (run.json) write_json(summary_json(summary));
  if (run.dump) {
    notice("{} contact problems written to {}.\n", run.dump->written(), run.dump->folder());
  }
  const int code = conclude(summary);
  for (const std::string& disturbance : summary.disturbances) notice("{}.\n", disturbance);
  return summary.disturbances.empty() ? code : exit_failed;
}

}  // namespace scree
