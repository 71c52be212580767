#include "tools/cli/study_press.hpp"

#include <fmt/format.h>

#include <algorithm>
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
#include "tools/study/press_member.hpp"
#include "tools/study/press_results.hpp"

namespace scree {
namespace {

using study::PressKind;
using study::PressMember;
using study::PressSetup;

struct PressOptions {
  PressSetup setup;
  std::vector<double> frictions, packing_frictions = {0.0};
  std::vector<double> pressures, unload;  // [Pa] up, and down again
  std::vector<std::int64_t> seeds = {1};
  std::optional<std::int64_t> grains, across;
  std::optional<double> strain, inertial;
  double angle = 20.9;
  int jobs = 0, threads = 0;
  bool quick = false, force = false;
};

// What is not given: long or quick.
void fill_in(PressOptions& options) {
  PressSetup& setup = options.setup;
  const bool quick = options.quick;
  if (setup.kind == PressKind::oedometer) {
    if (options.frictions.empty()) options.frictions = {0.5};
    const bool given = !options.pressures.empty();
    if (!given)
      options.pressures = quick ? std::vector<double>{200, 800, 3200}
                                : std::vector<double>{100, 200, 400, 800, 1600, 3200, 6400, 12800};
    if (!given && options.unload.empty())
      options.unload = quick ? std::vector<double>{800} : std::vector<double>{3200, 800, 200};
    require(std::is_sorted(options.pressures.begin(), options.pressures.end()), "--pressures",
            "must grow from stage to stage, as 100,200,400; --unload has those that come after");
    require(std::is_sorted(options.unload.rbegin(), options.unload.rend()) &&
                (options.unload.empty() || options.unload.front() < options.pressures.back()),
            "--unload", "must fall from stage to stage, from below the largest of --pressures");
    setup.pressures = options.pressures;
    setup.pressures.insert(setup.pressures.end(), options.unload.begin(), options.unload.end());
    setup.grains = options.grains.value_or(quick ? 300 : 2000);
    setup.across = static_cast<int>(options.across.value_or(quick ? 6 : 12));
    if (setup.folder.empty()) setup.folder = "oedometer-study";
    return;
  }
  if (options.frictions.empty()) options.frictions = {0.3};
  setup.grains = options.grains.value_or(quick ? 200 : 2000);
  setup.strain = options.strain.value_or(quick ? 0.1 : 0.2);
  setup.inertial = options.inertial.value_or(quick ? 2e-3 : 1e-3);
  if (setup.folder.empty()) setup.folder = "biaxial-study";
}

std::vector<PressMember> members_of(const PressOptions& options) {
  std::vector<PressMember> members;
  const bool biaxial = options.setup.kind == PressKind::biaxial;
  for (const double friction : options.frictions) {
    for (const double packing : biaxial ? options.packing_frictions : std::vector<double>{0.0}) {
      for (const std::int64_t seed : options.seeds) members.push_back({seed, friction, packing});
    }
  }
  return members;
}

// All members must be possible before the first one starts, and replace no results of others unless
// `force` is set.
void check_members(const PressOptions& options, const std::vector<PressMember>& members) {
  std::set<std::string> names;
  for (const PressMember& member : members) {
    const std::string name = member.name(options.setup.kind);
    require(names.insert(name).second, "study",
            fmt::format(
                "two members would be called {}; their numbers must differ in the first six digits",
                name));
    const Scene scene = study::press_member_scene(options.setup, member);
    refuse_overlaps(scene, overlaps_at_start(scene));
    if (!options.force) study::refuse_other_press(options.setup, member, scene);
  }
}

StudyRow row_of_failed(PressKind kind, const PressMember& member, const std::string& why) {
  StudyRow row = {
      {"member", member.name(kind)}, {"seed", member.seed}, {"friction", member.friction}};
  if (kind == PressKind::biaxial) row["packing_friction"] = member.packing_friction;
  return failed_row(std::move(row), why);
}

std::string outcome_of(PressKind kind, const StudyRow& row) {
  const auto number = [&](const char* key) { return row.at(key).get<double>(); };
  std::string text =
      kind == PressKind::oedometer
          ? fmt::format("K0 {:.3f}, void ratio {:.3f}, {:.0f} s", number("K0"),
                        number("void_ratio"), number("seconds"))
          : fmt::format("phi {:.1f} at the peak, {:.1f} degrees at the end, {:.0f} s",
                        number("phi_peak_deg"), number("phi_critical_deg"), number("seconds"));
  return text + unconverged_text(row);
}

std::string command_of(const PressOptions& options) {
  const PressSetup& setup = options.setup;
  const std::string common = fmt::format(
      "--grains {} --shape {} --wall-friction {:g} --law {} --theta {:g} --tolerance {:g} --step "
      "{:g}",
      setup.grains, setup.shape, setup.wall_friction, setup.law, setup.theta, setup.tolerance,
      setup.step);
  if (setup.kind == PressKind::biaxial)
    return fmt::format("scree study biaxial {} --strain {:g} --inertial {:g}", common, setup.strain,
                       setup.inertial);
  const auto list = [](const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += fmt::format("{}{:g}", text.empty() ? "" : ",", value);
    return text;
  };
  const std::string unload = options.unload.empty() ? "" : " --unload " + list(options.unload);
  return fmt::format("scree study oedometer {} --across {} --pressures {}{}", common, setup.across,
                     list(options.pressures), unload);
}

int run_press_study(PressOptions options) {
  fill_in(options);
  const PressSetup& setup = options.setup;
  study::PressResults results;
  results.kind = setup.kind, results.shape = setup.shape, results.angle = options.angle;
  const std::vector<PressMember> members = members_of(options);
  check_members(options, members);
  make_folder(setup.folder, "--out", true);
  const FolderClaim claim(setup.folder);
  const auto file = [&](const char* name) {
    return (std::filesystem::path(setup.folder) / name).string();
  };
  results.curves.resize(members.size());
  StudyMembers runs;
  for (const PressMember& member : members) runs.name.push_back(member.name(setup.kind));
  runs.jobs = options.jobs, runs.threads = options.threads;
  runs.run = [&](std::size_t i, int threads, const std::atomic<bool>& stop) {
    study::PressMeasures found = study::run_press_member(setup, members[i], threads, stop);
    results.curves[i] = std::move(found.curve);
    return std::move(found.row);
  };
  runs.failed = [&](std::size_t i, const std::string& why) {
    return row_of_failed(setup.kind, members[i], why);
  };
  runs.outcome = [&](const StudyRow& row) { return outcome_of(setup.kind, row); };
  runs.write = [&](const std::vector<StudyRow>& rows) {
    results.rows = rows;
    write_file(file("results.csv"), study::results_csv(rows));
    write_file(file("results.svg"), study::press_figures(results));
    write_file(file("page.html"), study::press_page(results, command_of(options)));
  };
  const StudyEnd end = run_study(runs);
  results.rows = end.rows;
  write_output(study::press_text(results));
  output("{}/results.csv, results.svg and page.html hold {} of {} members.\n", setup.folder,
         end.done, members.size());
  return end.exit_code;
}

void add_common(CLI::App& command, PressOptions& options, const char* grains,
                const std::vector<std::string>& shapes) {
  PressSetup& setup = options.setup;
  setup.shape = shapes.front();
  add_list_option(command, "--seeds", options.seeds, "Seeds, as 1,2,3; default 1",
                  choices::integer_within(0, std::numeric_limits<std::int64_t>::max()));
  command.add_option("--grains", options.grains, grains)
      ->check(choices::integer_within(10, 1000000));
  command.add_option("--wall-friction", setup.wall_friction, "Friction of grains with the walls")
      ->check(choices::number_within(0.0, 10.0))
      ->capture_default_str();
  add_scheme_options(command, setup.law, setup.theta, setup.tolerance);
  command
      .add_option("--step", setup.step,
                  "Step, of the time d sqrt(rho / p) in which a grain gives way under the largest "
                  "pressure")
      ->check(choices::number_within(1e-4, 1.0))
      ->capture_default_str();
  command.add_option("-o,--out", setup.folder, "Folder for all results")->type_name("FOLDER");
  add_run_options(command, options.jobs, options.threads, options.quick, options.force,
                  "Few grains and stages, unless given");
  command.footer(
      "A study that was stopped goes on when it is started again with the same options, also in "
      "the middle of a member. Each member is a scene, NAME.toml, that scree run takes as well. "
      "Columns and guide: scenes/loads/presses.md.");
}

}  // namespace

void add_press_studies(CLI::App& study, int& exit_code) {
  CLI::App* oedometer = study.add_subcommand(
      "oedometer", "Grains in a box under a lid: settlement, K0, void ratio over pressure");
  const auto of_oedometer = std::make_shared<PressOptions>();
  PressSetup& box = of_oedometer->setup;
  box.kind = PressKind::oedometer;
  add_list_option(*oedometer, "--pressures", of_oedometer->pressures,
                  "Pressures of the stages, growing [Pa]; default 100,200,400,...,12800, quick "
                  "200,800,3200",
                  choices::number_within(1e-3, 1e12));
  add_list_option(*oedometer, "--unload", of_oedometer->unload,
                  "Pressures of the stages after these, falling [Pa]; default 3200,800,200, quick "
                  "800, none where --pressures are given",
                  choices::number_within(1e-3, 1e12));
  add_list_option(*oedometer, "--friction", of_oedometer->frictions,
                  "Friction among grains, as 0.3,0.5; default 0.5",
                  choices::number_within(0.0, 10.0));
  oedometer
      ->add_option("--across", of_oedometer->across,
                   "Sides of the box in grains; default 12, quick 6")
      ->check(choices::integer_within(3, 1000));
  oedometer
      ->add_option(
          "--angle", of_oedometer->angle,
          "Critical angle of friction [degrees], for Jaky's K0; default that of glass beads")
      ->check(choices::number_within(0.0, 89.0))
      ->capture_default_str();
  add_common(*oedometer, *of_oedometer, "Number of grains; default 2000, quick 300",
             {"sphere", "hull"});
  oedometer->add_option("--shape", box.shape, "Shape of the grains; hull: of a sphericity of 0.8")
      ->check(CLI::IsMember({"sphere", "hull"}))
      ->capture_default_str();
  oedometer->callback([of_oedometer, &exit_code] { exit_code = run_press_study(*of_oedometer); });

  CLI::App* biaxial = study.add_subcommand(
      "biaxial", "Plane grains under a platen at constant side pressure: strength and dilation");
  const auto of_biaxial = std::make_shared<PressOptions>();
  PressSetup& plane = of_biaxial->setup;
  plane.kind = PressKind::biaxial;
  add_list_option(*biaxial, "--friction", of_biaxial->frictions,
                  "Friction among grains, as 0.3,0.5; default 0.3",
                  choices::number_within(0.0, 10.0));
  add_list_option(*biaxial, "--packing-friction", of_biaxial->packing_frictions,
                  "Friction while they are packed, as 0,0.3: the more, the looser; default 0",
                  choices::number_within(0.0, 10.0));
  biaxial->add_option("--strain", of_biaxial->strain, "Axial strain; default 0.2, quick 0.1")
      ->check(choices::number_within(0.01, 0.6));
  biaxial
      ->add_option("--inertial", of_biaxial->inertial,
                   "Inertial number, rate of strain times d sqrt(rho / p); default 0.001, quick "
                   "0.002")
      ->check(choices::number_within(1e-6, 0.1));
  add_common(*biaxial, *of_biaxial, "Number of grains; default 2000, quick 200",
             {"disc", "polygon"});
  biaxial->add_option("--shape", plane.shape, "Shape of the grains; polygon: of 5 to 8 corners")
      ->check(CLI::IsMember({"disc", "polygon"}))
      ->capture_default_str();
  biaxial->callback([of_biaxial, &exit_code] { exit_code = run_press_study(*of_biaxial); });
}

}  // namespace scree
