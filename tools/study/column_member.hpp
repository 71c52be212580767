// One run of a column study: the filling of the vessel until it is quiet, then the collapse.
#pragma once

#include <nlohmann/json.hpp>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenes/read/scene.hpp"

namespace scree::study {

// What a member changes in the scene of the study. The text of both of its runs follows from the
// scene and this alone.
struct ColumnMember {
  double aspect = 1.0;
  std::int64_t seed = 1;
  std::string shape;               // empty: as in the scene
  std::optional<double> friction;  // of every pair that has friction in the scene; none: as there

  std::string name() const;  // "a1-s1-hull-mu0.5"
};

// Numbers that all members of a study take in place of the scene's.
struct ColumnOverrides {
  std::optional<std::int64_t> grains;
  std::optional<double>
      length;  // [-] initial radius or length in mean sizes; instead of the number of grains
  std::optional<double> restitution;
  // Of the collapse; the filling has the scene's, so that what they change starts from the same
  // column.
  std::optional<double> dt, theta, tolerance;
  std::string method;                       // of the solver; empty: the scene's
  std::optional<double> rolling, spinning;  // [-] of every pair that has friction in the scene
};

struct ColumnTask {
  std::string scene_name, scene_text;  // TOML with a [column] and a [stop]
  ColumnOverrides overrides;
  std::string folder;  // for the member's files
  int threads = 1;     // of the solver of one member
};

// A scene that fills the vessel, called `name` in messages, and the text of one that starts from
// there and opens the gate. Throw InputError.
Scene packing_scene(const ColumnTask& task, const ColumnMember& member, const std::string& name);
std::string collapse_scene(const ColumnTask& task, const ColumnMember& member, double end);

// The scene of such a text, called `name` in messages; it names files as they are seen from the
// study's folder, which need not exist yet. Throws InputError.
Scene parse_member(const ColumnTask& task, const std::string& text, const std::string& name);

// Throws InputError when the folder holds a finished result of the member's name but of another
// scene; `packing` is its first scene, read.
void refuse_other_results(const ColumnTask& task, const ColumnMember& member, const Scene& packing);

// Runs both, unless the results of the same scenes are there already, and returns the row of the
// results table. Leaves NAME-pack.toml, NAME-pack.h5, NAME-collapse.toml, NAME-collapse.h5,
// NAME-front.csv, NAME-profile.csv and NAME.json. May be called from several threads at once.
// Throws on failure, and when `stop` is set.
nlohmann::ordered_json run_column_member(const ColumnTask& task, const ColumnMember& member,
                                         const std::atomic<bool>& stop);

}  // namespace scree::study
