#include "tools/cli/analyse.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "engine/base/check.hpp"
#include "engine/files/result_reader.hpp"
#include "tools/analyse/coarse_graining.hpp"
#include "tools/analyse/fabric.hpp"
#include "tools/analyse/images.hpp"
#include "tools/analyse/packing.hpp"
#include "tools/analyse/rose.hpp"
#include "tools/analyse/tables.hpp"
#include "tools/common/console.hpp"
#include "tools/common/finite_json.hpp"
#include "tools/common/list_option.hpp"
#include "tools/common/number_choices.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/output_path.hpp"
#include "tools/export/picture_scenes.hpp"
#include "tools/plot/figure.hpp"

namespace scree {
namespace {

using analyse::Distributions;
using analyse::Fabric;
using analyse::FieldPoint;
using analyse::Packing;
using analyse::SampleBox;

struct AnalyseOptions {
  std::string run, out;
  bool force = false, json = false;
  bool fabric = false, profiles = false, fields = false, bodies = false;
  FrameChoice frames;
  std::optional<double> from;
  std::vector<std::string> only;
  std::string cell;   // as given
  std::string cells;  // as given
  std::string axis = "z";
  std::string kernel = "gaussian";
  double width = 0.0, depth = 1.0;  // [m]
  int bins = 20, rose_bins = 36, force_bins = 60;
  std::vector<const CLI::Option*> of_fields, of_profiles, of_fabric;
  const CLI::Option* of_planes = nullptr;
};

std::optional<SampleBox> parse_cell(const AnalyseOptions& options) {
  if (options.cell.empty()) return std::nullopt;
  const std::vector<double> x =
      parse_numbers("--cell", options.cell, 6,
                    "X0,Y0,Z0,X1,Y1,Z1, two corners of a box [m], for example 0,0,0,1,1,2");
  const SampleBox cell{Vector3(x[0], x[1], x[2]), Vector3(x[3], x[4], x[5])};
  for (int axis = 0; axis < 3; ++axis) {
    require(cell.low[axis] < cell.high[axis], "--cell",
            fmt::format("a cell without volume is not allowed: along {} it goes from {:g} to {:g} "
                        "m; the second corner must be above the first along each axis",
                        "xyz"[axis], cell.low[axis], cell.high[axis]));
  }
  return cell;
}

std::array<std::int32_t, 3> parse_cells(const AnalyseOptions& options, int plane_normal) {
  constexpr double most = 1e6;
  if (options.cells.empty()) {
    std::array<std::int32_t, 3> cells = {20, 20, 20};
    if (plane_normal >= 0) cells[static_cast<std::size_t>(plane_normal)] = 1;
    return cells;
  }
  const char* allowed = "NX,NY,NZ, three integers >= 1, a million points together at most";
  const std::vector<double> n = parse_numbers("--points", options.cells, 3, allowed);
  std::array<std::int32_t, 3> cells = {};
  for (std::size_t k = 0; k < 3; ++k) {
    require(n[k] >= 1.0 && n[k] <= most && n[k] == std::floor(n[k]) && n[0] * n[1] * n[2] <= most,
            "--points", fmt::format("'{}' is not {}", options.cells, allowed));
    cells[k] = static_cast<std::int32_t>(n[k]);
  }
  return cells;
}

// The files that a call writes, checked before anything is computed.
struct OutputNames {
  const AnalyseOptions& options;
  std::vector<std::string> names = {};

  std::string add(const char* what) {
    std::string name = options.out;
    name += what;
    check_output_path(name, options.run, options.force);
    names.push_back(name);
    return name;
  }
};

// The frames that options name; those without contacts are of the start.
std::vector<std::int64_t> chosen_frames(const AnalyseOptions& options,
                                        const ResultReader& results) {
  const std::vector<double> times = results.frame_times();
  require(!times.empty(), options.run, "holds no frames");
  if (!options.from) return choose_frames(options.frames, times);
  std::vector<std::int64_t> frames;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] >= *options.from - 1e-9 * std::max(1.0, std::abs(*options.from)))
      frames.push_back(static_cast<std::int64_t>(i));
  }
  require(!frames.empty(), "--from",
          fmt::format("{} s is after the last frame, at {} s", *options.from, times.back()));
  return frames;
}

