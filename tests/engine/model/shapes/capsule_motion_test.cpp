// Capsules in motion: rest, rolling and rebound against closed forms.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "tests/support/world.hpp"

namespace capsule_motion_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81, radius = 0.1, length = 0.5;
const Quaternion lying(Eigen::AngleAxisd(std::numbers::pi / 2.0, Vector3::UnitX()));  // along y

BodyIndex add_capsule(World& world, const Pose& pose, const Vector3& v = Vector3::Zero()) {
  const double lengths[2] = {radius, length};
  BodyDefinition body;
  body.name = "capsule";
  body.shape = Capsule::drawn(lengths);
  body.density = 1000.0;
  return world.add(body, pose, v);
}

World stone(double mu, double e, ImpactLaw law, double h) {
  World world;
  world.law() = PairLaw{mu, e, law};
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-12;
  return world;
}

}  // namespace

TEST_CASE("Capsule rests on a plane and on a box with one contact at each end",
          "[engine][analytic]") {
  for (const bool on_box : {false, true}) {
    World world = stone(0.5, 0.0, ImpactLaw::fremond, 1e-3);
    if (on_box) {
      BodyDefinition box;
      box.name = "box";
      box.kind = BodyKind::fixed;
      box.shape = make_box({1.0, 1.0, 1.0});
      world.add(box, Pose{Vector3(0.0, 0.0, -0.5), Quaternion::Identity()});
    } else {
      world.add_plane();
    }
    const Vector3 start(0.1, -0.2, radius);
    const auto i = static_cast<std::size_t>(add_capsule(world, Pose{start, lying}));
    Stepper stepper(world);
    for (int k = 0; k < 500; ++k) {
      REQUIRE(stepper.step().contacts == 2);
      REQUIRE(stepper.record().converged);
    }
    CHECK((world.state.x[i] - start).norm() < 1e-12);
    CHECK(stepper.impulse_on(1).z() == Approx(world.model.mass[i] * g * 1e-3).epsilon(1e-10));
    CHECK(stepper.work().p[0].x() == Approx(stepper.work().p[1].x()).epsilon(1e-8));
  }
}

TEST_CASE("Capsule rolls down an incline with g sin a / (1 + J / (m r^2))", "[engine][analytic]") {
  const double a = 0.3, t = 1.0;
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    for (const double h : {2e-3, 1e-3}) {
      World world = stone(0.6, 0.0, law, h);
      const Vector3 n(std::sin(a), 0.0, std::cos(a)), down(std::cos(a), 0.0, -std::sin(a));
      world.add_plane(n);
      const auto i = static_cast<std::size_t>(add_capsule(world, Pose{radius * n, lying}));
      Stepper stepper(world);
      double worst = 0.0;
      for (int k = 0; k < static_cast<int>(std::lround(t / h)); ++k)
        worst = std::max(worst, std::abs(stepper.step().ledger.balance));
      const double J = world.model.inertia[i].minCoeff(), m = world.model.mass[i];
      const double acceleration = g * std::sin(a) / (1.0 + J / (m * radius * radius));
      // Rolling from the first step on: errors of the solve alone.
      CHECK(world.state.v[i].dot(down) == Approx(acceleration * t).epsilon(1e-9));
      CHECK((world.state.x[i] - radius * n).dot(down) ==
            Approx(0.5 * acceleration * t * t).epsilon(1e-9));
      CHECK(std::abs(world.state.x[i].y()) < 1e-10);
      CHECK(worst < 1e-12 * m * g);
    }
  }
}

TEST_CASE("Capsule bounces from its side and from its end with the restitution",
          "[engine][analytic]") {
  const double v = 2.0, e = 0.6;
  for (const bool on_side : {true, false}) {
    World world = stone(0.3, e, ImpactLaw::newton, 1e-3);
    world.model.gravity.setZero();
    world.add_plane();
    const double low = on_side ? radius : radius + 0.5 * length;
    const Pose pose{Vector3(0.0, 0.0, low + 0.0105), on_side ? lying : Quaternion::Identity()};
    const auto i = static_cast<std::size_t>(add_capsule(world, pose, Vector3(0.0, 0.0, -v)));
    Stepper stepper(world);
    stepper.steps(30);
    CHECK((world.state.v[i] - Vector3(0.0, 0.0, e * v)).norm() < 1e-11 * v);
    CHECK(world.state.w[i].norm() < 1e-10);
  }
}

TEST_CASE("Fast capsule does not pass through a thin plate", "[engine][analytic]") {
  World world = stone(0.3, 0.0, ImpactLaw::fremond, 1e-3);
  world.model.gravity.setZero();
  BodyDefinition plate;
  plate.name = "plate";
  plate.kind = BodyKind::fixed;
  plate.shape = make_box({2.0, 2.0, 0.02});
  world.add(plate, Pose{Vector3(0.0, 0.0, 0.0), Quaternion::Identity()});
  const auto i = static_cast<std::size_t>(
      add_capsule(world, Pose{Vector3(0.0, 0.0, 1.0), lying}, Vector3(0.0, 0.0, -700.0)));
  Stepper stepper(world);
  stepper.steps(20);
  CHECK(world.state.x[i].z() > 0.0);
}

}  // namespace capsule_motion_test
