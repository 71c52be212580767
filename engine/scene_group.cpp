#include "engine/scene_group.hpp"

namespace scree {

void write_scene_group(hid_t file, const std::string& source, const std::vector<SceneFile>& files) {
  h5::write_attribute(file, "scene_sha256", scene_hash(source, files));
  const h5::Handle scene = h5::create_group(file, "scene");
  h5::write_text(scene.id(), {"source", "", "text of the scene file"}, source);
  if (files.empty()) return;
  std::vector<std::string> names, texts;
  for (const SceneFile& one : files) {
    names.push_back(one.name);
    texts.push_back(one.text);
  }
  h5::write_strings(scene.id(), {"file_names", "", "files that the scene names, as it names them"}, names);
  h5::write_strings(scene.id(), {"file_texts", "", "their texts"}, texts);
}

std::string read_scene_source(hid_t file) { return h5::read_strings(file, "scene/source").at(0); }

std::vector<SceneFile> read_scene_files(hid_t file) {
  if (!h5::exists(file, "scene/file_names")) return {};
  const std::vector<std::string> names = h5::read_strings(file, "scene/file_names"), texts = h5::read_strings(file, "scene/file_texts");
  if (names.size() != texts.size()) throw h5::Error("scene/file_texts: not one text a name");
  std::vector<SceneFile> files;
  for (std::size_t i = 0; i < names.size(); ++i) files.push_back({names[i], texts[i]});
  return files;
}

}  // namespace scree
