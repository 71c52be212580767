// A ball that bounces to rest: Zeno time and path, rebound, and what rest means under each law.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace bouncing_ball_test {

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
  double still_since = 0.0;  // [s] the last time at which its speed was 1e-12 m/s or more
  double rest_height = 0.0,
         drift = 0.0;  // [m] above the ground after that, and the way from there up to the end
  double fading = 0.0,
         sunk = 0.0;  // [m] deepest in the ground since its speed was last above `quiet`, and above
                      // 1e-12 m/s
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
    if (speed > quiet) result.rest_time = world.state.time, result.fading = 0.0;
    result.fading = std::max(result.fading, 0.1 - z);
    if (speed >= 1e-12) {
      result.still_since = world.state.time;
      result.drift = result.sunk = 0.0;
    } else {
      result.sunk = std::max(result.sunk, 0.1 - z);
      if (world.state.time - result.still_since < 1.5 * h)
        result.rest_height = z - 0.1;  // its first step at rest
      result.drift = std::max(result.drift, std::abs(z - 0.1 - result.rest_height));
    }
    if (world.state.v[1].z() > 0.0) hit = true;
    if (hit && !falling_again) result.first_apex = std::max(result.first_apex, z - 0.1);
    if (hit && world.state.v[1].z() < 0.0) falling_again = true;
  }
  return result;
}

}  // namespace

TEST_CASE("Bouncing ball comes to rest after the Zeno time on the Zeno path",
          "[engine][analytic]") {
  const struct {
    double e, time, path;
  } cases[] = {{0.5, 1.35457, 1.66667}, {0.8, 4.06371, 4.55556}};
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    for (const auto& expected : cases) {
      for (const double h : {1e-3, 5e-4}) {
        const Bounce ball = bounce(ball_above_ground(1.0, expected.e, law), h, 6.0, 2.0 * g * h);
        // an impact is seen up to h late or early, so the sum of flights is off by O(h) over many
        // bounces
        const std::string name =
            test::case_name("ball dropped from 1 m, e = " + test::digits(expected.e), law, h);
        CHECK(test::validated({"Impacts", name + "time to rest [s]", expected.time, ball.rest_time,
                               10.0 * h + 0.01 * expected.time, false, "sqrt(2H/g) (1+e)/(1-e)"}));
        CHECK(test::validated({"Impacts", name + "path [m]", expected.path, ball.path, 0.02, true,
                               "H (1+e^2)/(1-e^2)"}));
        // the step of an impact may sink by h |v_N|, once and not more
        CHECK(ball.lowest > -h * std::sqrt(2.0 * g));
        // From 2 g h, the speed at which rest was read, what is left of the bounces lasts 2 (2 g h)
        // / g e / (1 - e), 16 h at e = 0.8, and each of the last ones may come a step late. Then
        // `newton` stops it. `fremond` at theta = 1/2 takes -e of an approach and -1 of a
        // separation, so that two steps leave e of the speed.
        const double fades = law == ImpactLaw::fremond
                                 ? 2.0 * std::log(2.0 * g * h / 1e-12) / -std::log(expected.e)
                                 : 0.0;
        CHECK(test::validated({"Impacts", name + "from there to a speed below 1e-12 m/s [steps]",
                               fades, (ball.still_since - ball.rest_time) / h, 32.0, false,
                               "32 steps of bounces, then e in two steps"}));
        // and lies still: a speed below 1e-12 m/s moves it by 6e-12 m at most in the 6 s
        CHECK(test::validated({"Impacts", name + "way after that, up to 6 s [m]", 0.0, ball.drift,
                               1e-11, false, "at rest"}));
        // A step that turns u round to -e u takes the ball h (1 - e) |u| / 2 down from where it
        // was, above the ground: (1 - e) g h^2 at 2 g h. Once it lies still it is not below the
        // ground at all.
        CHECK(
            test::validated({"Impacts", name + "deepest in the ground in the last bounces [m]", 0.0,
                             ball.fading, (1.0 - expected.e) * g * h * h, false, "(1 - e) g h^2"}));
        CHECK(test::validated({"Impacts", name + "deepest in the ground at rest [m]", 0.0,
                               ball.sunk, 1e-6, false, "1e-6 of the drop"}));
        // it lies no higher than a step at 2 g h takes it
        CHECK(test::validated({"Impacts", name + "height at rest [m]", 0.0, ball.rest_height,
                               2.0 * g * h * h, false, "lies on the ground"}));
      }
    }
  }
}

TEST_CASE("Rebound height is the square of the restitution times the drop", "[engine][analytic]") {
  for (const double h : {1e-3, 5e-4}) {
    const Bounce ball = bounce(ball_above_ground(1.0, 0.5, ImpactLaw::newton), h, 1.0, 1e-3);
    const std::string name =
        test::case_name("ball dropped from 1 m, e = 0.5", ImpactLaw::newton, h) + "rebound [m]";
    // impact late by h at speed v
    CHECK(test::validated(
        {"Impacts", name, 0.25, ball.first_apex, 2.0 * std::sqrt(2.0 * g) * h, false, "e^2 H"}));
  }
}

}  // namespace bouncing_ball_test