// Around all bodies that move, in any of the packings: centres and arms of contacts.
SampleBox around(const std::vector<Packing>& packings, const Vector3& room) {
  Eigen::AlignedBox3d box;
  for (const Packing& packing : packings) {
    for (std::size_t i = 0; i < packing.centre.size(); ++i)
      if (packing.moves[i] != 0) box.extend(packing.centre[i]);
    for (const analyse::PackedContact& contact : packing.contacts) box.extend(contact.point);
  }
  require(!box.isEmpty(), "frames", "no body moves freely there, so there is nothing to analyse");
  const Vector3 slack = room + 1e-9 * (box.diagonal() + Vector3::Ones());
  SampleBox found{box.min() - slack, box.max() + slack};
  // What a periodic direction has is a period.
  const scree::Cell& world = packings.front().world;
  for (int axis = 0; axis < 3; ++axis) {
    if (world.length[axis] == 0.0) continue;
    found.low[axis] = world.corner[axis];
    found.high[axis] = world.corner[axis] + world.length[axis];
  }
  return found;
}

std::vector<plot::Panel> force_panels(const Distributions& found) {
  plot::Panel panel{"f / <f> [-]", "P(f / <f>) [-]", {}};
  panel.log_y = true;
  const auto add_curve = [&](const char* label, const std::vector<double>& values) {
    plot::Curve curve{label, {}, {}};
    for (std::size_t k = 0; k < values.size(); ++k) {
      curve.x.push_back(found.bin * (static_cast<double>(k) + 0.5));
      curve.y.push_back(values[k]);
    }
    if (!values.empty()) panel.curves.push_back(std::move(curve));
  };
  add_curve("normal forces", found.normal);
  add_curve("tangential forces", found.tangential);
  return {panel};
}

std::vector<plot::Panel> profile_panels(const std::vector<FieldPoint>& points, int axis) {
  const std::string label = fmt::format("{} [m]", "xyz"[axis]);
  std::vector<double> x;
  for (const FieldPoint& point : points) x.push_back(point.x[axis]);
  const auto curve = [&](std::string name, auto&& value) {
    plot::Curve made{std::move(name), x, {}};
    for (const FieldPoint& point : points) made.y.push_back(value(point));
    return made;
  };
  plot::Panel stress{label, "stress [Pa]", {}}, velocity{label, "velocity [m/s]", {}};
  for (std::size_t k = 0; k < 3; ++k) {
    stress.curves.push_back(curve(fmt::format("sigma_{}", measure::stress_axes[k]),
                                  [k](const FieldPoint& p) { return p.stress[k]; }));
    velocity.curves.push_back(curve(fmt::format("u_{}", "xyz"[k]), [k](const FieldPoint& p) {
      return p.velocity[static_cast<Eigen::Index>(k)];
    }));
  }
  stress.curves.push_back(
      curve("tau", [](const FieldPoint& p) { return measure::shear_of(p.stress); }));
  plot::Panel fraction{label, "solid fraction [-]", {}},
      temperature{label, "granular temperature [m2/s2]", {}};
  fraction.curves.push_back(
      curve("solid fraction", [](const FieldPoint& p) { return p.solid_fraction; }));
  temperature.curves.push_back(
      curve("granular temperature", [](const FieldPoint& p) { return p.temperature; }));
  return {stress, velocity, fraction, temperature};
}

void write_whole(const std::string& path, const std::string& text) {
  write_file(path, text);
  notice("wrote {}\n", path);
}

