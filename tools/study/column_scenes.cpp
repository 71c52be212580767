#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "engine/base/check.hpp"
#include "engine/base/input_file.hpp"
#include "scenes/read/document.hpp"
#include "tools/study/column_measures.hpp"
#include "tools/study/column_member.hpp"

namespace scree::study {
namespace {

toml::table& section(toml::table& root, const std::string& name) {
  if (!root.contains(name)) root.insert(name, toml::table{});
  return *root[name].as_table();
}

void set_pairs(toml::table& root, const ColumnMember& member, const ColumnOverrides& overrides) {
  toml::array* pairs = root["contact"].as_array();
  if (pairs == nullptr) return;
  for (toml::node& node : *pairs) {
    toml::table* pair = node.as_table();
    if (pair == nullptr) continue;
    const double mu = (*pair)["mu"].value_or(0.0);
    if (member.friction && mu > 0.0) pair->insert_or_assign("mu", *member.friction);
    if (overrides.rolling && mu > 0.0) pair->insert_or_assign("rolling", *overrides.rolling);
    if (overrides.spinning && mu > 0.0) pair->insert_or_assign("spinning", *overrides.spinning);
    if (overrides.restitution) pair->insert_or_assign("e", *overrides.restitution);
  }
}

// The scenes of the members lie in the study's folder: histories of motion are named as they are
// seen from there.
void point_at_files(toml::table& root, const ColumnTask& task) {
  const std::filesystem::path from = std::filesystem::path(task.scene_name).parent_path();
  root.for_each([&](const toml::key&, toml::array& bodies) {
    for (toml::node& body : bodies) {
      if (!body.is_table()) continue;
      const toml::node_view<toml::node> file = (*body.as_table())["motion"]["file"];
      if (toml::value<std::string>* name = file.as_string())
        *name = std::filesystem::proximate(from / name->get(), task.folder).string();
    }
  });
}

// What both runs of a member share.
toml::table member_scene(const ColumnTask& task, const ColumnMember& member) {
  toml::table root = scenes::parse_toml(task.scene_text, task.scene_name);
  require(root.contains("column"), task.scene_name, "has no [column] to study");
  require(!root.contains("initial"), task.scene_name,
          "has [initial], but a study fills the vessel itself");
  require(root.contains("stop"), task.scene_name,
          "has no [stop] that says when the grains are at rest");
  toml::table& column = section(root, "column");
  column.insert_or_assign("aspect", member.aspect);
  column.insert_or_assign("seed", member.seed);
  if (!member.shape.empty()) {
    column.insert_or_assign("shape", member.shape);
    for (const char* key : {"corners", "sphericity", "elongation"}) {
      if (member.shape != "hull") column.erase(key);
    }
    if (member.shape != "cross") column.erase("thickness");
  }
  section(root, "stop").erase("after");
  const ColumnOverrides& overrides = task.overrides;
  if (overrides.grains)
    column.erase("length"), column.insert_or_assign("grains", *overrides.grains);
  if (overrides.length)
    column.erase("grains"), column.insert_or_assign("length", *overrides.length);
  set_pairs(root, member, overrides);
  point_at_files(root, task);
  return root;
}

std::string text_of(const toml::table& root, const std::string& what) {
  std::ostringstream stream;
  stream << "# " << what << "\n" << root << "\n";
  return stream.str();
}

// Parts of a step for grains that fall from the top of the rain: as far as `farthest` of their size
// in one. At 0.53 sizes a step what passes unseen into other grains is pushed out again, at 0.68 it
// piled up to overlaps of three sizes.
double steps_for_fall(const Scene& scene, const ColumnMember& member) {
  constexpr double farthest = 0.6;
  const GrainTable grains(scene.model);
  double top = 0.0;
  for (const std::size_t i : grains.body) top = std::max(top, scene.state.x[i].z());
  const double height = member.aspect * column_frame(scene.model, scene.state).length;
  const double speed = std::sqrt(2.0 * scene.model.gravity.norm() * std::max(0.0, top - height));
  return std::max(1.0, std::ceil(speed * scene.settings.time.dt / (farthest * grains.mean_size())));
}

}  // namespace

std::string ColumnMember::name() const {
  std::string text = fmt::format("a{:g}-s{}", aspect, seed);
  if (!shape.empty()) text += "-" + shape;
  if (friction) text += fmt::format("-mu{:g}", *friction);
  return text;
}

Scene packing_scene(const ColumnTask& task, const ColumnMember& member, const std::string& name) {
  toml::table root = member_scene(task, member);
  toml::table& column = section(root, "column");
  column.erase("release");
  column.erase("lift_speed");
  section(root, "output").insert_or_assign("frames_per_second", 0.0);
  // Higher columns fall longer.
  const toml::table given = scenes::parse_toml(task.scene_text, task.scene_name);
  const double end = given["time"]["end"].value_or(1.0),
               aspect = given["column"]["aspect"].value_or(1.0);
  section(root, "time")
      .insert_or_assign("end", end * std::sqrt(std::max(1.0, member.aspect / aspect)));
  const std::string what =
      fmt::format("Filling of the vessel, member {} of {}", member.name(), task.scene_name);
  Scene scene = parse_member(task, text_of(root, what), name);
  const double steps = steps_for_fall(scene, member);
  if (steps == 1.0) return scene;
  section(root, "time").insert_or_assign("dt", scene.settings.time.dt / steps);
  return parse_member(task, text_of(root, what), name);
}

std::string collapse_scene(const ColumnTask& task, const ColumnMember& member, double end) {
  // Penetration that the filling left; no start is refused for it.
  constexpr double packed_overlap = 0.05;
  toml::table root = member_scene(task, member);
  section(root, "column").insert_or_assign("release", 0.0);
  section(root, "initial").insert_or_assign("from", member.name() + "-pack.h5");
  section(root, "start").insert_or_assign("overlap_tolerance", packed_overlap);
  section(root, "time").insert_or_assign("end", end);
  const ColumnOverrides& overrides = task.overrides;
  if (overrides.dt) section(root, "time").insert_or_assign("dt", *overrides.dt);
  if (overrides.theta) section(root, "time").insert_or_assign("theta", *overrides.theta);
  if (overrides.tolerance)
    section(root, "solver").insert_or_assign("tolerance", *overrides.tolerance);
  if (!overrides.method.empty())
    section(root, "solver")
        .insert_or_assign("method", overrides.method == "auto" ? "automatic" : overrides.method);
  return text_of(root, fmt::format("Collapse, member {} of {}; starts from the filling",
                                   member.name(), task.scene_name));
}

Scene parse_member(const ColumnTask& task, const std::string& text, const std::string& name) {
  // A folder that is not there yet cannot be left with "..".
  return parse_scene(text, name, [&](const std::string& file) {
    return read_input_file(
        std::filesystem::weakly_canonical(std::filesystem::path(task.folder) / file).string());
  });
}

}  // namespace scree::study
