// A collision of two free bodies.
#pragma once

#include "tests/support/world.hpp"

namespace scree::test {

// Two boxes that hit each other off-centre, far from anything else. `late` [s] more or less moves
// the impact within its step.
inline World off_centre_hit(double h, ImpactLaw law, double late = 0.0) {
  World world;
  world.model.gravity.setZero();
  world.law() = PairLaw{0.4, 0.5, law};
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-12;
  const Quaternion tilt(Eigen::AngleAxisd(0.3, Vector3(1.0, 2.0, 0.5).normalized()));
  world.add_box(Vector3(1.0, 2.0, 0.7), Pose{Vector3(0.0, 0.0, 0.0), Quaternion::Identity()},
                1000.0, Vector3(1.0, 0.0, 0.0), Vector3(0.2, -0.4, 0.6));
  world.add_box(Vector3(0.6, 0.8, 1.0), Pose{Vector3(1.3 + 3.0 * late, 0.5, 0.1), tilt}, 2000.0,
                Vector3(-2.0, 0.1, 0.0), Vector3(-1.0, 0.5, 2.0));
  return world;
}

}  // namespace scree::test
