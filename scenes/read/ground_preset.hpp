// `ground` of [[contact]]: numbers of a pair of rock and ground by the kind of ground.
#pragma once

#include <vector>

namespace scree::scenes {

struct GroundPreset {
  struct Number {
    const char* parameter;  // of the table of laws
    double value;
  };
  const char* name;
  const char* meaning;  // one line
  std::vector<Number> numbers;
};

// Impact law of pairs that name a ground and no law: nothing comes back from ground that is
// scarred.
inline constexpr const char* ground_preset_law = "newton";
// Where the numbers are from: scenes/MATERIALS.md.
inline constexpr const char* ground_preset_source = "[B15] RAMMS::ROCKFALL user manual 1.6";

const std::vector<GroundPreset>& ground_presets();

}  // namespace scree::scenes
