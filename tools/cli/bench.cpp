// scree bench: scenes x sizes x backends x threads, each scene one problem for all rows.
#include "tools/cli/bench.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "engine/base/check.hpp"
#include "engine/base/version.hpp"
#include "tools/bench/bench_scenes.hpp"
#include "tools/bench/child.hpp"
#include "tools/bench/summary.hpp"
#include "tools/bench/triad.hpp"
#include "tools/cli/commands.hpp"
#include "tools/common/console.hpp"
#include "tools/common/list_option.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/output_path.hpp"
#include "tools/common/solver_choices.hpp"

namespace scree {
namespace {

using namespace bench;

struct BenchArguments {
  std::vector<std::string> scenes, backends;
  std::vector<int> sizes = {200, 1000}, threads;
  MeasureOptions run;
  std::optional<int> warm_up;
  std::string csv, plot, save;
  bool json = false, force = false;
};

int processors() { return Executor(Backend::openmp, 0).threads(); }

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return "unknown processor";
}

// 1, 2, 4, ... and all.
std::vector<int> default_threads() {
  std::vector<int> threads;
  for (int n = 1; n < processors(); n *= 2) threads.push_back(n);
  threads.push_back(processors());
  return threads;
}

// Bandwidth by number of threads. Serial runs with one thread, once, whatever the list of threads.
std::vector<Lanes> lanes_of(const BenchArguments& arguments) {
  std::vector<Lanes> lanes;
  for (const std::string& name : arguments.backends) {
    const Backend backend = choices::lookup(choices::backends, name);
    for (const int threads : backend == Backend::serial ? std::vector<int>{1} : arguments.threads) {
      lanes.push_back({backend, threads, 0.0});
    }
  }
  return lanes;
}

struct Problem {
  std::string scene;
  int size = 0;

  std::string title() const { return fmt::format("{} {}", scene, size); }
};

std::vector<Problem> problems_of(const BenchArguments& arguments) {
  std::vector<Problem> problems;
  for (const std::string& scene : arguments.scenes) {
    const std::vector<int>& own = bench_scene(scene).own_sizes;
    for (const int size : own.empty() ? arguments.sizes : own) problems.push_back({scene, size});
  }
  return problems;
}

void check_output(const std::string& path, const std::string& extension, bool force) {
  if (path.empty()) return;
  require(extension.empty() || extension_of(path) == extension, path,
          "is not allowed; must end in " + extension);
  check_output_path(path, "", force);
}

// A file that is wanted is claimed before anything is measured.
std::unique_ptr<OutputFile> claim_wanted(const std::string& path) {
  return path.empty() ? nullptr : std::make_unique<OutputFile>(path);
}

void write_wanted(const std::unique_ptr<OutputFile>& file, const std::string& text) {
  if (!file) return;
  file->write(text);
  file->finish();
  notice("wrote {}\n", file->path());
}

// Once for each number of threads.
void measure_triad(std::vector<Lanes>& lanes) {
  std::map<int, double> measured;
  for (Lanes& lane : lanes) {
    double& triad = measured[lane.threads];
    if (triad == 0.0) {
      notice("memory bandwidth, threads: {}\n", lane.threads);
      const auto work = [&] {
        return nlohmann::json(
            triad_bandwidth(Executor(Backend::openmp, lane.threads), memory_triad_bytes));
      };
      triad = in_child("memory bandwidth", work).get<double>();
    }
    lane.triad = triad;
  }
}

std::vector<Row> measure_problem(const Problem& problem, const BenchArguments& arguments,
                                 const std::vector<Lanes>& lanes) {
  MeasureOptions options = arguments.run;
  options.warm_up = arguments.warm_up.value_or(bench_scene(problem.scene).warm_up);
  const nlohmann::json rows = in_child(problem.title(), [&] {
    nlohmann::json list = nlohmann::json::array();
    for (const Row& row : bench::measure(problem.scene, problem.size, options, lanes))
      list.push_back(row_to_json<nlohmann::json>(row));
    return list;
  });
  std::vector<Row> result;
  for (const nlohmann::json& row : rows) result.push_back(row_from_json(row));
  return result;
}

// Says what is not as it should be and returns the exit code.
int conclude(const Summary& summary) {
  const std::vector<std::string> lines = mismatches(summary.rows);
  for (const std::string& line : lines) notice("{}\n", line);
  if (!lines.empty()) return exit_failed;
  std::int64_t steps = 0, unconverged = 0;
  for (const Row& row : summary.rows) steps += row.steps, unconverged += row.unconverged_steps;
  if (unconverged == 0) return exit_done;
  notice("{} of {} steps did not reach the tolerance.\n", unconverged, steps);
  return exit_unconverged;
}

void save_scenes(const std::vector<Problem>& problems, const BenchArguments& arguments) {
  if (arguments.save.empty()) return;
  const auto path = [&](const Problem& problem) {
    return (std::filesystem::path(arguments.save) /
            fmt::format("{}-{}.toml", problem.scene, problem.size))
        .string();
  };
  make_folder(arguments.save, "--save-scenes");
  for (const Problem& problem : problems) check_output(path(problem), "", arguments.force);
  for (const Problem& problem : problems)
    write_wanted(claim_wanted(path(problem)), bench_scene(problem.scene).text(problem.size));
}

int run_bench(BenchArguments& arguments) {
  if (arguments.threads.empty()) arguments.threads = default_threads();
  check_output(arguments.csv, ".csv", arguments.force);
  check_output(arguments.plot, ".svg", arguments.force);
  const std::unique_ptr<OutputFile> csv = claim_wanted(arguments.csv),
                                    plot = claim_wanted(arguments.plot);
  const std::vector<Problem> problems = problems_of(arguments);
  save_scenes(problems, arguments);
  Summary summary{.program = program_name(),
                  .processor = processor_name(),
                  .processors = processors(),
                  .repeats = arguments.run.repeats,
                  .lanes = lanes_of(arguments),
                  .rows = {}};
  measure_triad(summary.lanes);
  for (const Problem& problem : problems) {
    notice("{}\n", problem.title());
    const std::vector<Row> rows = measure_problem(problem, arguments, summary.lanes);
    summary.rows.insert(summary.rows.end(), rows.begin(), rows.end());
  }
  add_speed_ups(summary.rows);
  if (arguments.json)
    write_json(bench_json(summary));
  else
    write_output(bench_table(summary));
  write_wanted(csv, bench_csv(summary.rows));
  write_wanted(plot, bench_plot(summary));
  return conclude(summary);
}

std::string scene_list() {
  std::string text = "Scenes, separated by commas:";
  for (const BenchScene& scene : bench_scenes())
    text += fmt::format(" {} ({}),", scene.name, scene.what);
  text.pop_back();
  return text;
}

void add_numbers(CLI::App& command, BenchArguments& a) {
  command.add_option("--tolerance", a.run.tolerance, "Residual to reach; default: by scene")
      ->check(choices::positive_number(1.0));
  command.add_option("--measure", a.run.measure, "Residual that stops; default: by scene")
      ->check(choices::one_of(choices::measures));
  command.add_option("--method", a.run.method, "Solver; default: auto")
      ->check(choices::one_of(choices::methods));
  command
      .add_option("--max-iterations", a.run.max_iterations,
                  "Sweeps and gradient steps of a solve at most")
      ->check(choices::integer_within(1, std::numeric_limits<std::int64_t>::max()));
  command.add_option("--steps", a.run.steps, "Steps measured")
      ->check(choices::integer_within(1, 1000000))
      ->capture_default_str();
  command.add_option("--repeats", a.run.repeats, "Times that the same steps are measured")
      ->check(choices::integer_within(1, 10000))
      ->capture_default_str();
  command
      .add_option("--warm-up", a.warm_up,
                  "Steps before the measured ones; default: by scene, 2 to 1000")
      ->check(choices::integer_within(0, 1000000));
}

}  // namespace

