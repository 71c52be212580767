// The texts of keys, by what they are about. Private to the reference.
#pragma once

#include <vector>

#include "scenes/read/key_reference.hpp"

namespace scree::scenes {

// Keys of the viscoelastic device, in [law] and [[contact]].
std::vector<KeyText> device_key_texts();

// Time, loads of the world, solver, what is kept and where a run starts.
std::vector<KeySection> settings_key_sections();
// Materials, contacts, shapes, bodies, what acts on them and how they move.
std::vector<KeySection> body_key_sections();
// What makes many bodies, and rocks.
std::vector<KeySection> generator_key_sections();

}  // namespace scree::scenes
