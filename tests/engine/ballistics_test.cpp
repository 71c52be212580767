// Single bodies against closed forms of the scheme. [V] numbers: tests/README.md lists the sources.
#include <catch2/catch.hpp>

#include <cmath>

#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;

World ball_above_ground(double height, double e, ImpactLaw law) {
  World world;
  world.law() = PairLaw{0.0, e, law};
  world.add_plane();
  world.add_sphere(0.1, Vector3(0.0, 0.0, 0.1 + height), 2.0);
  return world;
}

struct Bounce {
  double rest_time = 0.0, path = 0.0, first_apex = 0.0, lowest = 0.0, last_speed = 0.0;
};

// Follows the ball until `end`; rest is the last time its speed exceeded `quiet`.
Bounce bounce(World world, double h, double end, double quiet) {
  world.settings.time.dt = h;
  Stepper stepper(world);
  Bounce result;
  double last = world.state.x[1].z();
  bool falling_again = false, hit = false;
  const int steps = static_cast<int>(std::lround(end / h));
  for (int k = 0; k < steps; ++k) {
    stepper.step();
    const double z = world.state.x[1].z(), speed = world.state.v[1].norm();
    result.path += std::abs(z - last);
    last = z;
    result.lowest = std::min(result.lowest, z - 0.1);
    if (speed > quiet) result.rest_time = world.state.time;
    if (world.state.v[1].z() > 0.0) hit = true;
    if (hit && !falling_again) result.first_apex = std::max(result.first_apex, z - 0.1);
    if (hit && world.state.v[1].z() < 0.0) falling_again = true;
    result.last_speed = speed;
  }
  return result;
}

}  // namespace

TEST_CASE("Bouncing ball comes to rest after the Zeno time on the Zeno path", "[engine][analytic]") {
  const struct {
    double e, time, path;
  } cases[] = {{0.5, 1.35457, 1.66667}, {0.8, 4.06371, 4.55556}};
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    for (const auto& expected : cases) {
      for (const double h : {1e-3, 5e-4}) {
        const Bounce ball = bounce(ball_above_ground(1.0, expected.e, law), h, 6.0, 2.0 * g * h);
        // an impact is seen up to h late or early, so the sum of flights is off by O(h) over many bounces
        const std::string name = test::case_name("ball dropped from 1 m, e = " + test::digits(expected.e), law, h);
        CHECK(test::validated({"Impacts", name + "time to rest [s]", expected.time, ball.rest_time,
                               10.0 * h + 0.01 * expected.time, false, "sqrt(2H/g) (1+e)/(1-e)"}));
        CHECK(test::validated({"Impacts", name + "path [m]", expected.path, ball.path, 0.02, true, "H (1+e^2)/(1-e^2)"}));
        CHECK(ball.last_speed < 1e-12);
        // the step of an impact may sink by h |v_N|, once and not more
        CHECK(ball.lowest > -h * std::sqrt(2.0 * g));
      }
    }
  }
}

TEST_CASE("Rebound height is the square of the restitution times the drop", "[engine][analytic]") {
  for (const double h : {1e-3, 5e-4}) {
    const Bounce ball = bounce(ball_above_ground(1.0, 0.5, ImpactLaw::newton), h, 1.0, 1e-3);
    const std::string name = test::case_name("ball dropped from 1 m, e = 0.5", ImpactLaw::newton, h) + "rebound [m]";
    // impact late by h at speed v
    CHECK(test::validated({"Impacts", name, 0.25, ball.first_apex, 2.0 * std::sqrt(2.0 * g) * h, false, "e^2 H"}));
  }
}

TEST_CASE("Block sliding to rest stops at the Coulomb distance", "[engine][analytic]") {
  const double v0 = 5.0, mu = 0.3;
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    for (const double h : {2e-3, 1e-3}) {
      World world;
      world.law() = PairLaw{mu, 0.0, law};
      world.settings.time.dt = h;
      world.add_plane();
      world.add_box(Vector3(1.0, 1.0, 0.2), Pose{Vector3(0.0, 0.0, 0.1), Quaternion::Identity()}, 1000.0,
                    Vector3(v0, 0.0, 0.0));
      Stepper stepper(world);
      stepper.steps(static_cast<int>(2.0 / h));
      // exact deceleration between steps; the last partial step is off by mu g h^2
      const std::string name = test::case_name("block sliding from 5 m/s, mu = 0.3", law, h) + "distance [m]";
      CHECK(test::validated({"Sliding and rolling", name, v0 * v0 / (2.0 * mu * g), world.state.x[1].x(),
                             mu * g * h * h + 1e-6, false, "v^2 / (2 mu g)"}));
      CHECK(std::abs(world.state.x[1].y()) < 1e-9);
      CHECK(world.state.v[1].norm() <= 0.51 * mu * g * h);  // `fremond`: a stopped body keeps at most mu g h / 2
    }
  }
}

