#include "tools/cli/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/check.hpp"
#include "engine/base/executor.hpp"
#include "engine/base/input_file.hpp"
#include "engine/base/printable.hpp"
#include "scenes/ensemble/ensemble.hpp"
#include "scenes/ensemble/statistics.hpp"
#include "scenes/read/scene_file.hpp"
#include "scenes/simulation.hpp"
#include "tools/cli/run_overrides.hpp"
#include "tools/cli/runs_progress.hpp"
#include "tools/cli/simulate.hpp"
#include "tools/cli/stop_signal.hpp"
#include "tools/common/console.hpp"
#include "tools/common/exit_codes.hpp"
#include "tools/common/number_choices.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/output_path.hpp"
#include "tools/common/solver_choices.hpp"
#include "tools/common/warnings.hpp"
#include "tools/ensemble/farm.hpp"
#include "tools/ensemble/outputs.hpp"
#include "tools/ensemble/slurm.hpp"
#include "tools/ensemble/then_scene.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using ensemble::Ensemble;
using ensemble::RunTable;

// Rows are some kilobytes, so they are not written after each run.
constexpr double pause_between_writes = 2.0;  // [s]
constexpr const char* runs_folder = "runs";
constexpr std::int64_t most_tasks = 100000;

struct EnsembleOptions {
  std::string scene, out, chunk, then, barrier, maps = "asc,tif";
  std::vector<std::string> set;
  std::int64_t slurm = 0, replay = -1, worst = 5;
  int jobs = 0;
  bool merge = false, force = false;
};

// "3/10".
struct Share {
  std::size_t i = 0, n = 1;
};

Share share_of(const std::string& text) {
  Share share;
  const std::size_t slash = text.find('/');
  const auto number = [&](std::string_view word, std::size_t& value) {
    const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
    return !word.empty() && result.ec == std::errc() && result.ptr == word.data() + word.size();
  };
  const std::string_view all = text;
  const bool good = slash != std::string::npos && number(all.substr(0, slash), share.i) &&
                    number(all.substr(slash + 1), share.n) && share.i < share.n &&
                    share.n <= static_cast<std::size_t>(most_tasks);
  require(good, "--chunk",
          fmt::format("'{}' is not allowed; must be I/N with 0 <= I < N <= {}", text, most_tasks));
  return share;
}

ensemble::MapFormats map_formats(const std::string& text) {
  ensemble::MapFormats formats{false, false};
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    require(word == "asc" || word == "tif", "--maps",
            fmt::format("'{}' is not allowed; must be asc, tif or asc,tif", word));
    (word == "asc" ? formats.asc : formats.tif) = true;
    begin = end + 1;
  }
  return formats;
}

std::string settings_of(const EnsembleOptions& options) {
  std::string text;
  for (const std::string& edit : options.set) text += " --set " + ensemble::shell_word(edit);
  return text;
}

Scene read_site(const EnsembleOptions& options) {
  SceneChange change;
  change.edits = options.set;
  Scene scene = read_scene_file(options.scene, change);
  require(scene.ensemble.has_value(), options.scene,
          "has no [ensemble], which says where rocks start and what they are");
  return scene;
}

// The folder is ours, new or empty.
void prepare_folder(const std::string& out, bool force) {
  std::error_code error;
  const fs::path path(out);
  if (fs::exists(path, error)) {
    require(fs::is_directory(path, error), out, "exists and is not a folder");
    const bool ours = fs::is_directory(path / runs_folder, error) || fs::is_empty(path, error);
    require(ours || force, out,
            "exists and is not the folder of an ensemble; choose another name, or use --force");
  } else {
    make_folder(out, "--out");
  }
  make_folder((path / runs_folder).string(), "--out");
}

std::string part_folder(const std::string& out, const Share& share) {
  return (fs::path(out) / runs_folder / fmt::format("part-{:05}-of-{:05}", share.i, share.n))
      .string();
}

std::vector<std::string> part_folders(const std::string& out) {
  std::vector<std::string> folders;
  for (const auto& entry : fs::directory_iterator(fs::path(out) / runs_folder)) {
    if (entry.is_directory() && entry.path().filename().string().starts_with("part-"))
      folders.push_back(entry.path().string());
  }
  std::ranges::sort(folders);
  return folders;
}

