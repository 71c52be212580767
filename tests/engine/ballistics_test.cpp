// Single bodies against closed forms of the scheme and of the motion.
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
  world.settings.step.solver.tolerance = 1e-13;  // so that nothing but the law says how it stops
  world.add_plane();
  world.add_sphere(0.1, Vector3(0.0, 0.0, 0.1 + height), 2.0);
  return world;
}

struct Bounce {
  double rest_time = 0.0, path = 0.0, first_apex = 0.0, lowest = 0.0;
  double still_since = 0.0;               // [s] the last time at which its speed was 1e-12 m/s or more
  double rest_height = 0.0, drift = 0.0;  // [m] above the ground after that, and the way from there up to the end
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
    if (speed >= 1e-12) {
      result.still_since = world.state.time;
      result.drift = 0.0;
    } else {
      if (world.state.time - result.still_since < 1.5 * h) result.rest_height = z - 0.1;  // its first step at rest
      result.drift = std::max(result.drift, std::abs(z - 0.1 - result.rest_height));
    }
    if (world.state.v[1].z() > 0.0) hit = true;
    if (hit && !falling_again) result.first_apex = std::max(result.first_apex, z - 0.1);
    if (hit && world.state.v[1].z() < 0.0) falling_again = true;
  }
  return result;
}

}  // namespace

TEST_CASE("Bouncing ball comes to rest after the Zeno time on the Zeno path", "[engine][analytic]") {
  const struct { double e, time, path; } cases[] = {{0.5, 1.35457, 1.66667}, {0.8, 4.06371, 4.55556}};
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    for (const auto& expected : cases) {
      for (const double h : {1e-3, 5e-4}) {
        const Bounce ball = bounce(ball_above_ground(1.0, expected.e, law), h, 6.0, 2.0 * g * h);
        // an impact is seen up to h late or early, so the sum of flights is off by O(h) over many bounces
        const std::string name = test::case_name("ball dropped from 1 m, e = " + test::digits(expected.e), law, h);
        CHECK(test::validated({"Impacts", name + "time to rest [s]", expected.time, ball.rest_time,
                               10.0 * h + 0.01 * expected.time, false, "sqrt(2H/g) (1+e)/(1-e)"}));
        CHECK(
            test::validated({"Impacts", name + "path [m]", expected.path, ball.path, 0.02, true, "H (1+e^2)/(1-e^2)"}));
        // the step of an impact may sink by h |v_N|, once and not more
        CHECK(ball.lowest > -h * std::sqrt(2.0 * g));
        // From 2 g h, the speed at which rest was read, what is left of the bounces lasts 2 (2 g h) / g e / (1 - e), 16
        // h at e = 0.8, and each of the last ones may come a step late. Then `newton` stops it. `fremond` at theta =
        // 1/2 takes -e of an approach and -1 of a separation, so that two steps leave e of the speed.
        const double fades =
            law == ImpactLaw::fremond ? 2.0 * std::log(2.0 * g * h / 1e-12) / -std::log(expected.e) : 0.0;
        CHECK(test::validated({"Impacts", name + "from there to a speed below 1e-12 m/s [steps]", fades,
                               (ball.still_since - ball.rest_time) / h, 32.0, false,
                               "32 steps of bounces, then e in two steps"}));
        // and lies still: a speed below 1e-12 m/s moves it by 6e-12 m at most in the 6 s
        CHECK(test::validated(
            {"Impacts", name + "way after that, up to 6 s [m]", 0.0, ball.drift, 1e-11, false, "at rest"}));
        // it lies no deeper or higher than a step at 2 g h takes it
        CHECK(test::validated({"Impacts", name + "height at rest [m]", 0.0, ball.rest_height, 2.0 * g * h * h, false,
                               "lies on the ground"}));
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
  // A block at rest on a table that moves at V: friction carries it along with mu g until t = V / (mu g); then it is V
  // t - V^2 / (2 mu g) far. The only error is that of the step in which it is caught, a third or two thirds into the
  // step, so that halving h halves its share.
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
      const std::string name =
          "block caught by a moving table, " + std::string(law == ImpactLaw::newton ? "newton" : "fremond") +
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
        const std::string name =
            test::case_name("block 0.05 degrees " + side + " the friction angle", law, h) + "way in 1 s [m]";
        CHECK(test::validated({"Sliding and rolling", name, 0.5 * acceleration, moved, offset < 0.0 ? 1e-8 : 1e-6,
                               false, offset < 0.0 ? "sticks" : "g (sin a - mu cos a) / 2"}));
      }
    }
  }
}

namespace {

// A round body that slides at v0 and then rolls: shares k of m r^2 that its inertia is, of the closed form
//   v = v0 / (1 + k),  t = k v0 / ((1 + k) mu g),  x(t) = v0 t - mu g t^2 / 2.
// A cylinder that rolls on its side touches the ground in a line whose contact points share one velocity: the sphere
// with k = 1/2 about the axis moves as it does. (A solid of facets would rock over its edges.)
struct Roller {
  const char* name;
  double k;
  const char *speed, *time;
};

}  // namespace

