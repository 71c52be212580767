// A scene file turned into data.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/files/scene_text.hpp"
#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "scenes/site/site.hpp"

namespace scree {

class RasterStore;

// Line and column in a scene file, both from 1.
struct Place {
  std::uint32_t line = 1, column = 1;
  std::uint32_t edit = 0;  // the value came from Scene::edits[edit - 1]; 0: from the file

  auto operator<=>(const Place&) const = default;
};

// What [preset] of a scene set.
struct AppliedPreset {
  struct Setting {
    std::string field;     // "solver.tolerance"
    std::string value;     // of the preset, as it would stand in a scene
    std::string in_scene;  // what the scene itself says, which counts; empty: nothing
    bool edited = false;   // an edit says it
  };
  std::string use, meaning;  // empty: the scene has none
  std::vector<Setting> settings;
};

// What `ground` of a [[contact]] set.
struct AppliedGround {
  std::string material_a, material_b;
  std::string name, meaning;
  std::string own;  // "mu = 0.5, e = 0.1": what the pair itself says, which counts; empty: nothing
};

struct Scene {
  std::string title;
  AppliedPreset preset;
  std::vector<AppliedGround> grounds = {};
  std::string source;       // the text of the file
  std::string source_name;  // for messages
  std::vector<SceneFile>
      files;  // that it names, with their texts: with `source` and `edits` all that makes the scene
  std::vector<std::string> edits = {};      // as SceneChange has them
  std::vector<std::string> edit_unit = {};  // [n_edits] "[m]"; empty: none that the reader knows
  Model model;
  State state;  // at t = 0
  Settings settings;
  std::string initial_from;  // [initial]: result file whose last frame the bodies start from;
                             // empty: as the scene says
  Place initial_place;       // of that name in the file
  std::optional<site::Site> ensemble = {};  // [ensemble]; its runs are scenes/ensemble/
  std::vector<Place>
      body_place;  // [n_bodies] of the name of each body, or of the generator that made it
};

// Throws InputError "file:line:column: field: message" about a place in the file of a scene that
// has been read.
[[noreturn]] void fail_at(const Scene& scene, Place place, const std::string& field,
                          const std::string& message);

// Gives the text of a file that a scene names (relative to the scene file). Throws InputError
// "file: why it cannot".
using FileReader = std::function<std::string(const std::string& name)>;

// What replaces values of a scene: `edits` in its text, `make` in what was read, before the
// settings are checked as a whole.
struct SceneChange {
  std::function<void(Scene& scene)> make;
  // What gave a field ("time.dt") its value, to be named in an error about it; empty: the scene
  // file.
  std::function<std::string(const std::string& field)> origin;
  // KEY=VALUE, made to the text before it is read (scenes/read/scene_edits.hpp).
  std::vector<std::string> edits = {};
  // The impact law of all pairs of materials; empty: as the scene says.
  std::optional<ImpactLaw> law = {};
  // Where rasters are looked for before their files are read; null: they are read.
  std::shared_ptr<RasterStore> rasters = {};
  // The files as a run began with them, of which rasters must have the same values.
  std::vector<SceneFile> began_with = {};
};

// Reads a scene from TOML text, and the files that it names with `read_file`; without one, naming a
// file is an error. Throws InputError, one line "file:line:column: field: what is wrong and what is
// allowed".
Scene parse_scene(std::string_view text, const std::string& file_name,
                  const FileReader& read_file = {}, const SceneChange& change = {});

}  // namespace scree
