// Terrains that result files keep coarser than they are, for pictures.
#pragma once

#include <string>
#include <vector>

#include "engine/files/scene_text.hpp"

namespace scree {

// A sentence for each raster among the files of a scene that has more lines than are drawn.
std::vector<std::string> coarse_terrains(const std::vector<SceneFile>& files);

}  // namespace scree
