#include "tests/support/places.hpp"

#include <filesystem>
#include <stdexcept>

namespace scree::test {

std::string source_folder() { return SCREE_SOURCE_DIR; }
std::string data_folder() { return SCREE_SOURCE_DIR "/tests/data"; }
std::string validation_folder() { return SCREE_VALIDATION_DIR; }

std::string shipped_scene_path(const std::string& name) {
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/scenes")) {
    const std::filesystem::path path = entry.path() / name;
    if (std::filesystem::exists(path)) return path.string();
  }
  throw std::runtime_error("no scene " + name + " ships");
}

}  // namespace scree::test
