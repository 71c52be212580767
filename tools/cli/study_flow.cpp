#include "tools/cli/study_flow.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <set>

#include "engine/base/check.hpp"
#include "engine/files/output_claim.hpp"
#include "scenes/read/scene_file.hpp"
#include "tools/cli/study_members.hpp"
#include "tools/common/console.hpp"
#include "tools/common/list_option.hpp"
#include "tools/common/number_choices.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/output_path.hpp"
#include "tools/common/solver_choices.hpp"
#include "tools/study/column_results.hpp"
#include "tools/study/flow_member.hpp"
#include "tools/study/flow_results.hpp"

namespace scree {
namespace {

using study::FlowKind;
using study::FlowMember;
using study::FlowSetup;

struct FlowOptions {
  FlowSetup setup;
  std::vector<double> values, frictions = {0.5}, restitutions = {0.1};
  std::vector<std::int64_t> seeds = {1};
  std::optional<std::int64_t> grains, across;
  std::optional<double> settle, measure;
  std::string shear;  // folder of a study of shear
  int jobs = 0, threads = 0;
  bool quick = false, force = false;
};

// What is not given: long or quick.
void fill_in(FlowOptions& options) {
  FlowSetup& setup = options.setup;
  const bool shear = setup.kind == FlowKind::shear, quick = options.quick;
  if (options.values.empty()) {
    if (shear)
      options.values = quick ? std::vector<double>{0.02, 0.1, 0.4}
                             : std::vector<double>{1e-3, 0.01, 0.03, 0.1, 0.25, 0.5};
    else
      options.values = quick ? std::vector<double>{24.0, 27.0}
                             : std::vector<double>{18.0, 20.0, 22.0, 24.0, 26.0, 28.0, 30.0};
  }
  setup.grains = options.grains.value_or(quick ? 300 : 2000);
  setup.across = static_cast<int>(options.across.value_or(quick ? 6 : shear ? 12 : 10));
  setup.settle = options.settle.value_or(shear ? (quick ? 2.0 : 5.0) : (quick ? 100.0 : 400.0));
  setup.measure = options.measure.value_or(shear ? (quick ? 3.0 : 5.0) : (quick ? 100.0 : 200.0));
  if (setup.folder.empty()) setup.folder = shear ? "shear-study" : "chute-study";
}

std::vector<FlowMember> members_of(const FlowOptions& options) {
  std::vector<FlowMember> members;
  for (const double friction : options.frictions) {
    for (const double restitution : options.restitutions) {
      for (const double value : options.values) {
        for (const std::int64_t seed : options.seeds)
          members.push_back({value, seed, friction, restitution});
      }
    }
  }
  return members;
}

// All members must be possible before the first one starts, and replace no results of others unless
// `force` is set.
void check_members(const FlowOptions& options, const std::vector<FlowMember>& members) {
  std::set<std::string> names;
  for (const FlowMember& member : members) {
    require(names.insert(member.name(options.setup.kind)).second, "study",
            fmt::format(
                "two members would be called {}; their numbers must differ in the first six digits",
                member.name(options.setup.kind)));
    const Scene scene = study::flow_member_scene(options.setup, member);
    refuse_overlaps(scene, overlaps_at_start(scene));
    if (!options.force) study::refuse_other_flow(options.setup, member, scene);
  }
}

StudyRow row_of_failed(FlowKind kind, const FlowMember& member, const std::string& why) {
  return failed_row({{"member", member.name(kind)},
                     {kind == FlowKind::shear ? "inertial_asked" : "slope_deg", member.value},
                     {"seed", member.seed},
                     {"friction", member.friction},
                     {"restitution", member.restitution}},
                    why);
}

std::string outcome_of(const StudyRow& row) {
  const auto number = [&](const char* key) { return row.at(key).get<double>(); };
  std::string text = fmt::format("I {:.3g}, mu {:.4f}, packing {:.4f}, {:.0f} s",
                                 number("inertial"), number(row.contains("mu") ? "mu" : "mu_bulk"),
                                 number("packing"), number("seconds"));
  if (row.contains("flow")) text += ", " + row.at("flow").get<std::string>();
  return text + unconverged_text(row);
}

std::string command_of(const FlowOptions& options) {
  const FlowSetup& setup = options.setup;
  return fmt::format(
      "scree study {} --grains {} --across {} --shape {} --law {} --theta {:g} --tolerance {:g} "
      "--step {:g} --settle {:g} --measure {:g}",
      setup.kind == FlowKind::shear ? "shear" : "chute", setup.grains, setup.across, setup.shape,
      setup.law, setup.theta, setup.tolerance, setup.step, setup.settle, setup.measure);
}

int run_flow_study(FlowOptions options) {
  fill_in(options);
  const FlowSetup& setup = options.setup;
  study::FlowResults results;
  results.kind = setup.kind;
  if (!options.shear.empty())
    results.reference =
        study::read_friction((std::filesystem::path(options.shear) / "fit.json").string());
  const std::vector<FlowMember> members = members_of(options);
  check_members(options, members);
  make_folder(setup.folder, "--out", true);
  const FolderClaim claim(setup.folder);
  const auto file = [&](const char* name) {
    return (std::filesystem::path(setup.folder) / name).string();
  };
  results.profiles.resize(members.size());
  StudyMembers runs;
  for (const FlowMember& member : members) runs.name.push_back(member.name(setup.kind));
  runs.jobs = options.jobs, runs.threads = options.threads;
  runs.run = [&](std::size_t i, int threads, const std::atomic<bool>& stop) {
    study::FlowMeasures found = study::run_flow_member(setup, members[i], threads, stop);
    results.profiles[i] = std::move(found.profile);
    return std::move(found.row);
  };
  runs.failed = [&](std::size_t i, const std::string& why) {
    return row_of_failed(setup.kind, members[i], why);
  };
  runs.outcome = outcome_of;
  runs.write = [&](const std::vector<StudyRow>& rows) {
    results.rows = rows;
    write_file(file("results.csv"), study::results_csv(rows));
    write_file(file("results.svg"), study::flow_figures(results));
    write_file(file("fit.json"), study::fits_json(study::fit_flows(setup.kind, rows)));
    write_file(file("page.html"), study::flow_page(results, command_of(options)));
  };
  const StudyEnd end = run_study(runs);
  results.rows = end.rows;
  write_output(study::flow_text(results));
  output("{}/results.csv, results.svg and page.html hold {} of {} members.\n", setup.folder,
         end.done, members.size());
  return end.exit_code;
}

void add_common(CLI::App& command, FlowOptions& options) {
  FlowSetup& setup = options.setup;
  add_list_option(command, "--seeds", options.seeds, "Seeds, as 1,2,3; default 1",
                  choices::integer_within(0, std::numeric_limits<std::int64_t>::max()));
  add_list_option(command, "--friction", options.frictions,
                  "Friction among grains and with the plates, as 0.3,0.5; default 0.5",
                  choices::number_within(0.0, 10.0));
  add_list_option(command, "--restitution", options.restitutions,
                  "Restitution, as 0,0.5; default 0.1", choices::number_within(0.0, 1.0));
  command.add_option("--shape", setup.shape, "Shape of the grains; hull: of a sphericity of 0.8")
      ->check(CLI::IsMember({"sphere", "hull"}))
      ->capture_default_str();
  command.add_option("--grains", options.grains, "Number of grains; default 2000, quick 300")
      ->check(choices::integer_within(10, 1000000));
  command
      .add_option("--across", options.across,
                  "Length of the cell in grains; its width is as near to that as the rows of a "
                  "plate allow")
      ->check(choices::integer_within(3, 1000));
  add_scheme_options(command, setup.law, setup.theta, setup.tolerance);
  command
      .add_option("--step", setup.step,
                  "Longest step, of the time d sqrt(rho / P) in which a grain gives way")
      ->check(choices::number_within(1e-4, 1.0))
      ->capture_default_str();
  command.add_option("-o,--out", setup.folder, "Folder for all results")->type_name("FOLDER");
  add_run_options(command, options.jobs, options.threads, options.quick, options.force,
                  "Few grains and members, unless given");
  command.footer(
      "A study that was stopped goes on when it is started again with the same options, also in "
      "the middle of a member. Each member is a scene, NAME.toml, that scree run takes as well. "
      "Columns and guide: scenes/periodic/README.md.");
}

}  // namespace

void add_flow_studies(CLI::App& study, int& exit_code) {
  CLI::App* shear = study.add_subcommand(
      "shear", "Plane shear between rough plates under a pressure: mu(I) and packing");
  const auto of_shear = std::make_shared<FlowOptions>();
  of_shear->setup.kind = FlowKind::shear;
  add_list_option(*shear, "--inertial", of_shear->values,
                  "Inertial numbers, as 0.01,0.1; default 0.001,0.01,0.03,0.1,0.25,0.5, quick "
                  "0.02,0.1,0.4",
                  choices::number_within(1e-5, 2.0));
  shear->add_option("--settle", of_shear->settle, "Strain before it measures; default 5, quick 2")
      ->check(choices::number_within(0.01, 1000.0));
  shear
      ->add_option("--measure", of_shear->measure,
                   "Strain that it measures over; default 5, "
                   "quick 3")
      ->check(choices::number_within(0.01, 1000.0));
  add_common(*shear, *of_shear);
  shear->callback([of_shear, &exit_code] { exit_code = run_flow_study(*of_shear); });

  CLI::App* chute =
      study.add_subcommand("chute", "Layers that flow down rough slopes: profiles, flux, mu(I)");
  const auto of_chute = std::make_shared<FlowOptions>();
  of_chute->setup.kind = FlowKind::chute;
  add_list_option(*chute, "--slopes", of_chute->values,
                  "Slopes [degrees]; default 18,20,22,24,26,28,30, quick 24,27",
                  choices::number_within(0.1, 60.0));
  chute
      ->add_option("--settle", of_chute->settle,
                   "Time before it measures [sqrt(d / g)]; default 400, quick 100")
      ->check(choices::number_within(0.1, 1e5));
  chute
      ->add_option("--measure", of_chute->measure,
                   "Time that it measures over [sqrt(d / g)]; default 200, quick 100")
      ->check(choices::number_within(0.1, 1e5));
  chute->add_option("--shear", of_chute->shear, "Folder of a study of shear, to compare with")
      ->type_name("FOLDER");
  add_common(*chute, *of_chute);
  chute->callback([of_chute, &exit_code] { exit_code = run_flow_study(*of_chute); });
}

}  // namespace scree
