// scree check: what a scene describes and every threshold that a run of it would use. Runs nothing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "contact/laws/activation.hpp"
#include "contact/solver/names.hpp"
#include "engine/base/check.hpp"
#include "engine/base/input_file.hpp"
#include "engine/contact_phase.hpp"
#include "engine/scene_warnings.hpp"
#include "engine/suggested_step.hpp"
#include "scenes/blocks/block_model.hpp"
#include "scenes/joints_of_model.hpp"
#include "scenes/read/ground_preset.hpp"
#include "scenes/read/plane_mode.hpp"
#include "scenes/read/preset.hpp"
#include "scenes/read/scene_file.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/measure_facts.hpp"
#include "tools/cli/run_overrides.hpp"
#include "tools/cli/scheme_facts.hpp"
#include "tools/cli/summary.hpp"
#include "tools/cli/terrain_facts.hpp"
#include "tools/common/console.hpp"
#include "tools/common/finite_json.hpp"
#include "tools/common/output_path.hpp"
#include "tools/common/warnings.hpp"
#include "tools/ensemble/describe.hpp"

namespace scree {
namespace {

constexpr std::size_t most_overlaps = 10;  // listed

struct Threshold {
  std::string name;
  double value;
  std::string unit, meaning;
};

struct Counts {
  std::int64_t fixed = 0, dynamic = 0, driven = 0, late = 0;
  double mass = 0.0;  // [kg] of the dynamic ones
};

Counts count_bodies(const Scene& scene) {
  Counts counts;
  const Model& model = scene.model;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    ++(model.kind[i] == BodyKind::fixed     ? counts.fixed
       : model.kind[i] == BodyKind::dynamic ? counts.dynamic
                                            : counts.driven);
    if (scene.state.active[i] == 0) ++counts.late;
    if (model.kind[i] == BodyKind::dynamic) counts.mass += model.mass[i];
  }
  return counts;
}

std::vector<Threshold> activation_thresholds(const Scene& scene, double size) {
  const double h = scene.settings.time.dt;
  const StepSettings& step = scene.settings.step;
  switch (step.activation) {
    case Activation::predict:
      break;
    case Activation::paper:
      return {
          {"activation paper", 0.0, "m", "a contact enters at gap <= 0 and approaching velocity"}};
    case Activation::forecast:
      return {{"activation forecast", h, "s",
               "a contact enters at gap + this u_N <= 0 and approaching velocity"}};
    case Activation::gamma:
      return {{"activation gamma", step.activation_gamma * h, "s",
               "a contact enters at gap + this u_N <= 0"}};
    case Activation::mid:
      return {{"activation mid", (1.0 - scene.settings.time.theta) * h, "s",
               "a contact enters at gap + this u_N <= 0"}};
  }
  return {{"touch", contact::touch_tolerance * size, "m",
           "a contact enters when its predicted gap is below this"},
          {"kept contact", h * h * scene.model.gravity.norm(), "m",
           "h^2 g: one that carried impulse stays while its gap is below this"},
          {"missed contact", -contact::miss_tolerance * size, "m",
           "one left out is added when its gap after the solve is below this"}};
}

std::vector<Threshold> thresholds(const Scene& scene) {
  const Settings& s = scene.settings;
  const double size = smallest_size(scene.model), h = s.time.dt;
  std::vector<Threshold> list = {
      {"overlap_tolerance", s.overlap_tolerance * size, "m",
       fmt::format("overlap allowed at the start, {:g} of the smaller body", s.overlap_tolerance)},
      {"reach", h * h * scene.model.gravity.norm() + reach_slack * 0.5 * size, "m",
       "pairs farther apart than this, and h times their speeds, are no candidates"}};
  list.push_back(
      {"coplanar", coplanar_tolerance * size, "m",
       fmt::format(
           "facets of a hull with corners this near one plane are one face, {:g} of the size",
           coplanar_tolerance)});
  for (Threshold& threshold : activation_thresholds(scene, size))
    list.push_back(std::move(threshold));
  list.push_back({"tolerance", s.step.solver.tolerance, "-",
                  fmt::format("residual that ends a solve, measure {}",
                              contact::name_of(s.step.solver.measure))});
  if (s.step.solver.measure == contact::Measure::combined) {
    list.push_back({"velocity_tolerance", contact::velocity_bound(s.step.solver), "-",
                    "velocity error of a contact that ends a solve, of what counts as much there"});
  }
  list.push_back({"max_iterations", static_cast<double>(s.step.solver.max_iterations), "-",
                  "sweeps before a solve is unconverged"});
  list.push_back({"min_iterations", static_cast<double>(s.step.solver.min_iterations), "-",
                  "sweeps done in any case"});
  list.push_back({"max_passes", static_cast<double>(s.step.max_passes), "-",
                  "gyroscopic passes before a step is unconverged"});
  list.push_back({"spin update", 4.0 * std::numeric_limits<double>::epsilon(), "-",
                  "relative change of a spin that ends its Newton iteration"});
  if (s.step.correction != PositionCorrection::none) {
    list.push_back({"correction_slop", s.step.correction_slop * size, "m",
                    "penetration left alone by the position correction"});
  }
  return list;
}

// "0 to 2 s", or nothing for what does not change.
std::string times_of(const Record& record) {
  if (record.time.size() == 1) return "";
  return fmt::format(", {} entries from {:g} to {:g} s{}", record.time.size(), record.time.front(),
                     record.time.back(), record.holds ? "" : ", zero outside");
}

double largest(const Record& record) {
  double most = 0.0;
  for (const Vector3& value : record.value) most = std::max(most, value.norm());
  return most;
}

// Where on its body a force acts.
std::string point_of(const Model& model, BodyIndex body, const Load& load) {
  if (load.central) return "at the centre of mass";
  const double arm = load.point.norm(), radius = model.radius[static_cast<std::size_t>(body)];
  return fmt::format("at a point {:.4g} m from the centre of mass{}", arm,
                     arm > radius * (1.0 + 1e-9)
                         ? fmt::format(", outside of the body ({:.4g} m at most)", radius)
                         : "");
}

// What acts on bodies besides gravity and contacts, a line each.
std::vector<std::string> load_lines(const Model& model) {
  std::vector<std::string> lines;
  for (const FieldRecord& field : model.field) {
    lines.push_back(fmt::format("all bodies: {} of up to {:.6g} m/s2{}",
                                field.ground ? "ground acceleration" : "field",
                                largest(field.acceleration), times_of(field.acceleration)));
  }
  for (const SteeredBody& steered : model.steered) {
    const std::string& name = model.name[static_cast<std::size_t>(steered.body)];
    for (std::int32_t i = steered.load_begin; i < steered.load_end; ++i) {
      const Load& load = model.loads[static_cast<std::size_t>(i)];
      const char* axes = load.axes == LoadAxes::world ? "world" : "body";
      if (!load.force.empty()) {
        lines.push_back(fmt::format("{}: {} of up to {:.6g} {}{}, {} axes, {}", name,
                                    load.span ? "pressure" : "force", largest(load.force),
                                    load.span ? "Pa" : "N", times_of(load.force), axes,
                                    point_of(model, steered.body, load)));
      }
      if (!load.torque.empty()) {
        lines.push_back(fmt::format("{}: torque of up to {:.6g} N m{}, {} axes", name,
                                    largest(load.torque), times_of(load.torque), axes));
      }
    }
    if (steered.drag.acts()) {
      lines.push_back(fmt::format("{}: drag {:g} N s/m, {:g} N m s", name, steered.drag.linear,
                                  steered.drag.angular));
    }
  }
  return lines;
}

// Which bodies are not free to move everywhere, those with the same freedom together.
std::vector<std::string> lock_lines(const Model& model) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const SteeredBody& steered : model.steered) {
    if (steered.freedom.is_whole()) continue;
    const auto i = static_cast<std::size_t>(steered.body);
    const std::string freedom = describe(steered.freedom, model.q_BU[i]);
    auto group = std::ranges::find(groups, freedom, &decltype(groups)::value_type::first);
    if (group == groups.end()) group = groups.insert(group, {freedom, {}});
    group->second.push_back(model.name[i]);
  }
  std::vector<std::string> lines;
  constexpr std::size_t most = 5;
  for (auto& [freedom, names] : groups) {
    const std::size_t count = names.size();
    names.resize(std::min(count, most));
    lines.push_back(fmt::format("{}{}: {}", fmt::join(names, ", "),
                                count > most ? fmt::format(", ... ({} bodies)", count) : "",
                                freedom));
  }
  return lines;
}

