// Where the tests find their files. In one source of its own, so that all other objects are the
// same in every checkout.
#pragma once

#include <string>

namespace scree::test {

std::string source_folder();  // of this checkout
// Path of a scene that ships, in whichever folder of scenes/ it lies. Throws where there is none.
std::string shipped_scene_path(const std::string& name);
std::string data_folder();        // its tests/data
std::string validation_folder();  // rows of engine/VALIDATION.md, in the build

}  // namespace scree::test
