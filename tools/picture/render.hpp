// From a picture scene to an image: light, shadows, outlines, smooth edges.
#pragma once

#include "tools/picture/camera.hpp"
#include "tools/picture/image.hpp"
#include "tools/picture/picture_scene.hpp"

namespace scree::picture {

// Same bits for the same input. `camera` was placed for width x height.
Image render(const PictureScene& scene, const Camera& camera, int width, int height);

// Whether any sample of the picture that `render` makes sees a solid.
bool shows_a_solid(const PictureScene& scene, const Camera& camera, int width, int height);

// The balls around the framed solids of a scene, for place_camera.
std::vector<Framed> framed_balls(const PictureScene& scene);

// Distance between the lines drawn on planes [m]: 1, 2 or 5 times a power of ten.
double grid_step(double extent);

}  // namespace scree::picture