void tell_damaged(const MemberStore& store) {
  for (const std::string& path : store.damaged())
    notice("{}: is damaged; its runs are done again\n", path);
}

int jobs_of(const EnsembleOptions& options, const ensemble::Farm& farm) {
  if (options.jobs > 0) return options.jobs;
  return farm.size() > 1 ? 1 : Executor(Backend::tbb, 0).threads();
}

// Members 0 to n - 1.
std::vector<std::size_t> first_members(std::size_t n) {
  std::vector<std::size_t> members(n);
  std::iota(members.begin(), members.end(), std::size_t{0});
  return members;
}

// Runs what is missing, up to the batch after which the quantile is known. Returns the number of
// runs that count; none: stopped.
std::optional<std::size_t> run_batches(const Ensemble& all, MemberStore& store, MemberRuns runs,
                                       ensemble::Farm& farm) {
  const site::Site& site = all.site();
  const std::size_t n = store.size();
  const std::size_t batch = site.until ? static_cast<std::size_t>(site.until->batch) : n;
  for (std::size_t end = std::min(batch, n);; end = std::min(end + batch, n)) {
    runs.members = first_members(end);
    if (!farm.run(store, runs)) return std::nullopt;
    double width = 0.0;
    if (end == n || (site.until && ensemble::is_known(RunTable{store, end}, site, width)))
      return end;
  }
}

int run_chunk(const Ensemble& all, const EnsembleOptions& options, const ensemble::Farm& farm) {
  const Share share = share_of(options.chunk);
  MemberStore store(part_folder(options.out, share), all.table(), options.force,
                    pause_between_writes);
  tell_damaged(store);
  const std::atomic<bool>& stop = stop_on_signal();
  RunsProgress progress;
  std::vector<std::size_t> mine;
  for (std::size_t i = share.i; i < store.size(); i += share.n) mine.push_back(i);
  const MemberRuns runs{
      jobs_of(options, farm), [&](std::size_t i) { return ensemble::run_rock(all, i, stop); },
      &stop, [&](std::size_t done, std::size_t) { progress.update(done, mine.size()); }, mine};
  if (!run_members(store, runs)) {
    notice(
        "Stopped by a signal; {} of {} runs of this chunk are kept in {}. The same command goes "
        "on.\n",
        store.n_done(), mine.size(), store.folder());
    return exit_failed;
  }
  output("{} holds the {} runs of chunk {}.\n", store.folder(), mine.size(), options.chunk);
  return exit_done;
}

// Too few runs tell no quantile, or no interval of it.
std::string known(double value) {
  return std::isnan(value) ? "unknown" : fmt::format("{:.4g}", value);
}

void tell_barriers(const ensemble::BarrierTable& table, double confidence) {
  for (const ensemble::BarrierQuantity& quantity : table.quantities) {
    if (quantity.quantity != "energy" && quantity.quantity != "top") continue;
    if (quantity.sorted.empty()) {
      if (quantity.quantity == "energy")
        output("{}: none of {} runs crosses; nothing is known there\n", quantity.barrier,
               table.n_runs);
      continue;
    }
    const ensemble::Quantile& q95 = quantity.quantiles[2];
    output("{}: {} of {} runs cross; {} {} {} at 95 % ({} to {} with {:g} %)\n", quantity.barrier,
           quantity.sorted.size(), table.n_runs, quantity.quantity, known(q95.value), quantity.unit,
           known(q95.low), known(q95.high), 100.0 * confidence);
  }
}

