// Bodies that start where an earlier run left them.
#pragma once

#include "engine/files/result_reader.hpp"
#include "scenes/read/scene.hpp"

namespace scree {

// Gives every moving body of the scene the pose and velocity of the body of its name in the file's
// last frame; fixed and driven bodies stay as the scene says. Throws InputError, one line: no
// frames, no such body, or one of another mass or inertia.
void start_from(const ResultReader& results, const std::string& file, Scene& scene);

}  // namespace scree