// At most so many lines, and how many more there are.
std::string first_lines(const char* title, const std::vector<std::string>& lines) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i)
    text += fmt::format("{:<13}{}\n", title, printable(lines[i]));
  if (lines.size() > most) text += fmt::format("{:<13}and {} more\n", title, lines.size() - most);
  return text;
}

// What was done to the corners of convex bodies so that their faces are flat.
struct HullChanges {
  std::int64_t shapes = 0;           // whose corners were moved
  double moved = 0.0, volume = 0.0;  // [m], [-] largest of them
};

HullChanges hull_changes(const Model& model) {
  HullChanges changes;
  for (const Shape& shape : model.shapes) {
    const auto* solid = std::get_if<ConvexPolyhedron>(&shape);
    if (solid == nullptr || solid->change.moved == 0.0) continue;
    ++changes.shapes;
    changes.moved = std::max(changes.moved, solid->change.moved);
    changes.volume = std::max(changes.volume, std::abs(solid->change.volume));
  }
  return changes;
}

// Where the numbers of pairs that name a kind of ground are from.
std::vector<std::string> ground_lines(const Scene& scene) {
  std::vector<std::string> lines;
  for (const AppliedGround& ground : scene.grounds) {
    std::string line =
        fmt::format("{} - {}: {}, {}; numbers of {}", ground.material_a, ground.material_b,
                    ground.name, ground.meaning, scenes::ground_preset_source);
    if (!ground.own.empty())
      line += fmt::format(", but the pair says {}, which is taken", ground.own);
    lines.push_back(std::move(line));
  }
  return lines;
}

