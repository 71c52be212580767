// [preset]: settings by use, for the keys that a scene leaves out.
#pragma once

#include <string_view>
#include <vector>

#include "scenes/read/table_reader.hpp"

namespace scree::scenes {

// A key that a preset sets, and its value as it would stand in a scene.
struct PresetKey {
  const char *section, *key, *value;
};

struct Preset {
  const char* use;
  const char* meaning;  // one line
  std::vector<PresetKey> keys;
};

// Why these values: scenes/results/presets.md.
const std::vector<Preset>& presets();

// Reads `use` of [preset] from `file`, the reader of `root`, and adds to `root` what the scene
// leaves out of the preset's keys.
AppliedPreset apply_preset(TableReader& file, toml::table& root);

}  // namespace scree::scenes