void write_outputs(const Ensemble& all, const RunTable& table, const EnsembleOptions& options,
                   const ensemble::BarrierTable& barriers) {
  const auto file = [&](const char* name) { return (fs::path(options.out) / name).string(); };
  const std::atomic<bool>& stop = stop_on_signal();
  std::vector<ensemble::RunPath> paths;
  for (const std::size_t i : ensemble::worst_runs(table, static_cast<std::size_t>(options.worst)))
    paths.push_back(ensemble::path_of(all, i, stop));
  require(!stop, options.out,
          "stopped by a signal while its files were written; the same command "
          "writes them again");
  write_file(file("runs.csv"), ensemble::runs_csv(table));
  write_file(file("crossings.csv"), ensemble::crossings_csv(all, table));
  write_file(file("barriers.csv"), ensemble::barriers_csv(barriers, all.site().confidence));
  write_file(file("barriers.geojson"), ensemble::lines_geojson(all));
  write_file(file("deposits.geojson"), ensemble::deposits_geojson(all, table));
  write_file(file("paths.geojson"), ensemble::paths_geojson(all, table, paths));
  ensemble::write_maps(all, table, options.out, map_formats(options.maps));
  const Scene& scene = all.scene();
  write_file(file("report.html"),
             ensemble::report_page(
                 {all, table, barriers, paths, scene.title.empty() ? options.scene : scene.title,
                  "scree ensemble " + ensemble::shell_word(options.scene) + settings_of(options)}));
  write_file(file("summary.json"), ensemble::summary_json(all, table, barriers));
}

// Rocks that were given a height below the ground by more than their length.
void tell_lifted(const RunTable& table) {
  std::size_t lifted = 0, farthest = 0;
  double most = 0.0;
  for (std::size_t i = 0; i < table.n_runs; ++i) {
    const ensemble::RunRow run = table.run(i);
    if (!(run.lifted > run.length)) continue;
    ++lifted;
    if (run.lifted > most) most = run.lifted, farthest = i;
  }
  if (lifted == 0) return;
  notice("{} of {} runs start below the ground and were lifted, run {} by {:.4g} m.\n", lifted,
         table.n_runs, farthest, most);
}

// What was made of the runs, and the exit code.
int conclude(const RunTable& table, const EnsembleOptions& options) {
  std::int64_t done = 0, unconverged = 0, failed = 0, refused = 0;
  for (std::size_t i = 0; i < table.n_runs; ++i) {
    const std::string status = table.run(i).status;
    ++(status == "done"          ? done
       : status == "unconverged" ? unconverged
       : status == "failed"      ? failed
                                 : refused);
  }
  output("{} holds {} runs: {} done, {} unconverged, {} failed, {} refused; hash {}\n", options.out,
         table.n_runs, done, unconverged, failed, refused,
         table.store.hash(table.n_runs).substr(0, 16));
  tell_lifted(table);
  write_notice(warned_runs_text(ensemble::warnings_of(table), table.n_runs));
  if (failed + refused > 0) {
    notice("{} no results; the column 'message' says why.\n",
           failed + refused == 1 ? "1 run has" : fmt::format("{} runs have", failed + refused));
    return exit_failed;
  }
  return unconverged > 0 ? exit_unconverged : exit_done;
}

void tell_then(const std::vector<ensemble::ThenRow>& rows) {
  for (const ensemble::ThenRow& row : rows) {
    output(
        "run {}: {:.4g} J on the wall, impulse {:.4g} N s, largest force {:.4g} N; {} of {} "
        "blocks moved by more than {:g} m, the farthest by {:.3g} m; {:.4g} J left; {}\n",
        row.run, row.energy, row.impulse, row.peak_force, row.displaced, row.blocks, row.moved,
        row.largest_displacement, row.energy_left, row.file);
  }
}

// A run again, as an ordinary scene with an ordinary result file.
int replay(const Ensemble& all, const EnsembleOptions& options) {
  const auto i = static_cast<std::size_t>(options.replay);
  require(i < all.runs().size(), "--replay",
          fmt::format("there is no run {}; the site has runs 0 to {}", i, all.runs().size() - 1));
  const std::string file =
      options.out.empty() ? fmt::format("{}-run-{}.h5", fs::path(options.scene).stem().string(), i)
                          : options.out;
  check_output_path(file, options.scene, options.force);
  check_result_name(file);
  const std::atomic<bool>& stop = stop_on_signal();
  const auto row = ensemble::run_rock(all, i, stop);
  if (!row) {
    notice("Stopped by a signal; nothing was written.\n");
    return exit_failed;
  }
  const ensemble::RunRow run = ensemble::run_of(*row);
  require(run.steps > 0, "--replay", fmt::format("run {} was {}: {}", i, run.status, run.message));
  const Scene& site = all.scene();
  const fs::path folder = fs::path(options.scene).parent_path();
  RunOverrides overrides;
  overrides.set = options.set;
  overrides.t_end = static_cast<double>(run.steps) * site.settings.time.dt;
  const std::string text = site.source + fmt::format("\n# Run {} of the ensemble.\n", i) +
                           ensemble::rock_text(ensemble::rock_scene(all, i).start, site,
                                               ensemble::rock_scene(all, i).model.name.back());
  Scene scene = parse_scene(
      text, options.scene,
      [&](const std::string& name) { return read_input_file((folder / name).string()); },
      change_by(overrides));
  take_initial_state(scene);
  CommandRun command{Simulation(std::move(scene)), false};
  command.simulation.record(file, options.force, to_text(overrides));
  return simulate(command);
}