// Every setting that the preset sets; what the scene itself says wins.
std::string preset_lines(const AppliedPreset& preset) {
  if (preset.use.empty()) {
    std::vector<std::string> uses;
    for (const scenes::Preset& known : scenes::presets()) uses.emplace_back(known.use);
    return fmt::format(
        "preset       none: what the scene leaves out has its general default; [preset] use is one "
        "of {}\n",
        fmt::join(uses, ", "));
  }
  std::string text = fmt::format("preset       {}: {}; sets\n", preset.use, preset.meaning);
  for (const AppliedPreset::Setting& setting : preset.settings) {
    text += fmt::format("             {} = {}", setting.field, setting.value);
    if (!setting.in_scene.empty()) {
      text += fmt::format(", but {} says {}, which is taken",
                          setting.edited ? "--set" : "the scene", setting.in_scene);
    }
    text += '\n';
  }
  return text;
}

nlohmann::ordered_json preset_json(const AppliedPreset& preset) {
  if (preset.use.empty()) return nullptr;
  nlohmann::ordered_json json = {{"use", preset.use}, {"sets", nlohmann::ordered_json::object()}};
  for (const AppliedPreset::Setting& setting : preset.settings) {
    json["sets"][setting.field] = {{"value", setting.value}, {"taken", setting.in_scene.empty()}};
  }
  return json;
}

struct Findings {
  Counts counts;
  SuggestedStep step;
  std::vector<collision::Overlap> overlaps;
  std::vector<RecordedWarning> warnings;
  JointSummary joints;
  std::optional<ensemble::Ensemble> ensemble;
  std::vector<std::string> names;  // of the bodies that the warnings are about
  std::string note;                // of runs of an ensemble that cannot start
};

nlohmann::ordered_json joints_json(const Model& model, const JointSummary& summary) {
  const auto name = [&](std::int32_t body) { return model.name[static_cast<std::size_t>(body)]; };
  nlohmann::ordered_json json = {{"blocks", summary.blocks},
                                 {"supports", summary.supports},
                                 {"not_convex", summary.compounds},
                                 {"joints", summary.joints.size()},
                                 {"area", summary.area}};
  const auto worst = [&](const blocks::Joint* joint, double value) -> nlohmann::ordered_json {
    if (joint == nullptr) return nullptr;
    return {{"a", name(joint->a)}, {"b", name(joint->b)}, {"size", value}};
  };
  json["worst_gap"] = worst(summary.gap, summary.gap == nullptr ? 0.0 : summary.gap->gap);
  json["worst_overlap"] =
      worst(summary.overlap, summary.overlap == nullptr ? 0.0 : summary.overlap->overlap);
  json["islands_without_support"] = nlohmann::ordered_json::array();
  for (const auto& island : summary.islands) {
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (const std::int32_t body : island) names.push_back(name(body));
    json["islands_without_support"].push_back(names);
  }
  json["without_joint"] = nlohmann::ordered_json::array();
  for (const std::int32_t body : summary.alone) json["without_joint"].push_back(name(body));
  return json;
}

