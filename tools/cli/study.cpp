#include "tools/cli/study.hpp"

#include <fmt/format.h>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>

#include "engine/base/check.hpp"
#include "engine/base/input_file.hpp"
#include "engine/files/output_claim.hpp"
#include "scenes/read/scene_file.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/study_flow.hpp"
#include "tools/cli/study_members.hpp"
#include "tools/cli/study_press.hpp"
#include "tools/common/console.hpp"
#include "tools/common/list_option.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/output_path.hpp"
#include "tools/common/solver_choices.hpp"
#include "tools/report/facts.hpp"
#include "tools/study/column_measures.hpp"
#include "tools/study/column_member.hpp"
#include "tools/study/column_results.hpp"

namespace scree {
namespace {

using study::ColumnMember;
using study::ColumnTask;
using json = nlohmann::ordered_json;

struct StudyOptions {
  std::string scene, out;
  std::vector<double> aspects, frictions;
  std::vector<std::int64_t> seeds = {1};
  std::vector<std::string> shapes;
  study::ColumnOverrides overrides;
  int jobs = 0, threads = 0;
  bool quick = false, force = false;
};

std::vector<ColumnMember> members_of(const StudyOptions& options) {
  std::vector<ColumnMember> members;
  const std::vector<std::string> shapes =
      options.shapes.empty() ? std::vector<std::string>{""} : options.shapes;
  std::vector<std::optional<double>> frictions(options.frictions.begin(), options.frictions.end());
  if (frictions.empty()) frictions.emplace_back();
  for (const std::string& shape : shapes) {
    for (const auto& friction : frictions) {
      for (const double aspect : options.aspects) {
        for (const std::int64_t seed : options.seeds)
          members.push_back({aspect, seed, shape, friction});
      }
    }
  }
  return members;
}

void write_results(const std::string& folder, const std::vector<json>& rows, bool round) {
  const std::pair<const char*, std::string> files[] = {
      {"results.csv", study::results_csv(rows)}, {"results.svg", study::results_svg(rows, round)}};
  for (const auto& [name, text] : files) {
    write_file((std::filesystem::path(folder) / name).string(), text);
  }
}

void apply_quick(StudyOptions& options) {
  if (options.aspects.empty()) options.aspects = {0.5, 2.0};
  if (!options.overrides.grains && !options.overrides.length) options.overrides.grains = 500;
}

json failed_member(const ColumnMember& member, const std::string& why) {
  return failed_row({{"member", member.name()},
                     {"aspect", member.aspect},
                     {"seed", member.seed},
                     {"shape", member.shape},
                     {"friction", member.friction ? json(*member.friction) : json()}},
                    why);
}

// All members must be possible before the first one starts, and replace no results of others unless
// `force` is set. Returns whether the columns are round.
bool check_members(const ColumnTask& task, const std::vector<ColumnMember>& members, bool force) {
  bool round = false;
  std::set<std::string> names;
  for (const ColumnMember& member : members) {
    require(names.insert(member.name()).second, "study",
            fmt::format(
                "two members would be called {}; their numbers must differ in the first six digits",
                member.name()));
    const std::string name = task.scene_name + " (" + member.name() + ")";
    const Scene scene = study::packing_scene(task, member, name);
    refuse_overlaps(scene, overlaps_at_start(scene));
    // What only the collapse has is the same for all members, and grains take time to make.
    if (&member == &members.front())
      study::parse_member(task, study::collapse_scene(task, member, scene.settings.time.end), name);
    if (!force) study::refuse_other_results(task, member, scene);
    round = study::column_frame(scene.model, scene.state).round;
  }
  return round;
}

// Overlaps of grains that make a result doubtful. (The column is of the mean size.)
std::string overlap_note(const json& row) {
  const double depth = row.at("penetration_max_over_size").get<double>();
  return depth > report::deep_penetration
             ? fmt::format("; grains overlapped by up to {:.2g} of their size (use a smaller --dt)",
                           depth)
             : "";
}

// What the line about a member says.
std::string outcome(const json& row) {
  return fmt::format("run-out {:.3f}, packing {:.3f}, {:.0f} s{}{}",
                     row.at("run_out_mass_99").get<double>(),
                     row.at("packing_fraction").get<double>(), row.at("seconds").get<double>(),
                     row.at("packing_quiet").get<bool>() ? "" : "; let go while still moving",
                     row.at("collapse_quiet").get<bool>() ? "" : "; still moving at the end") +
         overlap_note(row);
}

int run_column_study(StudyOptions options) {
  if (options.quick) apply_quick(options);
  require(!options.aspects.empty(), "--aspect", "must be one aspect ratio or more, as 0.5,1,2");
  ColumnTask task{options.scene, read_input_file(options.scene), options.overrides, options.out, 1};
  if (task.folder.empty())
    task.folder = std::filesystem::path(options.scene).stem().string() + "-study";
  const std::vector<ColumnMember> members = members_of(options);
  const bool round = check_members(task, members, options.force);
  make_folder(task.folder, "--out", true);
  const FolderClaim claim(task.folder);

  StudyMembers runs;
  for (const ColumnMember& member : members) runs.name.push_back(member.name());
  runs.jobs = options.jobs, runs.threads = options.threads;
  runs.run = [&](std::size_t i, int threads, const std::atomic<bool>& stop) {
    ColumnTask own = task;
    own.threads = threads;
    return study::run_column_member(own, members[i], stop);
  };
  runs.failed = [&](std::size_t i, const std::string& why) {
    return failed_member(members[i], why);
  };
  runs.outcome = outcome;
  runs.write = [&](const std::vector<json>& rows) { write_results(task.folder, rows, round); };
  const StudyEnd end = run_study(runs);
  write_output(study::results_text(end.rows));
  output("{}/results.csv and results.svg hold {} of {} members.\n", task.folder, end.done,
         members.size());
  return end.exit_code;
}

}  // namespace

void add_study_command(CLI::App& app, int& exit_code) {
  CLI::App* study = app.add_subcommand("study", "Many runs of one scene: table and figure");
  study->require_subcommand(1);
  CLI::App* column = study->add_subcommand(
      "column", "Column collapse: run-out over aspect ratio, against published laws");
  const auto options = std::make_shared<StudyOptions>();
  column->add_option("scene", options->scene, "Scene file with a [column] and a [stop]")
      ->required()
      ->type_name("SCENE.toml");
  add_list_option(*column, "--aspect", options->aspects, "Aspect ratios, as 0.5,1,2",
                  choices::number_within(0.05, 100.0));
  add_list_option(*column, "--seeds", options->seeds, "Seeds, as 1,2,3; default 1",
                  choices::integer_within(0, std::numeric_limits<std::int64_t>::max()));
  add_list_option(*column, "--shapes", options->shapes,
                  "Shapes of the grains, as sphere,hull; default: that of the scene");
  add_list_option(
      *column, "--friction", options->frictions,
      "Friction of all pairs that have any, from 0 to 10, as 0.3,0.5; default: as in the scene",
      choices::number_within(0.0, 10.0));
  CLI::Option* grains =
      column->add_option("--grains", options->overrides.grains, "Number of grains of each column")
          ->check(choices::integer_within(1, 1000000));
  column
      ->add_option("--length", options->overrides.length,
                   "Initial length or radius in mean sizes; gives the number of grains")
      ->excludes(grains);
  column->add_option("--dt", options->overrides.dt, "Step length of the collapse [s]");
  column->add_option("--theta", options->overrides.theta, "Weight of the scheme in the collapse");
  column->add_option("--restitution", options->overrides.restitution, "Restitution of all pairs");
  column->add_option("--rolling", options->overrides.rolling,
                     "Rolling resistance of all pairs that have friction; round grains need some "
                     "to behave like sand");
  column->add_option("--spinning", options->overrides.spinning,
                     "Spinning resistance of all pairs that have friction; without, a ball may "
                     "turn on the spot for ever");
  column->add_option("--tolerance", options->overrides.tolerance,
                     "Tolerance of the solver in the collapse; with --dt, --theta and --method, "
                     "the fillings stay those of the scene");
  column->add_option("--method", options->overrides.method, "Method of the solver in the collapse")
      ->check(choices::one_of(choices::methods));
  column
      ->add_option("-o,--out", options->out,
                   "Folder for all results; default: the scene's name with -study")
      ->type_name("FOLDER");
  add_run_options(*column, options->jobs, options->threads, options->quick, options->force,
                  "500 grains and the aspect ratios 0.5 and 2, unless given");
  column->footer(
      "A study that was stopped goes on when it is started again with the same options, also in "
      "the middle of a member, and takes over finished members when it is started "
      "with more or fewer aspect ratios, seeds, shapes or frictions; the table holds those asked "
      "for. Columns: scenes/README.md.");
  column->callback([options, &exit_code] { exit_code = run_column_study(*options); });
  add_flow_studies(*study, exit_code);
  add_press_studies(*study, exit_code);
}

}  // namespace scree
