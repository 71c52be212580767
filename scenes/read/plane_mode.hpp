// [world] plane: every body stays in a plane of the world, and is its own mirror image in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"

namespace scree::scenes {

// "xz" for the normal along y.
const char* plane_name(int normal);

// Directions that are free in a plane with that normal: "x", "z", "ry".
std::vector<std::string> free_in_plane(int normal);

// What keeps body i of the model out of plane mode: empty, or a sentence about it. `plane` [m] is
// where the bodies so far lie along the normal; the first one that lies anywhere sets it.
std::string out_of_plane(const Model& model, const State& state, std::size_t i,
                         std::optional<double>& plane);

}  // namespace scree::scenes