// Null: the world is not periodic. A length of 0: not along that axis.
nlohmann::ordered_json periodic_json(const Cell& cell) {
  if (!cell.is_periodic()) return nullptr;
  return {{"length", {cell.length.x(), cell.length.y(), cell.length.z()}},
          {"corner", {cell.corner.x(), cell.corner.y(), cell.corner.z()}},
          {"shear_rate", cell.shear_rate},
          {"image_speed", cell.image_speed()}};
}

// What many steps take in any case: their rows in the tables, and the time of a scene of two
// bodies.
std::string least_cost(std::int64_t steps) {
  constexpr double bytes = 380.0, seconds = 2e-5;  // a step
  if (steps < 10'000'000) return "";
  const auto n = static_cast<double>(steps);
  return fmt::format("; at least {:.2g} GB of tables and {:.2g} hours", 1e-9 * bytes * n,
                     seconds * n / 3600.0);
}

std::string table(const Scene& scene, const Findings& found) {
  const Settings& s = scene.settings;
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{}\n", printable(scene.title.empty() ? scene.source_name : scene.title));
  fmt::format_to(
      out, "bodies       {} dynamic ({:.6g} kg), {} driven, {} fixed; {} of them appear later\n",
      found.counts.dynamic, found.counts.mass, found.counts.driven, found.counts.fixed,
      found.counts.late);
  for (const std::string& line : pair_lines(scene.model.materials, s))
    fmt::format_to(out, "pair         {}\n", line);
  text += first_lines("ground", ground_lines(scene));
  text += first_lines("load", load_lines(scene.model));
  text += terrain_lines(scene);
  if (scene.model.plane_normal >= 0)
    fmt::format_to(out, "plane        {}\n", scenes::plane_name(scene.model.plane_normal));
  if (const Cell& cell = scene.model.cell; cell.is_periodic()) {
    fmt::format_to(out, "periodic     {:g}, {:g}, {:g} m along x, y, z (0: not)", cell.length.x(),
                   cell.length.y(), cell.length.z());
    if (cell.is_sheared())
      fmt::format_to(out, ", sheared at {:g} 1/s, images at {:g} m/s", cell.shear_rate,
                     cell.image_speed());
    text += "\n";
  }
  text += first_lines("free", lock_lines(scene.model));
  text += preset_lines(scene.preset);
  fmt::format_to(out, "theta        {:g}, allowed from 0.5 to {:.9g}\n", s.time.theta,
                 largest_theta(scene.model));
  for (const SchemeChoice& choice : scheme_choices(s.step))
    fmt::format_to(out, "{:<13}{}: {}\n", choice.key, choice.value, choice.meaning);
  fmt::format_to(out, "dt           {:g} s, {} steps to t = {:g} s{}\n", s.time.dt,
                 s.time.last_step(), s.time.end, least_cost(s.time.last_step()));
  if (!std::isfinite(found.step.dt())) {
    text += "suggested dt none: no body with a size moves\n";
  } else {
    const bool heavy = std::isfinite(found.step.by_gravity),
               fast = std::isfinite(found.step.by_speed);
    fmt::format_to(out, "suggested dt {:.2g} s: {}", found.step.dt(),
                   heavy && fast ? "the smaller of " : "");
    if (fast) {
      fmt::format_to(out,
                     "{:.2g} s, in which a body at {:.3g} m/s (start and fall) moves 1/20 of\n"
                     "             the smallest thickness {:.3g} m",
                     found.step.by_speed, found.step.speed, found.step.smallest);
    }
    if (heavy) {
      fmt::format_to(out, "{}{:.2g} s = 0.1 sqrt(thickness / g)", fast ? ", and " : "",
                     found.step.by_gravity);
    }
    text += "\n";
  }
  if (const HullChanges hulls = hull_changes(scene.model); hulls.shapes > 0) {
    fmt::format_to(out,
                   "hulls        {} made flat: corners moved by up to {:.2g} m, volumes changed by "
                   "up to {:.2g}\n",
                   hulls.shapes, hulls.moved, hulls.volume);
  }
  fmt::format_to(out, "overlaps     {} at the start\n", found.overlaps.size());
  for (std::size_t i = 0; i < std::min(found.overlaps.size(), most_overlaps); ++i) {
    fmt::format_to(out, "             {}\n", describe(scene.model, found.overlaps[i]));
  }
  if (found.overlaps.size() > most_overlaps)
    fmt::format_to(out, "             and {} more\n", found.overlaps.size() - most_overlaps);
  if (!found.joints.joints.empty()) text += joint_lines(scene.model, found.joints);
  text += measure_lines(scene);
  if (found.ensemble) text += ensemble::ensemble_lines(*found.ensemble);
  if (!found.note.empty()) text += fmt::format("note         {}\n", printable(found.note));
  text += warnings_text(found.warnings);
  text += "thresholds\n";
  for (const Threshold& t : thresholds(scene)) {
    fmt::format_to(out, "  {:<18} {:>12.4g} {:<2} {}\n", t.name, t.value, t.unit, t.meaning);
  }
  return text;
}

