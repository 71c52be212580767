// How high a rock is above the ground.
#pragma once

#include "scenes/site/ground_surface.hpp"

namespace scree::site {

// [m] The least vertical distance of its corners from the ground below each; of a ball that of its
// nearest point, over the slope below its centre. Corners over no ground count for nothing; NaN:
// all are.
double rock_clearance(const Model& model, const State& state, BodyIndex rock,
                      const GroundSurface& ground);

// [m] Height of its highest point above its centre.
double rock_top(const Model& model, const State& state, BodyIndex rock);

}  // namespace scree::site
