#include "engine/files/scene_text.hpp"

#include "engine/state_hash.hpp"

namespace scree {

std::string scene_hash(const std::string& source, const std::vector<SceneFile>& files) {
  std::string all = source;
  for (const SceneFile& file : files) {
    all.push_back('\0');
    all += file.name;
    all.push_back('\0');
    all += file.text;
  }
  return sha256(all.data(), all.size());
}

}  // namespace scree
