// Reading scene files and looking at what they describe before a run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "collision/detect.hpp"
#include "engine/base/check.hpp"
#include "scenes/read/scene.hpp"

namespace scree {

// With `change` made before the settings are checked. Throws InputError, one line.
Scene read_scene_file(const std::string& path, const SceneChange& change = {});

// With [initial], gives the moving bodies the poses and velocities of that result file's last
// frame; its name is relative to the scene file's folder. Throws InputError, one line.
void take_initial_state(Scene& scene);

// Overlaps beyond the tolerance among the bodies that are there at the start.
std::vector<collision::Overlap> overlaps_at_start(const Scene& scene);

// Throws InputError when speeds, heights or masses are so large that energies overflow.
void require_finite_energy(const Scene& scene);

// "'a' and 'b' by 0.01 m".
std::string describe(const Model& model, const collision::Overlap& overlap);

// Throws InputError when a body that moves freely starts where it would have left the terrain
// (engine/departures.hpp).
void refuse_off_terrain(const Scene& scene);

// Throws InputError, one line with the deepest pair, when bodies overlap at the start (the deepest
// first) and the scene does not allow it.
void refuse_overlaps(const Scene& scene, const std::vector<collision::Overlap>& overlaps);

}  // namespace scree
