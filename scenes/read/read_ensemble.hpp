// [ensemble] of a scene file: releases, rocks, barrier lines and the map of many runs.
#pragma once

#include <optional>

#include "scenes/read/read_body.hpp"
#include "scenes/read/scene.hpp"

namespace scree::scenes {

// Of a scene whose bodies are read. Nothing: the file has no [ensemble].
std::optional<site::Site> read_ensemble(TableReader& file, const MaterialNames& materials,
                                        const Scene& scene);

}  // namespace scree::scenes
