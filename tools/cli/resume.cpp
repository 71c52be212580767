// scree resume: goes on from a checkpoint, bit for bit.
#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "engine/base/check.hpp"
#include "engine/base/version.hpp"
#include "engine/files/checkpoint_checks.hpp"
#include "engine/files/output_claim.hpp"
#include "engine/files/result_reader.hpp"
#include "engine/files/twin_file.hpp"
#include "engine/state_hash.hpp"
#include "engine/stop_rule.hpp"
#include "scenes/arithmetic.hpp"
#include "scenes/read/scene_file.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/run_overrides.hpp"
#include "tools/cli/simulate.hpp"
#include "tools/cli/stop_signal.hpp"
#include "tools/cli/summary.hpp"
#include "tools/common/console.hpp"
#include "tools/common/exit_codes.hpp"
#include "tools/common/output_path.hpp"

namespace scree {
namespace {

struct ResumeOptions {
  std::string checkpoint, out;
  bool force = false, json = false;
  RunOverrides overrides;
};

// Options of this command win over those of the run's.
RunOverrides merge(RunOverrides run, const RunOverrides& resume) {
  if (resume.t_end) run.t_end = resume.t_end;
  if (resume.backend) run.backend = resume.backend;
  if (resume.threads) run.threads = resume.threads;
  return run;
}

// No step is left: what there is may still have to be finished, after a kill between the last
// checkpoint and the end of the file.
bool is_at_end(const Scene& scene, const State& state) {
  if (state.step >= scene.settings.time.last_step()) return true;
  if (is_wedged(scene.settings.stop, state)) return true;
  State copy = state;
  return !state.window_x.empty() && is_quiet(scene.model, scene.settings.stop, copy);
}

// The result file, if its run reached its end.
std::optional<ResultReader> finished_result(const std::string& recorded,
                                            const CheckpointOrigin& origin) {
  try {
    ResultReader results(recorded);
    if (results.finished() &&
        results.scene_sha256() == scene_hash(origin.scene_source, origin.scene_files))
      return results;
  } catch (const InputError&) {
    // Whatever is wrong with it is said when it is read.
  }
  return std::nullopt;
}

// The run was killed after its last word to the result file: its leftovers go, and that is all
// there is to do.
int conclude_finished(const ResumeOptions& options, const Scene& scene, const std::string& file,
                      const ResultReader& results, bool at_end) {
  {
    const OutputClaim alone(file);
    clear_leftovers(file);
    if (!at_end && !scene.settings.checkpoint.wanted()) std::filesystem::remove(options.checkpoint);
  }
  notice("{} is finished, to t = {:.9g} s; nothing is left to do.\n", file, results.time_end());
  if (options.json) write_json(finished_json(scene, file, results));
  return exit_done;
}

// A file that the scene names, as it was when the run started.
std::string recorded_file(const CheckpointOrigin& origin, const std::string& name) {
  for (const SceneFile& file : origin.scene_files) {
    if (file.name == name) return file.text;
  }
  throw InputError(fmt::format("{}: is not in the checkpoint", name));
}

// Before the run goes on: afterwards nobody would know.
void tell_other_arithmetic(const std::string& path, const CheckpointOrigin& origin) {
  if (origin.arithmetic.empty()) {
    notice(
        "{} was written by {}, which does not say with which arithmetic; whether {} goes on bit "
        "for bit is not known.\n",
        path, origin.program, program_name());
  } else if (origin.arithmetic != arithmetic_fingerprint()) {
    notice(
        "{} was written by {}, which computes other bits than this {}; it goes on, but not bit for "
        "bit.\n",
        path, origin.program, program_name());
  }
}

RunOverrides overrides_of(const ResumeOptions& options, const CheckpointOrigin& origin) {
  try {
    return merge(parse_overrides(origin.overrides), options.overrides);
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}: is damaged or truncated ({})", options.checkpoint, error.what()));
  }
}

// The scene as it was recorded. What is wrong with its text is said of the checkpoint, what is
// wrong with options of them.
Scene recorded_scene(const ResumeOptions& options, const CheckpointOrigin& origin,
                     const RunOverrides& overrides) {
  const auto file = [&](const std::string& name) { return recorded_file(origin, name); };
  try {
    SceneChange change = change_by(overrides);
    change.began_with = origin.scene_files;
    return parse_scene(origin.scene_source, origin.scene_name, file, change);
  } catch (const InputError& error) {
    const std::string what = error.what();
    if (what.starts_with("--")) throw;
    throw InputError(fmt::format("{}: its scene cannot be used: {}", options.checkpoint, what));
  }
}

void check_continues(const ResumeOptions& options, const Checkpoint& checkpoint,
                     const Scene& scene) {
  const State& state = checkpoint.state;
  const bool same = state_hash(scene.state) == checkpoint.origin.start_hash &&
                    scene.state.x.size() == state.x.size();
  const bool same_name = checkpoint.origin.program == program_name();
  require(
      same, options.checkpoint,
      fmt::format("was written by {}{}, which made other bodies from this scene than this {} does; "
                  "resume it with that one",
                  same_name ? "another build of " : "", checkpoint.origin.program, program_name()));
  const std::string fault = fault_of(checkpoint, scene.model, scene.settings, scene.state);
  require(fault.empty(), options.checkpoint, "is damaged or truncated (" + fault + ")");
}

std::string result_file(const ResumeOptions& options, const std::string& recorded) {
  if (options.out.empty() || options.out == recorded) return recorded;
  for (const std::string& path : {options.out, checkpoint_path(options.out)}) {
    check_output_path(path, options.checkpoint, options.force);
  }
  check_result_name(options.out);
  return options.out;
}

// Steps that a run which was killed may have recorded after its last checkpoint: none when this one
// is not the last.
std::int64_t steps_to_repeat(const Checkpoint& checkpoint, const std::string& recorded,
                             const CheckpointSettings& settings) {
  try {
    const Checkpoint last = read_checkpoint(checkpoint_path(recorded));
    if (last.origin.start_hash == checkpoint.origin.start_hash &&
        last.state.step > checkpoint.state.step)
      return 0;
  } catch (const InputError&) {
    // Then there is no later one.
  }
  return settings.every_steps > 0 ? settings.every_steps : std::numeric_limits<std::int64_t>::max();
}

// Tables that the first step of a run makes, as it makes them, where a checkpoint of version 1 has
// none: the next checkpoint has all.
void make_first_fields(const Model& model, State& state) {
  if (state.step == 0) return;
  state.touched.resize(state.x.size(), 0);
  state.motion_start.resize(model.histories.size());
}

// All that comes before the next step; none: the run had come to its end, with that exit code.
std::optional<CommandRun> prepared(const ResumeOptions& options, int& exit_code) {
  end_on_signal(stopped_before_first_step);
  Checkpoint checkpoint = read_current_checkpoint(options.checkpoint);
  const CheckpointOrigin origin = checkpoint.origin;
  RunOverrides overrides = overrides_of(options, origin);
  Scene scene = recorded_scene(options, origin, overrides);
  if (!checkpoint.stops_clamped && scene.settings.step.rest == Rest::clamped) {
    overrides.set.emplace_back("law.rest=published");  // what its run began with
    scene = recorded_scene(options, origin, overrides);
  }
  take_initial_state(scene);
  tell_options_without_effect(overrides, scene);
  check_continues(options, checkpoint, scene);
  require(!options.overrides.t_end || checkpoint.state.step <= scene.settings.time.last_step(),
          options.checkpoint,
          fmt::format("is at t = {:.9g} s, after --t-end {:g}; a run does not go back",
                      checkpoint.state.time, options.overrides.t_end.value_or(0.0)));
  const std::string recorded =
      (std::filesystem::path(options.checkpoint).parent_path() / origin.result).string();
  const std::string file = result_file(options, recorded);
  Resumption resumption{recorded, checkpoint.rows, checkpoint.state.step, checkpoint.state.time,
                        checkpoint.state.energy_scale};
  resumption.at_end = is_at_end(scene, checkpoint.state);
  if (file == recorded && !options.force) {
    const std::optional<ResultReader> finished = finished_result(recorded, origin);
    if (finished && !options.overrides.t_end && (has_leftovers(recorded) || !resumption.at_end)) {
      exit_code = conclude_finished(options, scene, file, *finished, resumption.at_end);
      return std::nullopt;
    }
    require(!resumption.at_end || !finished, options.checkpoint,
            fmt::format("is at t = {:.9g} s and the run ends {}, so nothing is left to do; --t-end "
                        "S sets a later end",
                        checkpoint.state.time,
                        checkpoint.state.step < scene.settings.time.last_step()
                            ? "when it is quiet"
                            : fmt::format("at {:g} s", scene.settings.time.end)));
    resumption.most_lost = steps_to_repeat(checkpoint, recorded, scene.settings.checkpoint);
  }
  if (!checkpoint.all_fields) make_first_fields(scene.model, checkpoint.state);
  const double resumed_at = checkpoint.state.time;
  CommandRun run{Simulation(std::move(scene), std::move(checkpoint)), options.json, resumed_at};
  stop_on_signal();
  run.simulation.go_on(file, resumption, to_text(overrides));
  tell_other_arithmetic(options.checkpoint, origin);
  return run;
}

int resume_run(const ResumeOptions& options) {
  int exit_code = exit_done;
  const auto prepare = [&] { return prepared(options, exit_code); };
  std::optional<CommandRun> run =
      or_failure_json(options.json, options.checkpoint, options.out, prepare);
  return run ? simulate(*run) : exit_code;
}

}  // namespace

void add_resume_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("resume", "Go on from the checkpoint of a run that was stopped or killed");
  const auto options = std::make_shared<ResumeOptions>();
  command->add_option("checkpoint", options->checkpoint, "Checkpoint beside the result file")
      ->required()
      ->type_name("FILE.h5.checkpoint");
  command
      ->add_option("-o,--out", options->out,
                   "Write to another result file; the first one stays as it is")
      ->type_name("FILE.h5");
  command->add_flag("--force", options->force,
                    "Replace the file of --out if it exists; without --out, drop what the result "
                    "file of a run that ended, or has a later "
                    "checkpoint, holds after this one");
  add_resume_options(*command, options->overrides);
  command->add_flag("--json", options->json,
                    "One JSON object on standard output, everything else on standard error");
  command->callback([options, &exit_code] { exit_code = resume_run(*options); });
}

}  // namespace scree
