// Models with their poses, for tests of the whole detection.
#pragma once

#include <string>
#include <vector>

#include "collision/detect.hpp"
#include "engine/model/bodies.hpp"
#include "tests/support/random_shapes.hpp"

namespace scree::test {

struct SmallWorld {
  Model model;
  std::vector<Vector3> x;
  std::vector<Quaternion> q;
  std::vector<std::uint8_t> active;
  std::vector<double> reach;

  void add(const Shape& shape, const Pose& pose, BodyKind kind = BodyKind::dynamic) {
    BodyDefinition definition;
    definition.name = "body " + std::to_string(x.size());
    definition.kind = kind;
    definition.shape = shape;
    definition.density = 2000.0;
    if (std::holds_alternative<PointSet>(shape)) {
      definition.mass = 1.0;
      definition.inertia = Vector3(1.0, 1.0, 1.0).asDiagonal();
    }
    const Vector3 centre = add_body(model, definition);
    x.push_back(pose * centre);
    q.push_back(pose.q * model.q_BU.back().conjugate());
    active.push_back(1);
    reach.push_back(1e-3);
  }
  collision::Poses poses() const { return {x, q}; }
  ContactSet detect(collision::Detector& detector, const Executor& executor = Executor()) const {
    ContactSet contacts;
    detector.detect(model, poses(), poses(), poses(), active, reach, executor, contacts);
    return contacts;
  }
};

// Running bond of boxes 1 x 0.5 x 0.4 on a plane.
inline SmallWorld running_bond(int courses, int blocks) {
  SmallWorld world;
  world.add(HalfSpace{}, Pose{}, BodyKind::fixed);
  for (int c = 0; c < courses; ++c) {
    for (int i = 0; i < blocks; ++i) {
      Pose pose;
      pose.x = Vector3(i + (c % 2 == 0 ? 0.0 : 0.5), 0.0, 0.2 + 0.4 * c);
      world.add(make_box({1.0, 0.5, 0.4}), pose);
    }
  }
  return world;
}

// A crowded heap of every shape over a plane.
inline SmallWorld mixed_heap(int n, unsigned seed) {
  RandomShapes random(seed);
  SmallWorld world;
  world.add(HalfSpace{}, Pose{}, BodyKind::fixed);
  for (int i = 0; i < n; ++i) {
    Pose pose;
    pose.x = random.in_cube(1.1) + Vector3(0.0, 0.0, 1.0);
    pose.q = random.rotation();
    const int kind = random.integer(0, 9);
    if (kind < 6) {
      world.add(random.polyhedron(), pose);
    } else if (kind < 8) {
      world.add(Sphere{random.uniform(0.1, 0.4)}, pose);
    } else if (kind < 9) {
      world.add(PointSet{{random.in_cube(0.3), random.in_cube(0.3), random.in_cube(0.3)}}, pose);
    } else {
      world.add(random.polyhedron(), pose, BodyKind::fixed);
    }
  }
  return world;
}

inline bool same_contacts(const ContactSet& one, const ContactSet& other) {
  return one.key == other.key && one.gap == other.gap && one.normal == other.normal &&
         one.point_a == other.point_a && one.point_b == other.point_b;
}

}  // namespace scree::test
