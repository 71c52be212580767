// scree run: a scene file in, a result file and a table out.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/model/check.hpp"
#include "engine/result_writer.hpp"
#include "tools/commands.hpp"
#include "tools/progress.hpp"
#include "tools/scene_file.hpp"
#include "tools/summary.hpp"
#include "tools/version.hpp"

namespace scree {
namespace {

const std::map<std::string, ImpactLaw> laws = {{"fremond", ImpactLaw::fremond}, {"newton", ImpactLaw::newton}};
const std::map<std::string, contact::Measure> measures = {{"scaled", contact::Measure::scaled},
                                                          {"published", contact::Measure::published},
                                                          {"siconos", contact::Measure::siconos}};
const std::map<std::string, contact::Method> methods = {{"nsgs", contact::Method::nsgs},
                                                        {"nncg", contact::Method::nncg},
                                                        {"apgd", contact::Method::apgd},
                                                        {"auto", contact::Method::automatic},
                                                        {"automatic", contact::Method::automatic}};
const std::map<std::string, Backend> backends = {{"serial", Backend::serial}, {"openmp", Backend::openmp}, {"tbb", Backend::tbb}};

struct RunOptions {
  std::string scene, out;
  bool force = false, json = false, no_frames = false;
  std::optional<double> t_end, dt, theta, tolerance;
  std::optional<std::string> law, measure, method, backend;
  std::optional<int> threads;
};

// Set by the signal handler: the run ends after the step in hand.
std::atomic<bool> stop_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

// The second signal ends the program at once.
void ask_to_stop() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked.store(true); };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

void apply_numbers(const RunOptions& options, Settings& settings) {
  settings.time.end = options.t_end.value_or(settings.time.end);
  settings.time.dt = options.dt.value_or(settings.time.dt);
  settings.time.theta = options.theta.value_or(settings.time.theta);
  settings.step.solver.tolerance = options.tolerance.value_or(settings.step.solver.tolerance);
  settings.threads = options.threads.value_or(settings.threads);
  if (options.no_frames) settings.output.keep_frames = false;
}

void apply_choices(const RunOptions& options, Scene& scene) {
  Settings& settings = scene.settings;
  if (options.measure) settings.step.solver.measure = measures.at(*options.measure);
  if (options.method) settings.step.solver.method = methods.at(*options.method);
  if (options.backend) settings.backend = backends.at(*options.backend);
  if (!options.law) return;
  for (std::optional<PairLaw>& pair : scene.model.materials.pair_law) {
    if (pair) pair->law = laws.at(*options.law);
  }
}

// The options that changed the scene, as typed.
std::string overrides(const RunOptions& options) {
  std::string text;
  const auto number = [&](const char* name, const auto& value) {
    if (value) text += fmt::format("{}{} {}", text.empty() ? "" : " ", name, *value);
  };
  number("--t-end", options.t_end), number("--dt", options.dt), number("--theta", options.theta);
  number("--tolerance", options.tolerance), number("--law", options.law), number("--measure", options.measure);
  number("--method", options.method), number("--backend", options.backend), number("--threads", options.threads);
  if (options.no_frames) text += text.empty() ? "--no-frames" : " --no-frames";
  return text;
}

Scene prepare(const RunOptions& options) {
  Scene scene = read_scene_file(options.scene);
  apply_numbers(options, scene.settings);
  apply_choices(options, scene);
  try {
    check_settings(scene.model, scene.settings);
  } catch (const InputError& error) {
    throw InputError(scene.source_name + ": " + error.what());
  }
  refuse_overlaps(scene, overlaps_at_start(scene, false));
  if (scene.settings.backend == Backend::serial && options.threads.value_or(1) != 1) {
    fmt::print(stderr, "The serial backend uses one thread; --threads {} has no effect (use --backend openmp or tbb).\n",
               *options.threads);
  }
  return scene;
}

bool is_last(const StepView& view) {
  return stop_asked.load() || view.state.time >= view.settings.time.end - 1e-6 * view.settings.time.dt;
}

// Says how the run ended and returns the exit code.
int conclude(const RunSummary& run) {
  const RunReport& report = run.report;
  if (report.end == RunEnd::stopped) {
    fmt::print(stderr, "Stopped by a signal at t = {:.9g} s; {} is readable up to there.\n", report.time_end, run.file);
    return exit_failed;
  }
  if (report.unconverged_steps == 0) return exit_done;
  fmt::print(stderr, "{} of {} steps did not reach the tolerance {:g}; worst residual {:.3g} ({}).\n",
             report.unconverged_steps, report.steps, run.scene.settings.step.solver.tolerance,
             report.residual_max.of(run.scene.settings.step.solver.measure),
             measure_name(run.scene.settings.step.solver.measure));
  return exit_unconverged;
}

RunReport simulate(Scene& scene, ResultWriter& writer, const std::string& file) {
  Progress progress(isatty(STDERR_FILENO) == 1);
  const std::array<Observer, 2> observers = {[&](const StepView& view) { writer.record(view, is_last(view)); },
                                             [&](const StepView& view) { progress.update(view); }};
  ask_to_stop();
  try {
    const RunReport report = run(scene.model, scene.settings, scene.state, observers, &stop_asked);
    writer.finish(report);
    progress.finish();
    return report;
  } catch (const RunFailure& failure) {
    progress.finish();
    writer.flush();
    throw RunFailure(fmt::format("{}; {} is readable up to t = {:.9g} s", failure.what(), file, writer.readable_until()));
  } catch (const RecordingFailure&) {
    progress.finish();
    throw;
  }
}

int run_scene(const RunOptions& options) {
  Scene scene = prepare(options);
  const std::string file = options.out.empty() ? std::filesystem::path(options.scene).stem().string() + ".h5" : options.out;
  ResultWriter writer(file, options.force, {scene.title, scene.source, overrides(options), program_name()}, scene.model,
                      scene.settings);
  const RunSummary summary{scene, file, simulate(scene, writer, file)};
  fmt::print(options.json ? stderr : stdout, "{}", summary_table(summary));
  if (options.json) fmt::print("{}\n", summary_json(summary).dump(2));
  std::fflush(stdout);
  return conclude(summary);
}

template <class Choices>
std::vector<std::string> names(const Choices& choices) {
  std::vector<std::string> list;
  for (const auto& choice : choices) list.push_back(choice.first);
  return list;
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run a scene and write a result file");
  const auto options = std::make_shared<RunOptions>();
  command->add_option("scene", options->scene, "Scene file (TOML)")->required()->type_name("SCENE.toml");
  command->add_option("-o,--out", options->out, "Result file; default: the scene's name with .h5, in the working folder")
      ->type_name("FILE.h5");
  command->add_flag("--force", options->force, "Replace the result file if it exists");
  command->add_option("--t-end", options->t_end, "End of the run [s]")->type_name("S");
  command->add_option("--dt", options->dt, "Step length [s]")->type_name("S");
  command->add_option("--law", options->law, "Impact law of all pairs of materials")->check(CLI::IsMember(names(laws)));
  command->add_option("--theta", options->theta, "Weight of the scheme, from 1/2 to 1/(1+e)")->type_name("X");
  command->add_option("--tolerance", options->tolerance, "Tolerance of the contact solver on the measure")->type_name("X");
  command->add_option("--measure", options->measure, "Residual measure that stops the solver")->check(CLI::IsMember(names(measures)));
  command->add_option("--method", options->method, "Method of the contact solver")->check(CLI::IsMember(names(methods)));
  command->add_option("--backend", options->backend, "What runs the threads")->check(CLI::IsMember(names(backends)));
  command->add_option("--threads", options->threads, "Number of threads; 0: all processors")->check(CLI::NonNegativeNumber);
  command->add_flag("--no-frames", options->no_frames, "Record the ledger and the solver's tables only");
  command->add_flag("--json", options->json, "One JSON object on standard output, everything else on standard error");
  command->callback([options, &exit_code] { exit_code = run_scene(*options); });
}

}  // namespace scree