TEST_CASE("Sliding sphere and cylinder begin to roll at the closed-form speed, time and way", "[engine][analytic]") {
  const double v0 = 5.0, mu = 0.2, r = 0.5, m = 3.0;
  for (const Roller& roller :
       {Roller{"sphere", 0.4, "5/7 v", "2 v / (7 mu g)"}, Roller{"cylinder", 0.5, "2/3 v", "v / (3 mu g)"}}) {
    for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
      for (const double h : {2e-3, 1e-3}) {
        World world;
        world.law() = PairLaw{mu, 0.0, law};
        world.settings.time.dt = h;
        world.add_plane();
        BodyDefinition body;
        body.name = roller.name;
        body.shape = Sphere{r, Vector3::Zero()};
        body.mass = m;
        // of the cylinder, 2 m r long: m (3 r^2 + l^2) / 12 across its axis
        const double across = roller.k == 0.5 ? 7.0 / 12.0 : roller.k;
        body.inertia = m * r * r * Vector3(across, roller.k, across).asDiagonal().toDenseMatrix();
        world.add(body, Pose{Vector3(0.0, 0.0, r), Quaternion::Identity()}, Vector3(v0, 0.0, 0.0));
        Stepper stepper(world);
        const double rolling_at = roller.k * v0 / ((1.0 + roller.k) * mu * g), rolling_v = v0 / (1.0 + roller.k);
        // It rolls once the velocity of the contact point is gone: the line through two velocities of the slide says
        // when that is.
        const auto slip = [&] { return world.state.v[1].x() - r * (world.state.q[1] * world.state.w[1]).y(); };
        stepper.steps(static_cast<int>(0.5 * rolling_at / h));
        const double half_way = world.state.time, slip_half_way = slip();
        double before = slip_half_way, reached = 0.0, way = 0.0;
        while (world.state.time < 1.5 * rolling_at) {
          const double x = world.state.x[1].x(), v = world.state.v[1].x();
          stepper.step();
          const double after = slip();
          if (reached == 0.0 &&
              after < 1e-6 * v0) {  // the step in which it begins to roll: the slide goes on for a share of it
            const double start = world.state.time - h;
            const double rest = before * (start - half_way) / (slip_half_way - before);
            reached = start + rest;
            way = x + v * rest - 0.5 * mu * g * rest * rest;
          }
          before = after;
        }
        const double t = world.state.time;
        const double x = v0 * rolling_at - 0.5 * mu * g * rolling_at * rolling_at + rolling_v * (t - rolling_at);
        // `fremond` turns what is left of the slip in the last step of the slide around (theta = 1/2): up to mu g h of
        // speed
        const double floor = law == ImpactLaw::fremond ? mu * g * h : 0.0;
        const std::string name = test::case_name(std::string(roller.name) + " sliding from 5 m/s, mu = 0.2", law, h);
        const char* section = "Sliding and rolling";
        // The slide is exact at theta = 1/2 up to the solver's 1e-8 of each impulse, and what the last step leaves is
        // gone after it. Without reversal the speed is exact too: the angular momentum about the ground is kept.
        CHECK(test::validated({section, name + "speed when it rolls [m/s]", rolling_v, world.state.v[1].x(),
                               1e-6 * v0 + floor, false, roller.speed}));
        CHECK(test::validated(
            {section, name + "time when it begins to roll [s]", rolling_at, reached, 1e-6, true, roller.time}));
        CHECK(test::validated({section, name + "way when it begins to roll [m]",
                               v0 * rolling_at - 0.5 * mu * g * rolling_at * rolling_at, way, 1e-6, true,
                               "v t - mu g t^2 / 2"}));
        // the step in which the slide ends moves it by mu g h^2 too far or too short
        CHECK(test::validated({section, name + "way at 1.5 of that time [m]", x, world.state.x[1].x(), mu * g * h * h,
                               false, "v t - mu g t^2 / 2, then at constant speed"}));
      }
    }
  }
}

TEST_CASE("Sphere on an incline rolls with five sevenths of gravity or slides when friction is short",
          "[engine][analytic]") {
  const double angle = M_PI / 6.0;
  const struct {
    double mu, acceleration;
  } cases[] = {{0.5, 5.0 / 7.0 * g * std::sin(angle)}, {0.1, g * (std::sin(angle) - 0.1 * std::cos(angle))}};
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
        // constant forces: the scheme is exact at theta = 1/2, and what is left is the solver's 1e-8 of each impulse
        const double acceleration = 2.0 * (world.state.x[1] - start).norm() / (world.state.time * world.state.time);
        const std::string name =
            test::case_name("sphere on 30 degrees, mu = " + test::digits(expected.mu), law, h) + "acceleration [m/s2]";
        CHECK(test::validated({"Sliding and rolling", name, expected.acceleration, acceleration, 1e-6, true,
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
      const std::string name =
          test::case_name("oblique sphere impact, mu = " + test::digits(expected.mu), expected.law, h);
      CHECK(test::validated({"Impacts", name + "tangential speed [m/s]", expected.v_t, world.state.v[1].x(), 1e-10,
                             false, "closed form of the law"}));
      CHECK(std::abs(world.state.v[1].z() - 0.5) < 1e-10);
      CHECK(std::abs(world.state.w[1].y() - expected.w) < 1e-10);
    }
  }
}