void say(const std::vector<Fabric>& fabrics, const std::optional<SampleBox>& cell, bool json) {
  if (json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Fabric& fabric : fabrics) {
      nlohmann::ordered_json one = {{"time", fabric.time}, {"frame", fabric.frame}};
      for (const analyse::NamedValue& value : numbers_of(fabric, cell))
        one[with_unit(value)] = finite_json(value.value);
      all.push_back(std::move(one));
    }
    return write_json({{"fabric", all}});
  }
  const Fabric& last = fabrics.back();
  std::string text = fmt::format("frame {} at t = {:.9g} s\n", last.frame, last.time);
  for (const analyse::NamedValue& value : numbers_of(last, cell))
    text += fmt::format("  {:<32} {:.6g} {}\n", value.name, value.value, value.unit);
  write_output(text);
}

// What each flag writes, by name.
struct Plan {
  std::string fabric, normals, normals_figure, forces, forces_figure;
  std::string profiles, profiles_figure, fields, bodies;
};

Plan plan_of(const AnalyseOptions& options) {
  OutputNames names{options};
  Plan plan;
  if (options.fabric) {
    plan.fabric = names.add("-fabric.csv");
    plan.normals = names.add("-normals.csv"), plan.normals_figure = names.add("-normals.svg");
    plan.forces = names.add("-forces.csv"), plan.forces_figure = names.add("-forces.svg");
  }
  if (options.profiles) {
    plan.profiles = names.add("-profiles.csv");
    plan.profiles_figure = names.add("-profiles.svg");
  }
  if (options.fields) plan.fields = names.add("-fields.csv");
  if (options.bodies) plan.bodies = names.add("-bodies.csv");
  return plan;
}

void refuse(const std::vector<const CLI::Option*>& given, const char* flag) {
  for (const CLI::Option* option : given) {
    require(option->count() == 0, option->get_name(),
            fmt::format("has no effect here; it goes with {}", flag));
  }
}

void check_options(const AnalyseOptions& options) {
  require(options.fabric || options.profiles || options.fields || options.bodies, "scree analyse",
          "what to analyse is missing; give --fabric, --profiles, --fields or --bodies");
  if (!options.fabric) refuse(options.of_fabric, "--fabric");
  if (!options.profiles) refuse(options.of_profiles, "--profiles");
  if (!options.fields) refuse(options.of_fields, "--fields");
  require(!options.fields || options.width > 0.0, "--width",
          "is missing; --fields needs the width of the kernel [m], about the diameter of a grain");
}

// Packings with what a box sees through the faces of a periodic world.
std::vector<Packing> seen_from(const std::vector<Packing>& packings, const Vector3& low,
                               const Vector3& high) {
  std::vector<Packing> seen;
  for (const Packing& packing : packings) seen.push_back(analyse::with_images(packing, low, high));
  return seen;
}

std::vector<FieldPoint> profile_of(const AnalyseOptions& options,
                                   const std::vector<Packing>& packings, const SampleBox& cell) {
  std::array<std::int32_t, 3> cells = {1, 1, 1};
  const std::size_t axis = options.axis == "x" ? 0 : options.axis == "y" ? 1 : 2;
  cells[axis] = options.bins;
  SampleBox region = cell;
  const int across = packings.front().plane_normal;
  require(across != static_cast<int>(axis), "--axis",
          "lies across the plane of the problem; must lie in it");
  if (across >= 0 && options.cell.empty()) {
    region.low[across] = packings.front().centre.front()[across] - 0.5 * options.depth;
    region.high[across] = region.low[across] + options.depth;
  }
  return analyse::cell_means(seen_from(packings, region.low, region.high),
                             {region.low, region.high, cells});
}

