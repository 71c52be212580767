#include "engine/files/scene_group.hpp"

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
  h5::write_strings(scene.id(), {"file_names", "", "files that the scene names, as it names them"},
                    names);
  h5::write_strings(scene.id(), {"file_texts", "", "their texts"}, texts);
}

std::string read_scene_source(hid_t file) {
  const std::vector<std::string> texts = h5::read_strings(file, "scene/source");
  if (texts.size() != 1 || !h5::shape(file, "scene/source").empty())
    throw h5::Error("scene/source: is not one text");
  return texts.front();
}

std::vector<SceneFile> read_scene_files(hid_t file) {
  if (!h5::exists(file, "scene/file_names") && !h5::exists(file, "scene/file_texts")) return {};
  for (const char* name : {"scene/file_names", "scene/file_texts"}) {
    if (!h5::exists(file, name)) throw h5::Error(std::string(name) + ": is missing");
    if (h5::shape(file, name).size() != 1)
      throw h5::Error(std::string(name) + ": is not a list of texts");
  }
  const std::vector<std::string> names = h5::read_strings(file, "scene/file_names"),
                                 texts = h5::read_strings(file, "scene/file_texts");
  if (names.size() != texts.size()) throw h5::Error("scene/file_texts: not one text a name");
  std::vector<SceneFile> files;
  for (std::size_t i = 0; i < names.size(); ++i) files.push_back({names[i], texts[i]});
  return files;
}

}  // namespace scree