nlohmann::ordered_json to_json(const Scene& scene, const Findings& found) {
  nlohmann::ordered_json json;
  json["scene"] = scene.source_name;
  json["title"] = scene.title;
  json["bodies"] = {{"dynamic", found.counts.dynamic},
                    {"driven", found.counts.driven},
                    {"fixed", found.counts.fixed},
                    {"late", found.counts.late}};
  json["mass"] = found.counts.mass;
  json["pairs"] = pair_lines(scene.model.materials, scene.settings);
  json["grounds"] = ground_lines(scene);
  json["loads"] = load_lines(scene.model);
  json["free"] = lock_lines(scene.model);
  json["terrain"] = terrain_json(scene);
  json["plane"] = nullptr;
  if (scene.model.plane_normal >= 0) json["plane"] = scenes::plane_name(scene.model.plane_normal);
  json["periodic"] = periodic_json(scene.model.cell);
  json["preset"] = preset_json(scene.preset);
  json["theta"] = {
      {"value", scene.settings.time.theta}, {"min", 0.5}, {"max", largest_theta(scene.model)}};
  for (const SchemeChoice& choice : scheme_choices(scene.settings.step))
    json["scheme"][choice.key] = choice.value;
  json["dt"] = scene.settings.time.dt;
  json["suggested_dt"] = {{"value", finite_json(found.step.dt())},
                          {"by_speed", finite_json(found.step.by_speed)},
                          {"by_gravity", finite_json(found.step.by_gravity)}};
  const HullChanges hulls = hull_changes(scene.model);
  json["hulls"] = {{"made_flat", hulls.shapes},
                   {"largest_move", hulls.moved},
                   {"largest_volume_change", hulls.volume}};
  json["overlaps"] = nlohmann::ordered_json::array();
  for (const collision::Overlap& overlap : found.overlaps) {
    json["overlaps"].push_back({{"a", scene.model.name[static_cast<std::size_t>(overlap.body_a)]},
                                {"b", scene.model.name[static_cast<std::size_t>(overlap.body_b)]},
                                {"depth", overlap.depth}});
  }
  json["joints"] = joints_json(scene.model, found.joints);
  json["measures"] = measures_json(scene);
  if (found.ensemble) {
    json["ensemble"] = ensemble::ensemble_json(*found.ensemble);
    if (!found.note.empty()) json["ensemble"]["notes"].push_back(found.note);
  }
  json["warnings"] = warnings_json(found.warnings, found.names);
  for (const Threshold& t : thresholds(scene)) {
    json["thresholds"][t.name] = {
        {"value", finite_json(t.value)}, {"unit", t.unit}, {"meaning", t.meaning}};
  }
  return json;
}

// What a run of the scene would warn of from the start.
WarningLog warnings_of(const Model& model, const Settings& settings, const State& state) {
  WarningLog log = state.warnings;
  log.set_raised(warnings_of_scene(model, settings, state));
  return log;
}