std::vector<FieldPoint> field_of(const AnalyseOptions& options,
                                 const std::vector<Packing>& packings, const SampleBox& cell) {
  const analyse::Kernel kernel{options.kernel == "gaussian" ? analyse::Kernel::Kind::gaussian
                                                            : analyse::Kernel::Kind::heaviside,
                               options.width, packings.front().plane_normal, options.depth};
  const measure::CellGrid grid{cell.low, cell.high,
                               parse_cells(options, packings.front().plane_normal)};
  std::vector<Vector3> points;
  for (std::size_t i = 0; i < grid.count(); ++i) points.push_back(grid.middle(i));
  const Vector3 reach = Vector3::Constant(kernel.reach());
  return analyse::fields_at(seen_from(packings, cell.low - reach, cell.high + reach), points,
                            kernel);
}

// Points where nothing is: zeros there are no measurement.
void say_empty(const std::string& file, const std::vector<FieldPoint>& points) {
  const auto empty =
      std::ranges::count_if(points, [](const FieldPoint& point) { return !(point.density > 0.0); });
  if (empty == 0) return;
  notice("{}: {} of {} points have no body near; their zeros say nothing\n", file, empty,
         points.size());
}

void say_empty(const std::vector<Fabric>& fabrics) {
  const auto empty =
      std::ranges::count_if(fabrics, [](const Fabric& fabric) { return fabric.contacts == 0; });
  if (empty == 0) return;
  notice(
      "{} of {} frames have no contact that carries a force and counts; their fabric says "
      "nothing\n",
      empty, fabrics.size());
}

void analyse_run(AnalyseOptions options) {
  check_options(options);
  if (options.out.empty()) options.out = std::filesystem::path(options.run).stem().string();
  const std::optional<SampleBox> cell = parse_cell(options);
  const Plan plan = plan_of(options);
  const ResultReader results(options.run);
  analyse::PackingReader reader(results);
  if (!options.only.empty()) reader.count_only(options.only);
  parse_cells(options, reader.plane_normal());
  require(reader.plane_normal() >= 0 || options.of_planes->count() == 0, "--depth",
          "has no effect here; it goes with plane problems ([world] plane)");
  std::vector<Packing> packings;
  for (const std::int64_t frame : chosen_frames(options, results))
    packings.push_back(reader.read(frame));
  const bool any_contact = std::ranges::any_of(
      packings, [](const Packing& packing) { return !packing.contacts.empty(); });
  if (!any_contact) notice("{}: no contact carries a force in these frames\n", options.run);
  // All is computed before anything is written.
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<Fabric> fabrics;
  const std::string title = results.title().empty() ? options.run : results.title();
  if (options.fabric) {
    const std::vector<Packing> seen = cell ? seen_from(packings, cell->low, cell->high) : packings;
    for (const Packing& packing : seen) fabrics.push_back(analyse::fabric_of(packing, cell));
    const Distributions found =
        analyse::distributions_of(seen, cell, options.rose_bins, options.force_bins);
    files.emplace_back(plan.fabric, fabric_csv(fabrics, cell));
    files.emplace_back(plan.normals, normals_csv(found));
    files.emplace_back(plan.normals_figure, analyse::draw_roses(found.roses, title));
    files.emplace_back(plan.forces, forces_csv(found));
    files.emplace_back(plan.forces_figure, plot::draw_svg(force_panels(found), title));
  }
  if (any_contact) say_empty(fabrics);
  if (options.profiles) {
    const std::vector<FieldPoint> profile =
        profile_of(options, packings, cell ? *cell : around(packings, Vector3::Zero()));
    say_empty(plan.profiles, profile);
    files.emplace_back(plan.profiles, field_csv(profile));
    const int axis = options.axis == "x" ? 0 : options.axis == "y" ? 1 : 2;
    files.emplace_back(plan.profiles_figure, plot::draw_svg(profile_panels(profile, axis), title));
  }
  if (options.fields) {
    const SampleBox region = cell ? *cell : around(packings, Vector3::Constant(options.width));
    const std::vector<FieldPoint> field = field_of(options, packings, region);
    say_empty(plan.fields, field);
    files.emplace_back(plan.fields, field_csv(field));
  }
  if (options.bodies) files.emplace_back(plan.bodies, bodies_csv(packings, results.bodies()));
  for (const auto& [path, text] : files) write_whole(path, text);
  if (!fabrics.empty()) say(fabrics, cell, options.json);
}

