// A scene file turned into data.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/scene_text.hpp"
#include "engine/settings.hpp"

namespace scree {

struct Scene {
  std::string title;
  std::string source;        // the text of the file
  std::string source_name;   // for messages
  std::vector<SceneFile> files;   // that it names, with their texts: with `source` all that makes the scene
  Model model;
  State state;               // at t = 0
  Settings settings;
  std::string initial_from;  // [initial]: result file whose last frame the bodies start from; empty: as the scene says
};

// Gives the text of a file that a scene names (relative to the scene file). Throws InputError "file: why it cannot".
using FileReader = std::function<std::string(const std::string& name)>;

// Reads a scene from TOML text, and the files that it names with `read_file`; without one, naming a file is an error. Throws
// InputError, one line "file:line:column: field: what is wrong and what is allowed".
Scene parse_scene(std::string_view text, const std::string& file_name, const FileReader& read_file = {});

}  // namespace scree
