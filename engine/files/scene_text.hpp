// What a run was described by, as text: the scene file and the files that it names.
#pragma once

#include <string>
#include <vector>

namespace scree {

struct SceneFile {
  std::string name;  // as the scene names it
  std::string text;
};

// SHA-256 of the scene's text; when it names files, of that text followed by a zero byte, the name,
// a zero byte and the text of each.
std::string scene_hash(const std::string& source, const std::vector<SceneFile>& files);

}  // namespace scree