void add_frame_options(CLI::App& command, AnalyseOptions& options) {
  CLI::Option* const time =
      add_list_option(command, "--time,--times", options.frames.times,
                      "moments [s], separated by commas; default: the last frame");
  CLI::Option* const frame =
      command.add_option("--frame", options.frames.frame, "number of the frame, -1: the last")
          ->check(choices::frame_number());
  CLI::Option* const from = command.add_option(
      "--from", options.from, "all frames from this moment on [s]; fields are their means");
  time->excludes(frame)->excludes(from);
  frame->excludes(from);
}

void add_what(CLI::App& command, AnalyseOptions& options) {
  command.add_flag("--fabric", options.fabric,
                   "coordination, fabric tensor, anisotropies, networks (OUT-fabric.csv), "
                   "directions of normals (OUT-normals.csv, .svg), forces (OUT-forces.csv, .svg)");
  command.add_flag("--profiles", options.profiles,
                   "stress, density, velocity, granular temperature over an axis "
                   "(OUT-profiles.csv, .svg)");
  command.add_flag("--fields", options.fields,
                   "the same at points of a grid by coarse graining (OUT-fields.csv)");
  command.add_flag("--bodies", options.bodies,
                   "stress of each body from its contacts (OUT-bodies.csv)");
}

}  // namespace

void add_analyse_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<AnalyseOptions>();
  CLI::App* const command = app.add_subcommand(
      "analyse", "Stresses, fabric and continuum fields from the contacts of a result file");
  command->add_option("run", options->run, "result file with contacts")->required();
  add_what(*command, *options);
  command->add_option("-o,--out", options->out,
                      "what names of the files begin with; default: the run's without extension");
  command->add_flag("--force", options->force, "replace existing files");
  add_frame_options(*command, *options);
  command->add_option("--cell", options->cell,
                      "X0,Y0,Z0,X1,Y1,Z1 [m]: only what lies in this box; default: all");
  add_list_option(*command, "--only", options->only,
                  "names of bodies, wall-* for all that begin so, separated by commas: all others "
                  "count as walls");
  options->of_profiles = {
      command->add_option("--axis", options->axis, "of profiles: x, y or z")
          ->check(CLI::IsMember({"x", "y", "z"}))
          ->capture_default_str(),
      command->add_option("--bins", options->bins, "of profiles: slices along the axis")
          ->check(choices::integer_within(1, 100000))
          ->capture_default_str()};
  options->of_fields = {
      command
          ->add_option("--kernel", options->kernel,
                       "of fields: gaussian (its standard deviation is the width) or heaviside "
                       "(its radius)")
          ->check(CLI::IsMember({"gaussian", "heaviside"}))
          ->capture_default_str(),
      command->add_option("--width", options->width, "of fields: width of the kernel [m]")
          ->check(choices::positive_number()),
      command->add_option("--points", options->cells,
                          "of fields: NX,NY,NZ points; default 20,20,20, in plane problems one "
                          "across")};
  options->of_planes =
      command
          ->add_option("--depth", options->depth,
                       "of plane problems: what fields and profiles are deep across the plane [m]")
          ->check(choices::positive_number())
          ->capture_default_str();
  options->of_fabric = {
      command->add_option("--rose-bins", options->rose_bins, "of fabric: sectors of a rose")
          ->check(choices::integer_within(4, 720))
          ->capture_default_str(),
      command
          ->add_option("--force-bins", options->force_bins,
                       "of fabric: bins of the histogram of forces, up to 6 times the mean")
          ->check(choices::integer_within(2, 10000))
          ->capture_default_str(),
      command->add_flag("--json", options->json, "of fabric: one JSON object on standard output")};
  command->callback([options, &exit_code] {
    analyse_run(*options);
    exit_code = 0;
  });
}

}  // namespace scree
