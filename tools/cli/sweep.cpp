#include "tools/cli/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/check.hpp"
#include "engine/base/executor.hpp"
#include "engine/base/input_file.hpp"
#include "engine/state_hash.hpp"
#include "scenes/members.hpp"
#include "tools/cli/runs_progress.hpp"
#include "tools/cli/stop_signal.hpp"
#include "tools/common/console.hpp"
#include "tools/common/exit_codes.hpp"
#include "tools/common/number_choices.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/output_path.hpp"
#include "tools/common/solver_choices.hpp"
#include "tools/common/warnings.hpp"
#include "tools/study/sweep_member.hpp"
#include "tools/study/sweep_table.hpp"

namespace scree {
namespace {

using study::SweepTable;
using study::SweepTask;

struct SweepOptions {
  std::string scene, out, page;
  std::vector<std::string> sets, measures;
  std::int64_t seed = 1, samples = 0;
  int jobs = 0;
  bool force = false;
};

bool is_hdf5(const std::string& out) {
  const std::string extension = extension_of(out);
  return extension == ".h5" || extension == ".hdf5";
}

// Says, in the folder of the runs, which table was made of them: a kill may come between the
// making of the table and the removal of the runs.
std::string marker_path(const std::string& runs) {
  return (std::filesystem::path(runs) / "merged.txt").string();
}

std::string hash_of_file(const std::string& path) {
  const std::string bytes = read_input_file(path);
  return sha256(bytes.data(), bytes.size());
}

// The table stands, made of the runs in that folder.
bool is_merged(const std::string& out, const std::string& runs) {
  const std::string marker = marker_path(runs);
  return std::filesystem::is_regular_file(out) && std::filesystem::is_regular_file(marker) &&
         read_input_file(marker) == hash_of_file(out);
}

// The marker goes last: what is left of the runs without it would be taken for a sweep to go on
// with.
void remove_runs(MemberStore& store) {
  store.remove();
  std::error_code ignored;  // what stays does no harm
  std::filesystem::remove(marker_path(store.folder()), ignored);
  std::filesystem::remove(marker_path(store.folder()) + ".partial", ignored);
  std::filesystem::remove(store.folder(), ignored);
}

void check_outputs(const SweepOptions& options, const std::string& runs) {
  const std::string extension = extension_of(options.out);
  require(extension == ".csv" || is_hdf5(options.out), options.out,
          fmt::format("unknown extension '{}'; known: .csv, .h5, .hdf5", extension));
  const std::string page_extension = extension_of(options.page);
  require(options.page.empty() || page_extension == ".html" || page_extension == ".htm",
          options.page, fmt::format("unknown extension '{}'; known: .html, .htm", page_extension));
  if (is_merged(options.out, runs)) return;
  check_output_path(options.out, options.scene, options.force);
  if (!options.page.empty()) check_output_path(options.page, options.scene, options.force);
}

void write_table(const SweepTable& table, const SweepTask& task, const std::string& out,
                 const std::string& runs) {
  const std::string bytes = is_hdf5(out) ? study::sweep_hdf5(table, task) : study::sweep_csv(table);
  write_file(marker_path(runs), sha256(bytes.data(), bytes.size()));
  write_file(out, bytes);
}

// What was made of the runs, and the exit code.
int conclude(const SweepTable& table, const SweepOptions& options) {
  const auto count = [&](const char* status) { return study::count_status(table, status); };
  output("{} holds {} runs: {} done, {} unconverged, {} failed, {} refused; hash {}\n", options.out,
         table.rows.size(), count("done"), count("unconverged"), count("failed"), count("refused"),
         table.hash.substr(0, 16));
  if (!options.page.empty()) output("{} shows them.\n", options.page);
  write_notice(warned_runs_text(study::warnings_of(table), table.rows.size()));
  if (const std::size_t without = count("failed") + count("refused"); without > 0) {
    notice("{} no results; the column 'message' says why.\n",
           without == 1 ? "1 run has" : fmt::format("{} runs have", without));
    return exit_failed;
  }
  return count("unconverged") > 0 ? exit_unconverged : exit_done;
}

int run_sweep(const SweepOptions& options) {
  const std::string runs = options.out + ".runs";
  check_outputs(options, runs);
  SweepTask task{
      options.scene,
      read_input_file(options.scene),
      study::plan_sweep(options.sets, static_cast<std::uint64_t>(options.seed), options.samples),
      {}};
  const Scene scene = study::check_sweep(task);
  task.measures = study::read_measures(options.measures, scene);
  MemberStore store(runs, study::sweep_members(task, scene), options.force);
  for (const std::string& path : store.damaged())
    notice("{}: is damaged; its runs are done again\n", path);
  if (options.force) std::filesystem::remove(marker_path(runs));
  if (is_merged(options.out, runs) && !store.complete()) {
    // The table was written, and the runs were being removed.
    remove_runs(store);
    notice("{} is whole; nothing is left to do.\n", options.out);
    return exit_done;
  }
  if (store.n_done() > 0)
    notice("{} of {} runs are there from before.\n", store.n_done(), store.size());
  if (!is_merged(options.out, runs)) {
    const std::atomic<bool>& stop = stop_on_signal();
    bool complete = false;
    {
      RunsProgress progress;
      complete = run_members(
          store, {options.jobs > 0 ? options.jobs : Executor(Backend::tbb, 0).threads(),
                  [&](std::size_t i) { return study::run_sweep_member(task, i, stop); }, &stop,
                  [&](std::size_t done, std::size_t all) { progress.update(done, all); }});
    }
    if (!complete) {
      notice("Stopped by a signal; {} of {} runs are kept in {}. The same command goes on.\n",
             store.n_done(), store.size(), runs);
      return exit_failed;
    }
  }
  const SweepTable table = study::sweep_table(task, scene.edit_unit, store);
  if (!is_merged(options.out, runs)) write_table(table, task, options.out, runs);
  if (!options.page.empty()) {
    write_file(options.page,
               study::sweep_page(table, task, scene.title.empty() ? options.scene : scene.title,
                                 std::filesystem::path(options.out).filename().string()));
  }
  remove_runs(store);
  return conclude(table, options);
}

void add_run_options(CLI::App& command, SweepOptions& options) {
  command.add_option("--samples", options.samples, "Number of draws from the distributions")
      ->check(choices::integer_within(1, static_cast<std::int64_t>(study::most_runs)));
  command.add_option("--seed", options.seed, "Seed of the draws; default 1")
      ->check(choices::integer_within(0, std::numeric_limits<std::int64_t>::max()));
  command.add_option("-j,--jobs", options.jobs, "Runs at a time; default: one a processor")
      ->check(choices::thread_count(1));
}

}  // namespace

void add_sweep_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<SweepOptions>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Run a scene with many values of its keys: one row of measures a run");
  command->add_option("scene", options->scene, "Scene file (TOML)")
      ->required()
      ->type_name("SCENE.toml");
  command
      ->add_option("--set", options->sets,
                   "A key as in `scree run --set`, and its values: 0.3,0.4,0.5; a range "
                   "first:last:step or linspace(first,last,count), ends included; or "
                   "uniform(low,high), normal(mean,deviation) or uniform_int(low,high), which "
                   "draws integers. Lists make a grid")
      ->required()
      ->type_name("KEY=LIST")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option(
          "--measure", options->measures,
          fmt::format("A column of the table: {}; Q alone is end(Q)", study::known_measures()))
      ->type_name("MEASURE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("-o,--out", options->out, "Table to write: .csv, or .h5")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--page", options->page,
                   "Also a page with curves of the measures, and the table")
      ->type_name("FILE.html");
  add_run_options(*command, *options);
  command->add_flag("--force", options->force,
                    "Replace table and page, and drop runs of another sweep of the same name");
  command->footer(
      "A sweep that was stopped or killed goes on when it is started again with the same options: "
      "until the table is whole its runs are in FILE.runs. The table has the same bytes for any "
      "number of jobs. A value that no run can have ends it before it begins. Each run uses one "
      "thread; a run that is refused, fails or does not converge "
      "is a row that says so, and the exit code is 1 or 3.");
  command->callback([options, &exit_code] { exit_code = run_sweep(*options); });
}

}  // namespace scree