int write_slurm(const EnsembleOptions& options) {
  const std::string file = fs::path(options.scene).stem().string() + ".sbatch";
  check_output_path(file, options.scene, options.force);
  write_file(file,
             ensemble::slurm_script({"scree", options.scene, options.out, settings_of(options),
                                     options.slurm, std::max(1, options.jobs)}));
  output("{} is the batch file of {} tasks: sbatch {}\n", file, options.slurm, file);
  return exit_done;
}

int merge_and_write(const Ensemble& all, const EnsembleOptions& options, ensemble::Farm& farm) {
  MemberStore store((fs::path(options.out) / runs_folder).string(), all.table(), options.force,
                    pause_between_writes);
  for (const std::string& part : part_folders(options.out)) {
    if (options.force) {
      MemberStore(part, all.table(), true).remove();
    } else {
      store.adopt(part);
    }
  }
  tell_damaged(store);
  if (store.n_done() > 0)
    notice("{} of {} runs are there from before.\n", store.n_done(), store.size());
  const std::atomic<bool>& stop = stop_on_signal();
  require(!options.merge || store.complete(), "--merge",
          fmt::format("{} of {} runs are missing; run their chunks first",
                      store.size() - store.n_done(), store.size()));
  std::optional<std::size_t> n_runs;
  {
    RunsProgress progress;
    n_runs = run_batches(
        all, store,
        {jobs_of(options, farm), [&](std::size_t i) { return ensemble::run_rock(all, i, stop); },
         &stop, [&](std::size_t done, std::size_t n) { progress.update(done, n); }},
        farm);
  }
  if (!n_runs) {
    notice("Stopped by a signal; {} of {} runs are kept in {}. The same command goes on.\n",
           store.n_done(), store.size(), options.out);
    return exit_failed;
  }
  const RunTable table{store, *n_runs};
  const ensemble::BarrierTable barriers = ensemble::barrier_table(all, table);
  write_outputs(all, table, options, barriers);
  tell_barriers(barriers, all.site().confidence);
  const int code = conclude(table, options);
  if (options.then.empty()) return code;
  const std::vector<ensemble::ThenRow> rows =
      ensemble::run_then(all, table,
                         {options.then, options.barrier, static_cast<std::size_t>(options.worst),
                          (fs::path(options.out) / "then").string(), options.force},
                         stop);
  write_file((fs::path(options.out) / "then.csv").string(), ensemble::then_csv(rows));
  tell_then(rows);
  return code;
}

void refuse_contradictions(const EnsembleOptions& options) {
  const int modes = (options.chunk.empty() ? 0 : 1) + (options.merge ? 1 : 0) +
                    (options.slurm > 0 ? 1 : 0) + (options.replay >= 0 ? 1 : 0);
  require(modes <= 1, "--chunk", "give one of --chunk, --merge, --slurm and --replay");
  require(options.then.empty() || options.replay < 0, "--then", "is not for --replay");
  require(options.then.empty() || (options.chunk.empty() && options.slurm == 0), "--then",
          "needs all runs; give it with --merge, or alone");
  require(options.barrier.empty() || !options.then.empty(), "--barrier",
          "says where rocks are handed over to the scene of --then, which is not given");
  map_formats(options.maps);
  if (!options.chunk.empty()) share_of(options.chunk);
}