TEST_CASE("Block that a moving table catches errs in position by the second order of h", "[engine][analytic]") {
  // A block at rest on a table that moves at V: friction carries it along with mu g until t = V / (mu g); then it is V t - V^2 / (2 mu g)
  // far. The only error is that of the step in which it is caught, a third or two thirds into the step, so that halving h halves its share.
  const double V = 1.0, mu = 0.3, caught = V / (mu * g);
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    double error[3] = {}, step[3] = {};
    for (int level = 0; level < 3; ++level) {
      World world;
      world.law() = PairLaw{mu, 0.0, law};
      const double h = caught / (40.0 + 1.0 / 3.0) / (1 << level);
      world.settings.time.dt = step[level] = h;
      world.settings.step.solver.tolerance = 1e-13;
      BodyDefinition table;
      table.name = "table";
      table.kind = BodyKind::driven;
      table.shape = make_box(Vector3(10.0, 10.0, 1.0));
      table.history = {HistoryKind::velocity, {}, {0.0}, {Vector3(V, 0.0, 0.0)}, {Vector3::Zero()}};
      world.add(table, Pose{Vector3(0.0, 0.0, -0.5), Quaternion::Identity()}, Vector3(V, 0.0, 0.0));
      world.add_box(Vector3(1.0, 1.0, 0.4), Pose{Vector3(0.0, 0.0, 0.2), Quaternion::Identity()});
      Stepper stepper(world);
      stepper.steps(60 << level);
      error[level] = std::abs(world.state.x[1].x() - (V * world.state.time - 0.5 * V * V / (mu * g)));
    }
    for (int level = 0; level < 2; ++level) {
      const std::string name = "block caught by a moving table, " + std::string(law == ImpactLaw::newton ? "newton" : "fremond") +
                               ", h = " + test::digits(step[level], 4) + " s and half: order of the error of its position";
      // the share of the step, 1/3 or 2/3, is off by round-off only
      CHECK(test::validated({"Sliding and rolling", name, 2.0, std::log2(error[level] / error[level + 1]), 0.01, false,
                             "order of the scheme"}));
    }
  }
}

TEST_CASE("Block on an incline sticks below the friction angle and slides above it", "[engine][analytic]") {
  const double mu = 0.5, limit = std::atan(mu);
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    for (const double offset : {-0.05, 0.05}) {
      for (const double h : {2e-3, 1e-3}) {
        const double angle = limit + offset * M_PI / 180.0;
        World world;
        world.law() = PairLaw{mu, 0.0, law};
        world.settings.time.dt = h;
        world.add_plane(Vector3(std::sin(angle), 0.0, std::cos(angle)));
        const Quaternion tilt(Eigen::AngleAxisd(angle, Vector3::UnitY()));
        world.add_box(Vector3(1.0, 1.0, 0.5), Pose{tilt * Vector3(0.0, 0.0, 0.25), tilt});
        Stepper stepper(world);
        stepper.steps(static_cast<int>(1.0 / h));
        const double moved = (world.state.x[1] - tilt * Vector3(0.0, 0.0, 0.25)).norm();
        // exact for constant force at theta = 1/2
        const double acceleration = offset < 0.0 ? 0.0 : g * (std::sin(angle) - mu * std::cos(angle));
        const std::string side = offset < 0.0 ? "below" : "above";
        const std::string name = test::case_name("block 0.05 degrees " + side + " the friction angle", law, h) + "way in 1 s [m]";
        CHECK(test::validated({"Sliding and rolling", name, 0.5 * acceleration, moved, offset < 0.0 ? 1e-8 : 1e-6, false,
                               offset < 0.0 ? "sticks" : "g (sin a - mu cos a) / 2"}));
      }
    }
  }
}

