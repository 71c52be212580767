// The texts of keys, by what they are about. Private to the reference.
#pragma once

#include <vector>

#include "scenes/read/key_reference.hpp"

namespace scree::scenes {

// The section with the keys of the viscoelastic device behind its own: [law] and [[contact]].
KeySection with_device_keys(KeySection section);

// Time, loads of the world, solver, what is kept and where a run starts.
std::vector<KeySection> settings_key_sections();
// Materials, contacts, shapes, bodies, what acts on them and how they move.
std::vector<KeySection> body_key_sections();
// What makes many bodies, and rocks.
std::vector<KeySection> generator_key_sections();

}  // namespace scree::scenes
