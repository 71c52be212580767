// scree resume: goes on from a checkpoint, bit for bit.
#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include "engine/model/check.hpp"
#include "engine/state_hash.hpp"
#include "tools/commands.hpp"
#include "tools/console.hpp"
#include "tools/output_path.hpp"
#include "tools/run_overrides.hpp"
#include "tools/scene_file.hpp"
#include "tools/simulate.hpp"
#include "tools/stop_signal.hpp"
#include "tools/version.hpp"

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

void check_continues(const ResumeOptions& options, const Checkpoint& checkpoint, const Scene& scene) {
  const State& state = checkpoint.state;
  const bool same = state_hash(scene.state) == checkpoint.origin.start_hash && scene.state.x.size() == state.x.size();
  require(same, options.checkpoint,
          fmt::format(
              "was written by {}, which made other bodies from this scene than {} does; resume it with that version",
              checkpoint.origin.program, program_name()));
  if (checkpoint.origin.program != program_name()) {
    notice("{} was written by {}; {} may not continue it bit for bit.\n", options.checkpoint,
               checkpoint.origin.program, program_name());
  }
  const Settings& settings = scene.settings;
  require(
      state.step < settings.time.last_step(), options.checkpoint,
      fmt::format("is at t = {:.9g} s and the run ends at {:g} s, so nothing is left to do; --t-end S sets a later end",
                  state.time, settings.time.end));
}

// A file that the scene names, as it was when the run started.
std::string recorded_file(const CheckpointOrigin& origin, const std::string& name) {
  for (const SceneFile& file : origin.scene_files) {
    if (file.name == name) return file.text;
  }
  throw InputError(fmt::format("{}: is not in the checkpoint", name));
}

std::string result_file(const ResumeOptions& options, const std::string& recorded) {
  if (options.out.empty() || options.out == recorded) return recorded;
  for (const std::string& path : {options.out, checkpoint_path(options.out)}) {
    check_output_path(path, options.checkpoint, options.force);
  }
  return options.out;
}

// Steps that a run which was killed may have recorded after its last checkpoint: none when this one is not the last.
std::int64_t steps_to_repeat(const Checkpoint& checkpoint, const std::string& recorded, const CheckpointSettings& settings) {
  try {
    const Checkpoint last = read_checkpoint(checkpoint_path(recorded));
    if (last.origin.start_hash == checkpoint.origin.start_hash && last.state.step > checkpoint.state.step) return 0;
  } catch (const InputError&) {
    // Then there is no later one.
  }
  return settings.every_steps > 0 ? settings.every_steps : std::numeric_limits<std::int64_t>::max();
}

int resume_run(const ResumeOptions& options) {
  end_on_signal(stopped_before_first_step);
  Checkpoint checkpoint = read_checkpoint(options.checkpoint);
  const CheckpointOrigin& origin = checkpoint.origin;
  const RunOverrides overrides = merge(parse_overrides(origin.overrides), options.overrides);
  Simulation simulation;
  Scene& scene = simulation.scene;
  scene = parse_scene(origin.scene_source, origin.scene_name, [&](const std::string& name) { return recorded_file(origin, name); },
                      change_by(overrides));
  take_initial_state(scene);
  tell_options_without_effect(overrides, scene);
  check_continues(options, checkpoint, scene);
  const std::string recorded = (std::filesystem::path(options.checkpoint).parent_path() / origin.result).string();
  simulation.overrides = to_text(overrides);
  simulation.file = result_file(options, recorded);
  simulation.start_hash = origin.start_hash;
  simulation.json = options.json;
  simulation.resumed_at = checkpoint.state.time;
  Resumption resumption{recorded, checkpoint.rows, checkpoint.state.step, checkpoint.state.time, checkpoint.state.energy_scale};
  if (simulation.file == recorded && !options.force) resumption.most_lost = steps_to_repeat(checkpoint, recorded, scene.settings.checkpoint);
  scene.state = std::move(checkpoint.state);
  stop_on_signal();
  ResultWriter writer(simulation.file, resumption,
                      {scene.title, scene.source, simulation.overrides, program_name(), scene.files}, scene.model, scene.settings);
  clear_partial_checkpoint(checkpoint_path(simulation.file));
  return simulate(simulation, writer);
}

}  // namespace

void add_resume_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("resume", "Go on from the checkpoint of a run that was stopped or killed");
  const auto options = std::make_shared<ResumeOptions>();
  command->add_option("checkpoint", options->checkpoint, "Checkpoint beside the result file")
      ->required()
      ->type_name("FILE.h5.checkpoint");
  command->add_option("-o,--out", options->out, "Write to another result file; the first one stays as it is")
      ->type_name("FILE.h5");
  command->add_flag("--force", options->force, "Replace the file of --out if it exists; without --out, drop what the result file of a run that ended, or has a later "
                    "checkpoint, holds after this one");
  add_resume_options(*command, options->overrides);
  command->add_flag("--json", options->json, "One JSON object on standard output, everything else on standard error");
  command->callback([options, &exit_code] { exit_code = resume_run(*options); });
}

}  // namespace scree
