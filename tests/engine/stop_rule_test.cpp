// The stop rule, and compounds in motion.
#include <catch2/catch.hpp>

#include <cmath>

#include "engine/stop_rule.hpp"
#include "tests/support/world.hpp"

namespace stop_rule_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;

// Two boxes that make an L, its corner in the origin of the drawing.
BodyDefinition angle_piece() {
  BodyDefinition body;
  body.name = "angle";
  body.density = 1000.0;
  const auto box = [](const Vector3& sides, const Vector3& x) {
    return to_axes(make_box(sides), Pose{-x, Quaternion::Identity()});
  };
  body.shape = box({1.0, 0.4, 0.2}, {0.5, 0.0, 0.1});
  body.further_parts = {box({0.2, 0.4, 0.8}, {0.1, 0.0, 0.6})};
  return body;
}

}  // namespace

// A block that slides to rest after v0 / (mu g) under theta = 1 (no reversal): quiet one window
// later.
TEST_CASE("A run ends one window after the last motion", "[engine][analytic]") {
  for (const double h : {1e-3, 5e-4}) {
    World world;
    world.law() = PairLaw{0.5, 0.0, ImpactLaw::newton};
    world.settings.time = {h, 5.0, 1.0};
    world.settings.stop = {1e-4, 0.2, 0.0};
    world.add_plane();
    world.add_box(Vector3(1.0, 1.0, 0.2), Pose{Vector3(0.0, 0.0, 0.1), Quaternion::Identity()},
                  2300.0, Vector3(2.0, 0.0, 0.0));
    const RunReport report = run(world.model, world.settings, world.state, {});
    CHECK(report.end == RunEnd::quiet);
    // It stops at v0 / (mu g). The last window starts somewhere on the last 1e-4 m of the way, the
    // last sqrt(2 s / (mu g)) seconds.
    const double stop = 2.0 / (0.5 * g), last = std::sqrt(2e-4 / (0.5 * g));
    CHECK(report.time_end < stop + 0.2 + 2.0 * h);
    CHECK(report.time_end > stop - last + 0.2 - 2.0 * h);
  }
}

TEST_CASE("Turning counts as motion and a body that is not there does not", "[engine][unit]") {
  World world;
  world.model.gravity.setZero();
  world.add_box(Vector3::Ones(), Pose{}, 2300.0, Vector3::Zero(), Vector3(0.0, 0.0, 1.0));
  const StopSettings stop{0.05, 0.2, 0.0};
  Stepper stepper(world);
  bool quiet = false;
  for (int k = 0; k < 1000 && !quiet; ++k) {
    stepper.step();
    quiet = is_quiet(world.model, stop, world.state);
  }
  CHECK_FALSE(quiet);  // 0.2 s turn its corners by 0.17 m
  world.model.vanishes_at[0] = world.state.time;
  for (int k = 0; k < 201 && !quiet; ++k) {
    stepper.step();
    quiet = is_quiet(world.model, stop, world.state);
  }
  CHECK(quiet);
}

TEST_CASE("A compound has the mass, centre and inertia of its parts", "[engine][analytic]") {
  Model model;
  const Vector3 centre = add_body(model, angle_piece());
  // Boxes of 80 and 64 kg with centres at (0.5, 0, 0.1) and (0.1, 0, 0.6).
  const double m1 = 80.0, m2 = 64.0;
  CHECK(std::abs(model.mass[0] - (m1 + m2)) < 1e-10);
  const Vector3 c1(0.5, 0.0, 0.1), c2(0.1, 0.0, 0.6), expected = (m1 * c1 + m2 * c2) / (m1 + m2);
  CHECK((centre - expected).norm() < 1e-14);
  Matrix3 inertia = Matrix3::Zero();
  const auto add = [&](double m, const Vector3& s, const Vector3& c) {
    const Vector3 r = c - expected;
    inertia += m / 12.0 *
               Vector3(s.y() * s.y() + s.z() * s.z(), s.x() * s.x() + s.z() * s.z(),
                       s.x() * s.x() + s.y() * s.y())
                   .asDiagonal()
                   .toDenseMatrix();
    inertia += m * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
  };
  add(m1, {1.0, 0.4, 0.2}, c1);
  add(m2, {0.2, 0.4, 0.8}, c2);
  const Matrix3 R = model.q_BU[0].toRotationMatrix();
  CHECK((R.transpose() * model.inertia[0].asDiagonal() * R - inertia).norm() <
        1e-12 * inertia.norm());
}

// It stands on its long side; a cube in its corner touches both parts. Nothing moves, and the
// ground carries both weights.
TEST_CASE("A compound stands and holds a cube in its corner", "[engine][analytic]") {
  for (const double h : {2e-3, 1e-3}) {
    World world;
    world.law() = PairLaw{0.5, 0.0, ImpactLaw::fremond};
    world.settings.time.dt = h;
    world.add_plane();
    Model probe;
    const Vector3 centre = add_body(probe, angle_piece());
    world.add(angle_piece(), Pose{centre, Quaternion::Identity()});
    world.add_box(Vector3::Constant(0.3), Pose{Vector3(0.35, 0.0, 0.35), Quaternion::Identity()},
                  1000.0);
    Stepper stepper(world);
    const Vector3 start = world.state.x[2];
    double least = 1e9, most = 0.0;
    for (int k = 0; k < 200; ++k) {
      stepper.step();
      const double force = -stepper.impulse_on(0).z() / h;
      least = std::min(least, force), most = std::max(most, force);
    }
    const double weight = (world.model.mass[1] + world.model.mass[2]) * g;
    CHECK(std::abs(least - weight) <
          1e-5 * weight);  // solver tolerance 1e-8 of all impulses, over the steps
    CHECK(std::abs(most - weight) < 1e-5 * weight);
    CHECK((world.state.x[2] - start).norm() < 1e-8);
  }
}

TEST_CASE("A freely tumbling compound keeps energy and angular momentum", "[engine][property]") {
  for (const double h : {2e-3, 1e-3}) {
    World world;
    world.model.gravity.setZero();
    world.settings.time.dt = h;
    world.add(angle_piece(), Pose{}, Vector3::Zero(), Vector3(1.0, 2.0, 3.0));
    const auto momentum = [&] {
      return Vector3(world.state.q[0] * world.model.inertia[0].cwiseProduct(world.state.w[0]));
    };
    const Vector3 before = momentum();
    Stepper stepper(world);
    stepper.steps(1000);
    CHECK((momentum() - before).norm() < 1e-11 * before.norm());
  }
}

}  // namespace stop_rule_test
