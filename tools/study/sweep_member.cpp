#include "tools/study/sweep_member.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>

#include "engine/base/check.hpp"
#include "engine/base/input_file.hpp"
#include "engine/base/version.hpp"
#include "engine/files/scene_text.hpp"
#include "engine/state_hash.hpp"
#include "engine/warning_words.hpp"
#include "scenes/arithmetic.hpp"
#include "scenes/read/scene_file.hpp"
#include "scenes/simulation.hpp"
#include "tools/study/member_run.hpp"
#include "tools/study/nothing.hpp"

namespace scree::study {
namespace {

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
  const bool converged = report.unconverged_steps == 0;
  MemberRow row = {std::string(converged ? "done" : "unconverged"),
                   std::string(name_of(report.end)),
                   report.time_end,
                   report.steps,
                   report.unconverged_steps,
                   warning_words(raised_warnings(report.warnings, body_names))};
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

namespace {

// Looks for runs whose scene can be read.
class SweepCheck {
 public:
  explicit SweepCheck(const SweepTask& task) : task_(task), plan_(task.plan) {}

  Scene check() {
    const std::optional<SweepRun> first = find([](const SweepRun&) { return true; });
    if (!first) throw InputError(why_ + advice());
    Scene scene = sweep_scene(task_, plan_.edits(*first));
    for (std::size_t k = 0; k < plan_.axes.size(); ++k) {
      for (const std::string& value : plan_.axes[k].values) check_value(*first, k, value);
    }
    why_.clear();
    if (plan_.draws() && !find_drawn([](const SweepRun&) { return true; }))
      throw InputError(why_ + advice());
    return scene;
  }

 private:
  static constexpr std::int64_t most_draws = 100;  // that are tried beside each choice of the lists

  // Keeps why the first of all cannot be read.
  bool can_be_read(const SweepRun& run) {
    try {
      sweep_scene(task_, plan_.edits(run));
      return true;
    } catch (const InputError& error) {
      if (why_.empty()) why_ = error.what();
      return false;
    }
  }

  template <class Wanted>
  std::optional<SweepRun> find_drawn(const Wanted& wanted) {
    const auto samples = static_cast<std::size_t>(plan_.samples);
    for (std::size_t i = 0; i < plan_.n_choices(); ++i) {
      for (std::size_t s = 0; s < std::min<std::size_t>(samples, most_draws); ++s) {
        SweepRun run = plan_.run(i * samples + s);
        if (wanted(run) && can_be_read(run)) return run;
      }
    }
    return std::nullopt;
  }

  // With the middles of distributions before their draws.
  template <class Wanted>
  std::optional<SweepRun> find(const Wanted& wanted) {
    for (std::size_t i = 0; i < plan_.n_choices(); ++i) {
      SweepRun run = plan_.choice(i);
      if (wanted(run) && can_be_read(run)) return run;
    }
    return plan_.draws() ? find_drawn(wanted) : std::nullopt;
  }

  // `first` can be read.
  void check_value(SweepRun first, std::size_t axis, const std::string& value) {
    if (first.values[axis] == value) return;
    first.values[axis] = value;
    why_.clear();
    if (can_be_read(first)) return;
    if (!find([&](const SweepRun& run) { return run.values[axis] == value; }))
      throw InputError(why_);
  }

  // Said behind a message when integers would have been right.
  std::string advice() {
    SweepRun run = plan_.run(0);
    bool any = false;
    for (std::size_t k = 0; k < plan_.axes.size(); ++k) {
      const SweepAxis& axis = plan_.axes[k];
      if (axis.kind != SweepAxis::Kind::uniform && axis.kind != SweepAxis::Kind::normal) continue;
      run.values[k] = fmt::format("{:.0f}", std::stod(run.values[k]));
      any = true;
    }
    return any && can_be_read(run) ? "; uniform_int(low,high) draws integers" : "";
  }

  const SweepTask& task_;
  const SweepPlan& plan_;
  std::string why_;
};

}  // namespace

Scene check_sweep(const SweepTask& task) { return SweepCheck(task).check(); }

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
  std::optional<Simulation> started;
  try {
    Scene scene = sweep_scene(task, task.plan.edits(task.plan.run(i)));
    MeasureRecorder recorder(task.measures, scene);
    Simulation& simulation = started.emplace(std::move(scene));
    simulation.observe([&](const StepView& view) { recorder(view); });
    const RunReport report = simulation.run(&stop);
    if (report.end == RunEnd::stopped) return std::nullopt;
    return row_of(report, recorder.values(), simulation.scene().model.name);
  } catch (const InputError& error) {
    return empty_row(task, "refused", error.what());
  } catch (const RunFailure& failure) {
    MemberRow row = empty_row(task, "failed", failure.what());
    const Scene& scene = started->scene();
    row[static_cast<std::size_t>(SweepColumn::warnings)] =
        warning_words(raised_warnings(scene.state.warnings, scene.model.name));
    return row;
  }
}

}  // namespace scree::study