int run_ensemble(EnsembleOptions options) {
  refuse_contradictions(options);
  ensemble::Farm farm;
  require(farm.size() == 1 || (options.chunk.empty() && options.slurm == 0 && options.replay < 0),
          "mpirun", "is for whole ensembles, without --chunk, --slurm and --replay");
  std::optional<Ensemble> all;
  try {
    all.emplace(read_site(options));
  } catch (const InputError&) {
    if (farm.rank() > 0) return exit_bad_input;  // rank 0 tells
    throw;
  }
  if (farm.rank() > 0) {
    const std::atomic<bool>& stop = stop_on_signal();
    farm.serve([&](std::size_t i) { return ensemble::run_rock(*all, i, stop); });
    return exit_done;
  }
  if (options.replay >= 0) return replay(*all, options);
  if (options.out.empty()) options.out = fs::path(options.scene).stem().string() + "-ensemble";
  if (options.slurm > 0) return write_slurm(options);
  if (!options.then.empty())
    ensemble::check_then(*all, {options.then, options.barrier, 1, "", false});
  prepare_folder(options.out, options.force);
  if (!options.merge) {
    for (const std::string& text : all->site().notes) notice("{}\n", text);
    if (!all->scene().settings.stop.wanted())
      notice("The scene has no [stop]: a run goes on to the end of its time, also at rest.\n");
  }
  return options.chunk.empty() ? merge_and_write(*all, options, farm)
                               : run_chunk(*all, options, farm);
}

void add_options(CLI::App& command, EnsembleOptions& options) {
  command.add_option("scene", options.scene, "Scene file (TOML) with [ensemble]")
      ->required()
      ->type_name("SITE.toml");
  command
      .add_option("-o,--out", options.out,
                  "Folder for table, maps and page; default: SITE-ensemble in the working folder. "
                  "With --replay the result file")
      ->type_name("FOLDER");
  command.add_option("-j,--jobs", options.jobs, "Runs at a time; default: one a processor")
      ->check(choices::thread_count(1));
  add_set_option(command, options.set);
  command
      .add_option("--maps", options.maps,
                  "Formats of the maps: asc (ESRI ASCII), tif (GeoTIFF); default both")
      ->type_name("LIST");
  command
      .add_option("--worst", options.worst,
                  "How many of the worst runs the page shows, or strike the scene of --then; "
                  "default 5")
      ->check(choices::integer_within(0, 1000));
  command
      .add_option("--replay", options.replay,
                  "Run this one of the table again and write an ordinary result file")
      ->check(choices::integer_within(0, std::numeric_limits<std::int64_t>::max()))
      ->type_name("RUN");
  command
      .add_option("--then", options.then,
                  "A scene with a wall, in the coordinates of the site, that the worst rocks then "
                  "strike")
      ->type_name("WALL.toml");
  command
      .add_option("--barrier", options.barrier,
                  "Line of the site at which rocks are handed over to that scene")
      ->type_name("NAME");
  command
      .add_option("--chunk", options.chunk,
                  "Compute part I of N only (I from 0), for arrays of jobs; --merge puts all "
                  "together")
      ->type_name("I/N");
  command.add_flag("--merge", options.merge, "Only put the parts together; all must be there");
  command
      .add_option("--slurm", options.slurm,
                  "Write SITE.sbatch, a Slurm array of this many tasks of --jobs processors")
      ->check(choices::integer_within(1, most_tasks))
      ->type_name("TASKS");
  command.add_flag("--force", options.force,
                   "Drop runs of another ensemble in the folder, and replace files");
}

}  // namespace

void add_ensemble_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<EnsembleOptions>();
  CLI::App* command = app.add_subcommand(
      "ensemble", "Let many rocks fall on a site: a row a run, maps, percentiles at lines");
  add_options(*command, *options);
  command->footer(
      "An ensemble that was stopped or killed goes on when it is started again with the same "
      "options. All files have the same bytes for any number of jobs, as parts of an array, and "
      "under mpirun (in a build with -DSCREE_MPI=ON), where rank 0 hands out the runs. Each run "
      "uses one thread. A run that cannot start, fails or does not converge is a row that says so, "
      "and the exit code is 1 or 3.");
  command->callback([options, &exit_code] { exit_code = run_ensemble(*options); });
}

}  // namespace scree
