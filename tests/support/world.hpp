// A small scene built by hand: bodies on a ground plane, one material, one law.
#pragma once

#include <string>
#include <vector>

#include "engine/model/bodies.hpp"
#include "engine/run.hpp"
#include "engine/step.hpp"

namespace scree::test {

// The centre of mass of a body in the axes in which it is drawn [m].
inline Vector3 centre_of_drawing(const BodyDefinition& definition) {
  Model alone;
  return add_body(alone, definition);
}

struct World {
  Model model;
  State state;
  Settings settings;

  World() {
    model.materials.name = {"stone"};
    model.materials.pair_law = {PairLaw{}};
    settings.time.dt = 1e-3;
    settings.time.end = 1.0;
    settings.step.solver.measure = contact::Measure::scaled;
    settings.step.solver.tolerance = 1e-8;
  }

  PairLaw& law() { return *model.materials.pair_law[0]; }
  void set_rolling(double rolling, double spinning) {
    contact::Laws::number(law(), "rolling") = rolling;
    contact::Laws::number(law(), "spinning") = spinning;
  }

  BodyIndex add(const BodyDefinition& definition, const Pose& pose,
                const Vector3& v = Vector3::Zero(), const Vector3& w_W = Vector3::Zero()) {
    add_body(model, definition);
    const Quaternion q_WB = pose.q * model.q_BU.back().conjugate();
    state.x.push_back(pose.x);
    state.q.push_back(q_WB);
    state.v.push_back(v);
    state.w.push_back(q_WB.conjugate() * w_W);
    state.active.push_back(model.appears_at.back() > 0.0 ? 0 : 1);
    return model.n_bodies() - 1;
  }

  // Half-space of outward normal n through the point x.
  BodyIndex add_plane(const Vector3& n = Vector3::UnitZ(), const Vector3& x = Vector3::Zero()) {
    BodyDefinition plane;
    plane.name = "plane" + std::to_string(model.n_bodies());
    plane.kind = BodyKind::fixed;
    plane.shape = HalfSpace{n.normalized(), 0.0};
    return add(plane, Pose{x, Quaternion::Identity()});
  }

  BodyIndex add_box(const Vector3& sides, const Pose& pose, double density = 2300.0,
                    const Vector3& v = Vector3::Zero(), const Vector3& w_W = Vector3::Zero()) {
    BodyDefinition box;
    box.name = "box" + std::to_string(model.n_bodies());
    box.shape = make_box(sides);
    box.density = density;
    return add(box, pose, v, w_W);
  }

  BodyIndex add_sphere(double radius, const Vector3& x, double mass,
                       const Vector3& v = Vector3::Zero(), const Vector3& w_W = Vector3::Zero()) {
    BodyDefinition ball;
    ball.name = "ball" + std::to_string(model.n_bodies());
    ball.shape = Sphere{radius, Vector3::Zero()};
    ball.mass = mass;
    return add(ball, Pose{x, Quaternion::Identity()}, v, w_W);
  }

  // `n` unit cubes on the ground, one on the other, with no gaps.
  void add_tower(int n) {
    add_plane();
    for (int i = 0; i < n; ++i)
      add_box(Vector3::Ones(), Pose{Vector3(0.0, 0.0, 0.5 + i), Quaternion::Identity()});
  }
};

// Steps a world and hands out what a test asks for.
class Stepper {
 public:
  explicit Stepper(World& world) : world_(world), work_(world.model, world.settings) {}

  const StepRecord& step() {
    return record_ = scree::step(world_.model, world_.settings, world_.state, work_);
  }

  void steps(int n) {
    for (int k = 0; k < n; ++k) step();
  }

  const StepRecord& record() const { return record_; }
  const Workspace& work() const { return work_; }

  // Sum of the world impulses of the last step on `body` [N s].
  Vector3 impulse_on(BodyIndex body) const { return work_.impulse[static_cast<std::size_t>(body)]; }

 private:
  World& world_;
  Workspace work_;
  StepRecord record_;
};

}  // namespace scree::test
