#include "tools/study/sweep_member.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <limits>
#include <mutex>

#include "engine/base/check.hpp"
#include "engine/base/input_file.hpp"
#include "engine/base/version.hpp"
#include "engine/files/scene_text.hpp"
#include "engine/state_hash.hpp"
#include "scenes/arithmetic.hpp"
#include "scenes/read/scene_edits.hpp"
#include "scenes/read/scene_file.hpp"
#include "scenes/simulation.hpp"
#include "tools/study/member_run.hpp"

namespace scree::study {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// A row of a run that has no results.
MemberRow empty_row(const SweepTask& task, const char* status, const std::string& message) {
  MemberRow row = {status, std::string(), nothing, std::int64_t{0}, std::int64_t{0}, std::string()};
  row.resize(first_measure + task.measures.size(), nothing);
  row.emplace_back(std::string());
  row.emplace_back(message);
  return row;
}

MemberRow row_of(const RunReport& report, const std::vector<double>& measures,
                 const std::vector<std::string>& body_names) {
  std::vector<std::string> warnings;
  for (const RecordedWarning& warning : raised_warnings(report.warnings, body_names))
    warnings.push_back(warning.id);
  const bool converged = report.unconverged_steps == 0;
  MemberRow row = {std::string(converged ? "done" : "unconverged"),
                   std::string(report.end == RunEnd::quiet ? "quiet" : "finished"),
                   report.time_end,
                   report.steps,
                   report.unconverged_steps,
                   fmt::format("{}", fmt::join(warnings, " "))};
  row.insert(row.end(), measures.begin(), measures.end());
  row.emplace_back(report.state_hash);
  row.emplace_back(converged ? std::string()
                             : fmt::format("{} of {} steps did not reach the tolerance",
                                           report.unconverged_steps, report.steps));
  return row;
}

}  // namespace

Scene sweep_scene(const SweepTask& task, const std::vector<std::string>& edits) {
  const std::filesystem::path folder = std::filesystem::path(task.scene_name).parent_path();
  const auto one_thread = [](Scene& scene) {
    scene.settings.threads = 1;
    scene.settings.backend = Backend::serial;
  };
  Scene scene = parse_scene(
      task.scene_text, task.scene_name,
      [&](const std::string& name) { return read_input_file((folder / name).string()); },
      {one_thread, {}, edits});
  if (!scene.initial_from.empty()) {
    const std::lock_guard lock(hdf5());
    take_initial_state(scene);
  }
  refuse_off_terrain(scene);
  return scene;
}

Scene check_sweep(const SweepTask& task) {
  const SweepRun first = task.plan.typical();
  Scene scene = sweep_scene(task, task.plan.edits(first));
  for (std::size_t k = 0; k < task.plan.axes.size(); ++k) {
    const SweepAxis& axis = task.plan.axes[k];
    SweepRun run = first;
    for (std::size_t v = 1; v < axis.values.size(); ++v) {
      run.values[k] = axis.values[v];
      try {
        sweep_scene(task, task.plan.edits(run));
      } catch (const InputError& error) {
        // Whatever else is wrong may be right with other values, and is a row otherwise.
        if (std::string_view(error.what()).starts_with(scenes::edit_option)) throw;
      }
    }
  }
  return scene;
}

MemberTable sweep_members(const SweepTask& task, const Scene& scene) {
  using Kind = MemberColumn::Kind;
  MemberTable table;
  table.identity =
      fmt::format("sweep 1\n{}\n{}\n{}\n{}\n", program_name(), arithmetic_fingerprint(),
                  scene_hash(scene.source, scene.files), state_hash(scene.state));
  for (std::size_t i = 0; i < task.plan.n_runs(); ++i) {
    const SweepRun run = task.plan.run(i);
    table.key.push_back(fmt::format("{} {}", run.sample, fmt::join(task.plan.edits(run), " ")));
  }
  table.columns = {{Kind::text, "status", ""},
                   {Kind::text, "end", ""},
                   {Kind::number, "t_end", "s"},
                   {Kind::count, "steps", ""},
                   {Kind::count, "unconverged_steps", ""},
                   {Kind::text, "warnings", ""}};
  for (const SweepMeasure& measure : task.measures)
    table.columns.push_back({Kind::number, measure.text, measure.unit});
  table.columns.push_back({Kind::text, "state_hash", ""});
  table.columns.push_back({Kind::text, "message", ""});
  return table;
}

std::optional<MemberRow> run_sweep_member(const SweepTask& task, std::size_t i,
                                          const std::atomic<bool>& stop) {
  try {
    Scene scene = sweep_scene(task, task.plan.edits(task.plan.run(i)));
    MeasureRecorder recorder(task.measures, scene);
    Simulation simulation(std::move(scene));
    simulation.observe([&](const StepView& view) { recorder(view); });
    const RunReport report = simulation.run(&stop);
    if (report.end == RunEnd::stopped) return std::nullopt;
    return row_of(report, recorder.values(), simulation.scene().model.name);
  } catch (const InputError& error) {
    return empty_row(task, "refused", error.what());
  } catch (const RunFailure& failure) {
    return empty_row(task, "failed", failure.what());
  }
}

}  // namespace scree::study