TEST_CASE("Sliding sphere begins to roll at five sevenths of its speed", "[engine][analytic]") {
  const double v0 = 5.0, mu = 0.2;
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    for (const double h : {2e-3, 1e-3}) {
      World world;
      world.law() = PairLaw{mu, 0.0, law};
      world.settings.time.dt = h;
      world.add_plane();
      world.add_sphere(0.5, Vector3(0.0, 0.0, 0.5), 3.0, Vector3(v0, 0.0, 0.0));
      Stepper stepper(world);
      const double rolling_at = 2.0 * v0 / (7.0 * mu * g);
      stepper.steps(static_cast<int>(std::ceil(1.5 * rolling_at / h)));
      const double t = world.state.time;
      const double x = 12.0 * v0 * v0 / (49.0 * mu * g) + 5.0 / 7.0 * v0 * (t - rolling_at);
      const double floor = law == ImpactLaw::fremond ? mu * g * h : 0.0;  // tangential reversal at theta = 1/2
      const std::string name = test::case_name("sphere sliding from 5 m/s, mu = 0.2", law, h);
      CHECK(test::validated({"Sliding and rolling", name + "speed when it rolls [m/s]", 5.0 / 7.0 * v0, world.state.v[1].x(),
                             1e-4 * v0 + floor, false, "5/7 v"}));
      CHECK(test::validated({"Sliding and rolling", name + "way [m]", x, world.state.x[1].x(), 1e-4, true,
                             "12 v^2 / (49 mu g) + 5/7 v t"}));
    }
  }
}

TEST_CASE("Sphere on an incline rolls with five sevenths of gravity or slides when friction is short",
          "[engine][analytic]") {
  const double angle = M_PI / 6.0;
  const struct {
    double mu, acceleration;
  } cases[] = {{0.5, 3.50357}, {0.1, 4.05543}};
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    for (const auto& expected : cases) {
      for (const double h : {2e-3, 1e-3}) {
        World world;
        world.law() = PairLaw{expected.mu, 0.0, law};
        world.settings.time.dt = h;
        world.add_plane(Vector3(std::sin(angle), 0.0, std::cos(angle)));
        const Vector3 start(0.5 * std::sin(angle), 0.0, 0.5 * std::cos(angle));
        world.add_sphere(0.5, start, 3.0);
        Stepper stepper(world);
        stepper.steps(static_cast<int>(std::lround(1.0 / h)));
        const double acceleration = 2.0 * (world.state.x[1] - start).norm();
        const std::string name =
            test::case_name("sphere on 30 degrees, mu = " + test::digits(expected.mu), law, h) + "acceleration [m/s2]";
        CHECK(test::validated({"Sliding and rolling", name, expected.acceleration, acceleration, 1e-4, true,
                               expected.mu > 0.2 ? "5/7 g sin a" : "g (sin a - mu cos a)"}));
      }
    }
  }
}

TEST_CASE("Oblique impact of a sphere follows the closed form of each law", "[engine][analytic]") {
  // v_n = v_t = 1, e = 1/2, no gravity; columns: mu, law, v_t', spin
  const struct {
    double mu;
    ImpactLaw law;
    double v_t, w;
  } cases[] = {{0.1, ImpactLaw::newton, 0.85, 0.375},
               {0.1, ImpactLaw::fremond, 0.85, 0.375},
               {0.5, ImpactLaw::newton, 5.0 / 7.0, 5.0 / 7.0},
               {0.5, ImpactLaw::fremond, 3.0 / 7.0, 10.0 / 7.0}};
  for (const auto& expected : cases) {
    for (const double h : {1e-2, 5e-3}) {
      World world;
      world.model.gravity.setZero();
      world.law() = PairLaw{expected.mu, 0.5, expected.law};
      world.settings.time.dt = h;
      world.settings.step.solver.tolerance = 1e-13;
      world.add_plane();
      world.add_sphere(1.0, Vector3(0.0, 0.0, 1.0), 2.0, Vector3(1.0, 0.0, -1.0));
      Stepper stepper(world);
      stepper.step();
      const std::string name = test::case_name("oblique sphere impact, mu = " + test::digits(expected.mu), expected.law, h);
      CHECK(test::validated({"Impacts", name + "tangential speed [m/s]", expected.v_t, world.state.v[1].x(), 1e-10, false,
                             "closed form of the law"}));
      CHECK(std::abs(world.state.v[1].z() - 0.5) < 1e-10);
      CHECK(std::abs(world.state.w[1].y() - expected.w) < 1e-10);
    }
  }
}
