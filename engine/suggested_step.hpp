// A step length to start with, from sizes, speeds and heights of a scene.
#pragma once

#include "engine/base/infinity.hpp"
#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"

namespace scree {

struct SuggestedStep {
  double by_speed = infinity;    // [s] the fastest body moves 1/20 of the smallest thickness
  double by_gravity = infinity;  // [s] 0.1 sqrt(thickness / g)
  double smallest = infinity;    // [m] that thickness, over the bodies that move
  double speed = 0.0;  // [m/s] the fastest a body can get: at the start, and a fall over the height
                       // of the scene

  double dt() const { return by_speed < by_gravity ? by_speed : by_gravity; }
};

SuggestedStep suggest_step(const Model& model, const State& state);

}  // namespace scree
