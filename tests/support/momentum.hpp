// Linear and angular momentum of all bodies of a world, about the origin.
#pragma once

#include "tests/support/world.hpp"

namespace scree::test {

struct Momentum {
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
};

inline Momentum momentum_of(const World& world) {
  Momentum sum;
  for (std::size_t i = 0; i < world.state.x.size(); ++i) {
    const Vector3 p = world.model.mass[i] * world.state.v[i];
    sum.linear += p;
    sum.angular += world.state.x[i].cross(p) +
                   world.state.q[i] * world.model.inertia[i].cwiseProduct(world.state.w[i]);
  }
  return sum;
}

}  // namespace scree::test
