// The group /scene of result files and checkpoints. Private to the engine.
#pragma once

#include "engine/base/hdf5_file.hpp"
#include "engine/files/scene_text.hpp"

namespace scree {

// Writes /scene with the texts, and the root attribute `scene_sha256`. Throws h5::Error.
void write_scene_group(hid_t file, const std::string& source, const std::vector<SceneFile>& files);

// Throws h5::Error.
std::string read_scene_source(hid_t file);
std::vector<SceneFile> read_scene_files(hid_t file);  // none in files of earlier versions

}  // namespace scree
