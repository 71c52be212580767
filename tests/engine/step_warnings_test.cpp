// Warnings of steps about what no residual shows: bodies that turn round for ever, and contacts
// that a rule of activation leaves out.
#include <catch2/catch.hpp>

#include <cmath>
#include <memory>

#include "engine/model/extent.hpp"
#include "engine/model/warnings.hpp"
#include "tests/support/world.hpp"

namespace step_warnings_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

// A cube in a groove of two planes that fits it, pressed down by `press` [N], that starts along it.
World groove(double h, double v, double press) {
  World world;
  world.settings.time.dt = h;
  world.law() = PairLaw{0.5, 0.0, ImpactLaw::fremond};
  world.add_plane(Vector3(1.0, 0.0, 1.0));
  world.add_plane(Vector3(-1.0, 0.0, 1.0));
  const double side = 0.2;
  const Quaternion q(Eigen::AngleAxisd(std::acos(0.0) / 2.0, Vector3::UnitY()));
  world.add_box(Vector3::Constant(side), Pose{Vector3(0.0, 0.0, side / std::sqrt(2.0)), q}, 2300.0,
                Vector3(0.0, v, 0.0));
  const double mass = world.model.mass[2];
  world.model.gravity = Vector3(0.0, 0.0, -9.81 - press / mass);
  return world;
}

// A cube between two planes that just touch it, that starts towards one of them.
World slot(double h, double v, double e) {
  World world;
  world.settings.time.dt = h;
  world.model.gravity.setZero();
  world.law() = PairLaw{0.5, e, ImpactLaw::fremond};
  world.add_plane();
  world.add_plane(-Vector3::UnitZ(), Vector3(0.0, 0.0, 0.2));
  world.add_box(Vector3::Constant(0.2), Pose{Vector3(0.0, 0.0, 0.1), Quaternion::Identity()},
                2300.0, Vector3(0.0, 0.0, v));
  return world;
}

std::int64_t turns(World& world, int steps) {
  Stepper stepper(world);
  stepper.steps(steps);
  return world.state.warnings[Warning::turns_back].count;
}

}  // namespace

TEST_CASE("Body in an exact slot that rebounds for ever is warned of, at its speed",
          "[engine][analytic]") {
  for (const double h : {1e-3, 5e-4}) {
    World world = slot(h, 0.3, 1.0);
    CHECK(turns(world, 400) == 24);  // looks at 16, 32, ...; the first has none before it
    const WarningEntry& entry = world.state.warnings[Warning::turns_back];
    CHECK(entry.worst == Approx(0.3).epsilon(1e-7));
    CHECK(entry.bodies[0] == 2);
    World soft = slot(h, 0.3, 0.5);
    CHECK(turns(soft, 400) == 0);
  }
}

TEST_CASE("Trembling at the bound of what lies on the ground is no turning back",
          "[engine][property]") {
  for (const double h : {2e-3, 1e-3}) {
    // A cube that slid to rest, and one in a groove under its own weight: published bounds.
    World cube;
    cube.settings.time.dt = h;
    cube.law() = PairLaw{0.6, 0.2, ImpactLaw::fremond};
    cube.add_tower(1);
    cube.state.v[1] = Vector3(1.0, 0.3, 0.0);
    CHECK(turns(cube, 400) == 0);
    World light = groove(h, 0.3, 0.0);
    CHECK(turns(light, 400) == 0);
    // A ball that bounces for ever touches the ground anew each time.
    World ball;
    ball.settings.time.dt = h;
    ball.law() = PairLaw{0.6, 1.0, ImpactLaw::fremond};
    ball.add_plane();
    const double v = 9.81 * 16.0 * h;  // back after 32 steps, and so at every look
    ball.add_sphere(0.1, Vector3(0.0, 0.0, 0.1), 1.0, Vector3(0.0, 0.0, v));
    CHECK(turns(ball, 700) == 0);
  }
}

TEST_CASE("What turned back at the last look is part of a state", "[engine][property]") {
  World whole = slot(1e-3, 0.3, 1.0), pieces = slot(1e-3, 0.3, 1.0);
  Stepper stepper(whole);
  stepper.steps(300);
  for (int k = 0; k < 3; ++k) {
    Stepper piece(pieces);  // new scratch memory
    piece.steps(100);
  }
  CHECK(whole.state.warnings[Warning::turns_back].count ==
        pieces.state.warnings[Warning::turns_back].count);
  CHECK(whole.state.touched == pieces.state.touched);
}

TEST_CASE("Rules that leave out what rests say so, sinking or lifted again", "[engine][property]") {
  for (const double h : {1e-3, 5e-4}) {
    for (const PositionCorrection correction :
         {PositionCorrection::none, PositionCorrection::repeated}) {
      for (const Activation rule : {Activation::predict, Activation::paper, Activation::forecast,
                                    Activation::gamma, Activation::mid}) {
        World world;
        world.settings.time.dt = h;
        world.settings.step.activation = rule;
        world.settings.step.correction = correction;
        world.law() = PairLaw{0.5, 0.0, ImpactLaw::fremond};
        world.add_plane();
        for (int i = 0; i < 3; ++i)
          world.add_box(Vector3::Constant(0.2),
                        Pose{Vector3(0.0, 0.0, 0.1 + 0.2005 * i), Quaternion::Identity()}, 2300.0);
        Stepper stepper(world);
        double lifted = 0.0;
        for (int k = 0; k < static_cast<int>(std::lround(0.5 / h)); ++k)
          lifted += stepper.step().ledger.projection_work;
        const bool sinks = rule == Activation::paper || rule == Activation::forecast;
        INFO("h " << h << ", rule " << static_cast<int>(rule) << ", correction "
                  << static_cast<int>(correction) << ", overlap "
                  << stepper.record().max_penetration << ", lifted "
                  << lifted / world.state.energy_scale);
        const bool warned = world.state.warnings[Warning::left_out].count > 0;
        // A correction hides how deep they sink: then any contact that is left out counts.
        if (sinks || rule == Activation::predict || correction == PositionCorrection::none)
          CHECK(warned == sinks);
        if (correction == PositionCorrection::none)
          CHECK((stepper.record().max_penetration > 2e-4) == sinks);
      }
    }
  }
}

TEST_CASE("Slivers that a decomposition leaves are not how thin a body is", "[engine][analytic]") {
  const auto thickness = [](const std::vector<double>& heights) {
    World world;
    BodyDefinition body;
    body.name = "body";
    body.density = 2000.0;
    double z = 0.0;
    for (const double height : heights) {
      std::vector<Vector3> corners;
      for (const double x : {0.0, 1.0}) {
        for (const double y : {0.0, 1.0}) {
          for (const double top : {z, z + height}) corners.emplace_back(x, y, top);
        }
      }
      z += height;
      if (z == height)
        body.shape = make_convex_polyhedron(corners);
      else
        body.further_parts.emplace_back(make_convex_polyhedron(corners));
    }
    world.add(body, Pose{});
    return thinnest_extents(world.model)[0];
  };
  CHECK(thickness({0.5, 2e-5}) == Approx(0.5));
  CHECK(thickness({2e-5, 0.5}) == Approx(0.5));
  CHECK(thickness({0.02, 0.5}) == Approx(0.02));
  CHECK(thickness({2e-5}) == Approx(2e-5));
  CHECK(thickness({2e-5, 2e-5}) == Approx(2e-5));
}

}  // namespace step_warnings_test
