// Sections of a scene file that say how to run it.
#pragma once

#include "scenes/read/read_body.hpp"

namespace scree::scenes {

// [time], [law], [solver], [output], [checkpoint], [start]. Values are checked later, by
// check_settings.
Settings read_settings(TableReader& file);

// `from` of [initial], and where it stands; empty without it.
std::string read_initial(TableReader& file, Place& place);

// [world].
void read_world(TableReader& file, Model& model);

// Periods of a viscoelastic device [steps]; 0: none.
struct DeviceNumbers {
  double normal = 0.0, tangential = 0.0;
};

// What [law] says of the pairs that say nothing else: `default` and `device`.
struct DefaultLaw {
  ImpactLaw impact = ImpactLaw::fremond;
  DeviceNumbers device = {};
};
DefaultLaw read_default_law(TableReader& file);

struct LawChoice {
  DefaultLaw otherwise;              // of the pairs that name none
  std::optional<ImpactLaw> instead;  // of all pairs, whatever they name
};

// [[material]] and [[contact]]; fills model.materials.
MaterialNames read_materials(TableReader& file, const LawChoice& choice, Model& model);

}  // namespace scree::scenes