// What holds for a run: of an ensemble for its first one that can start, whose rock is not in the
// scene. Returns what is to be said of runs before that one.
template <class Use>
std::string with_moving(const Scene& scene, const std::optional<ensemble::Ensemble>& all,
                        Use&& use) {
  if (!all) {
    use(scene.model, scene.settings, scene.state);
    return "";
  }
  std::string why;
  for (std::size_t i = 0; i < all->runs().size(); ++i) {
    std::optional<ensemble::RockScene> first;
    try {
      first.emplace(ensemble::rock_scene(*all, i));
    } catch (const InputError& error) {
      if (why.empty()) why = fmt::format("run {} cannot start: {}", i, error.what());
      continue;
    }
    use(first->model, first->settings, first->state);
    const auto rock = static_cast<std::size_t>(first->rock);
    if (why.empty() && first->start.lifted > 2.0 * first->model.radius[rock])
      return fmt::format("run {} starts below the ground and is lifted by {:.4g} m", i,
                         first->start.lifted);
    return why.empty() ? "" : fmt::format("{}; step and warnings are those of run {}", why, i);
  }
  throw InputError(fmt::format("{}: ensemble.release: none of {} runs can start; {}",
                               scene.source_name, all->runs().size(), why));
}

// A scene, or a model of blocks as a scene around it.
Scene scene_of(const std::string& path, const std::vector<std::string>& set) {
  const std::string extension = extension_of(path);
  constexpr std::array models = {".json", ".obj", ".stl", ".ply", ".3ddat", ".3dgrid", ".dat"};
  const std::filesystem::path file = blocks::file_of_model(path);
  if (file == path && std::ranges::find(models, extension) == models.end())
    return read_scene_file(path, {{}, {}, set});
  const std::string text = fmt::format(
      "[time]\ndt = 0.002\nend = 1\n[preset]\nuse = \"masonry\"\n[start]\n"
      "allow_initial_overlap = true\n[[material]]\nname = \"stone\"\ndensity = 2000\n"
      "[[contact]]\nbetween = [\"stone\", \"stone\"]\nmu = 0.6\ne = 0\n[[blocks]]\n"
      "material = \"stone\"\nfile = {}\n",
      nlohmann::json(file.filename().string())
          .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  return parse_scene(text, path,
                     [&](const std::string& name) {
                       return read_input_file((file.parent_path() / name).string());
                     },
                     {{}, {}, set});
}

int check_scene(const std::string& path, const std::vector<std::string>& set, bool json) {
  const Scene scene = scene_of(path, set);
  try {
    check_settings(scene.model, scene.settings);
    check_motion(scene.model, scene.settings, scene.state);
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
  require_finite_energy(scene);
  refuse_off_terrain(scene);
  Findings found{count_bodies(scene),
                 {},
                 overlaps_at_start(scene),
                 {},
                 summarise_joints(scene.model, joint_bodies(scene.model, scene.state), {}),
                 {},
                 {},
                 {}};
  if (scene.ensemble) found.ensemble.emplace(scene);
  found.note = with_moving(
      scene, found.ensemble, [&](const Model& model, const Settings& settings, const State& state) {
        found.step = suggest_step(model, state);
        found.warnings = raised_warnings(warnings_of(model, settings, state), model.name);
        found.names = model.name;
      });
  if (json)
    write_json(to_json(scene, found));
  else
    write_output(table(scene, found));
  refuse_overlaps(scene, found.overlaps);
  return exit_done;
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  struct Options {
    std::string scene;
    std::vector<std::string> set;
    bool json = false;
  };
  CLI::App* command = app.add_subcommand(
      "check", "Check a scene: overlaps, masses, laws, step, thresholds; runs nothing");
  const auto options = std::make_shared<Options>();
  command->add_option("scene", options->scene, "Scene file (TOML), or a model of blocks")
      ->required()
      ->type_name("SCENE.toml");
  add_set_option(*command, options->set);
  command->add_flag("--json", options->json, "One JSON object on standard output");
  command->callback([options, &exit_code] {
    exit_code = check_scene(options->scene, options->set, options->json);
  });
}

}  // namespace scree
