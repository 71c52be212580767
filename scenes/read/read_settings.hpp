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

struct LawChoice {
  ImpactLaw otherwise;               // of the pairs that name none
  std::optional<ImpactLaw> instead;  // of all pairs, whatever they name
};

// [[material]] and [[contact]]; fills model.materials.
MaterialNames read_materials(TableReader& file, const LawChoice& choice, Model& model);

// `default` of [law].
ImpactLaw read_default_law(TableReader& file);

}  // namespace scree::scenes
