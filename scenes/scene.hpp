// A scene file turned into data.
#pragma once

#include <string>
#include <string_view>

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"

namespace scree {

struct Scene {
  std::string title;
  std::string source;        // the text of the file
  std::string source_name;   // for messages
  Model model;
  State state;               // at t = 0
  Settings settings;
  std::string initial_from;  // [initial]: result file whose last frame the bodies start from; empty: as the scene says
};

// Reads a scene from TOML text. Throws InputError, one line "file:line:column: field: what is wrong and what is allowed".
Scene parse_scene(std::string_view text, const std::string& file_name);

}  // namespace scree