void add_bench_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<BenchArguments>();
  for (const BenchScene& scene : bench_scenes()) arguments->scenes.push_back(scene.name);
  arguments->backends = choices::names(choices::backends);
  CLI::App* command =
      app.add_subcommand("bench", "Measure speed, memory and speed-up on this machine");
  command->footer(
      "% triad: 256 bytes a contact and sweep, as a share of the bandwidth of the machine's "
      "memory, which a triad a = b + s c measures\n"
      "with the same threads; above 100 % the data of the row stay in the caches.\n"
      "% size: the same, as a share of what the triad reaches on arrays as large as the row's "
      "data, in whichever cache they fit.");
  add_list_option(*command, "--scenes", arguments->scenes, scene_list(),
                  CLI::IsMember(arguments->scenes));
  add_list_option(*command, "--sizes", arguments->sizes,
                  "Bodies, about, separated by commas; towers, arch, dominoes and rockfall have "
                  "their own sizes",
                  choices::integer_within(1, 1000000))
      ->default_str("200,1000");
  add_list_option(*command, "--backends", arguments->backends,
                  "serial, openmp, tbb, separated by commas; default: all",
                  choices::one_of(choices::backends));
  add_list_option(*command, "--threads", arguments->threads,
                  "Numbers of threads, separated by commas; default: 1, 2, 4, ... all",
                  choices::thread_count(1));
  add_numbers(*command, *arguments);
  command->add_option("--csv", arguments->csv, "Write the rows as comma-separated values")
      ->type_name("FILE.csv");
  command->add_option("--plot", arguments->plot, "Draw speed-ups over threads")
      ->type_name("FILE.svg");
  command
      ->add_option("--save-scenes", arguments->save,
                   "Write the scene files that are measured into a folder")
      ->type_name("FOLDER");
  command->add_flag("--force", arguments->force, "Replace files that exist");
  command->add_flag("--json", arguments->json,
                    "One JSON object on standard output, everything else on standard error");
  command->callback([arguments, &exit_code] { exit_code = run_bench(*arguments); });
}

}  // namespace scree
