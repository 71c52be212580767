// What a scene's terrains are: for people and for programs.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "scenes/read/scene.hpp"

namespace scree {

// A few lines each; empty without.
std::string terrain_lines(const Scene& scene);

// [{"body", "file", "nodes", "spacing", "low", "high", "cells", ...}, ...]
nlohmann::ordered_json terrain_json(const Scene& scene);

}  // namespace scree
