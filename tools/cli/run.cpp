// scree run: a scene file in, a result file and a table out.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "contact/laws/laws.hpp"
#include "engine/base/check.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/run_overrides.hpp"
#include "tools/cli/simulate.hpp"
#include "tools/cli/stop_signal.hpp"
#include "tools/common/console.hpp"
#include "tools/common/output_path.hpp"

namespace scree {
namespace {

struct RunOptions {
  std::string scene, out, dump_folder, dump_when;
  bool force = false, json = false;
  RunOverrides overrides;
};

std::string result_of(const RunOptions& options) {
  return options.out.empty() ? std::filesystem::path(options.scene).stem().string() + ".h5"
                             : options.out;
}

// All that comes before the first step.
CommandRun prepared(const RunOptions& options) {
  end_on_signal(stopped_before_first_step);
  refuse_given_twice(options.overrides);
  CommandRun run{Simulation::read(options.scene, change_by(options.overrides)), options.json};
  const Scene& scene = run.simulation.scene();
  require(!scene.ensemble, options.scene,
          "has an [ensemble], whose rocks are not in the scene; run it with scree ensemble, or one "
          "of its runs with scree ensemble --replay RUN");
  tell_options_without_effect(options.overrides, scene);
  const std::filesystem::path scene_path(options.scene);
  const std::string file = result_of(options);
  check_output_path(file, options.scene, options.force);
  check_result_name(file);
  for (const SceneFile& named : scene.files) {
    check_output_path(file, (scene_path.parent_path() / named.name).string(), options.force);
  }
  require(options.dump_folder.empty() || !contact::Laws::any_moments(scene.model.materials),
          "--dump-fclib",
          "the scene's contacts resist rolling or spinning, which the problems of FCLIB files do "
          "not know");
  stop_on_signal();  // from here on there is something to leave behind
  run.simulation.record(file, options.force, to_text(options.overrides));
  // Also checked before the first step, but after the result file is known to be ours.
  if (!options.dump_folder.empty()) {
    run.dump.emplace(options.dump_folder, options.dump_when, scene_path.stem().string(),
                     options.force);
  }
  return run;
}

int run_scene(const RunOptions& options) {
  const auto prepare = [&] { return prepared(options); };
  CommandRun run = or_failure_json(options.json, options.scene, result_of(options), prepare);
  return simulate(run);
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run a scene and write a result file");
  const auto options = std::make_shared<RunOptions>();
  command->add_option("scene", options->scene, "Scene file (TOML)")
      ->required()
      ->type_name("SCENE.toml");
  command
      ->add_option("-o,--out", options->out,
                   "Result file; default: the scene's name with .h5, in the working folder")
      ->type_name("FILE.h5");
  command->add_flag("--force", options->force, "Replace the result file if it exists");
  add_override_options(*command, options->overrides);
  CLI::Option* dump =
      command
          ->add_option("--dump-fclib", options->dump_folder,
                       "Write contact problems as FCLIB files into a folder, for `scree solve`")
          ->type_name("FOLDER");
  command
      ->add_option("--dump-when", options->dump_when,
                   "Which steps: comparisons such as \"iterations>200 and contacts<1000\"; "
                   "default: all with contacts")
      ->type_name("CONDITION")
      ->needs(dump);
  command->add_flag("--json", options->json,
                    "One JSON object on standard output, everything else on standard error");
  command->callback([options, &exit_code] { exit_code = run_scene(*options); });
}

}  // namespace scree
