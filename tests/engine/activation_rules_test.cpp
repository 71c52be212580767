// What each rule of activation, and the two-step rule, do to a ball that hits the ground.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace activation_rules_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double radius = 0.1;  // [m]

struct Rule {
  Activation activation;
  double gamma;
};
constexpr Rule rules[] = {{Activation::predict, 0.0},  {Activation::paper, 0.0},
                          {Activation::forecast, 0.0}, {Activation::gamma, 0.0},
                          {Activation::gamma, 0.5},    {Activation::gamma, 1.0},
                          {Activation::mid, 0.0}};

World ball(double height, double speed, double e, double h, double theta, double gravity) {
  World world;
  world.law() = PairLaw{0.0, e, ImpactLaw::newton};
  world.model.gravity = Vector3(0.0, 0.0, -gravity);
  world.settings.time.dt = h;
  world.settings.time.theta = theta;
  world.settings.step.solver.tolerance = 1e-13;
  world.add_plane();
  world.add_sphere(radius, Vector3(0.0, 0.0, radius + height), 2.0);
  world.state.v[1].z() = -speed;
  return world;
}

void set(World& world, const Rule& rule) {
  world.settings.step.activation = rule.activation;
  world.settings.step.activation_gamma = rule.gamma;
}

// The part of a step, times the velocity at its start, that a rule looks ahead.
double lead(const Rule& rule, double theta) {
  switch (rule.activation) {
    case Activation::predict:
    case Activation::forecast:
      return 1.0;
    case Activation::paper:
      return 0.0;
    case Activation::gamma:
      return rule.gamma;
    case Activation::mid:
      return 1.0 - theta;
  }
  return 0.0;
}

double gap(const World& world) { return world.state.x[1].z() - radius; }

std::string name_of(const Rule& rule, double theta, double e, double h) {
  const char* const word = activation_names[static_cast<std::size_t>(rule.activation)];
  const std::string gamma =
      rule.activation == Activation::gamma ? fmt::format(" {:g}", rule.gamma) : std::string();
  return fmt::format("{}{}, theta = {:g}, e = {:g}, h = {:g} s: ", word, gamma, theta, e, h);
}

}  // namespace

TEST_CASE("Each rule of activation catches a ball in the step that its formula says",
          "[engine][analytic]") {
  constexpr double height = 0.0123, speed = 3.0;
  for (const Rule& rule : rules) {
    for (const double theta : {0.5, 0.55, 1.0}) {
      for (const double e : {0.0, 0.8}) {
        if (theta > 1.0 / (1.0 + e)) continue;
        for (const double h : {1e-3, 3.7e-4}) {
          World world = ball(height, speed, e, h, theta, 0.0);
          set(world, rule);
          Stepper stepper(world);
          // The ball as the rule has it: gap and velocity at the start of each step.
          double g = height, v = -speed, lowest = height;
          for (int k = 0; k < 40; ++k) {
            const bool caught = v < 0.0 && g + lead(rule, theta) * h * v <= 0.0;
            const double next = caught ? -e * v : v;
            g += h * (theta * next + (1.0 - theta) * v);
            v = next;
            lowest = std::min(lowest, g);
            stepper.step();
            INFO(name_of(rule, theta, e, h) << "step " << k + 1);
            // Round-off of positions of 0.1 m and of sums of 40 steps.
            REQUIRE(std::abs(gap(world) - g) < 1e-14);
            REQUIRE(std::abs(world.state.v[1].z() - v) < 1e-12);
          }
          CHECK(test::validated({"Rules of activation",
                                 name_of(rule, theta, e, h) + "deepest in the ground [m]",
                                 std::max(-lowest, 0.0), std::max(-lowest, 0.0), 1e-14, false,
                                 "the rule's own formula"}));
        }
      }
    }
  }
}

TEST_CASE("Under each rule of activation a ball keeps to the Zeno path to first order in h",
          "[engine][convergence]") {
  constexpr double g = 9.81, e = 0.8, drop = 1.0, end = 2.0;
  const double v_0 = std::sqrt(2.0 * g * drop);
  const auto exact = [&](double t) {
    double begin = v_0 / g, v = e * v_0;
    if (t < begin) return drop - 0.5 * g * t * t;
    while (t > begin + 2.0 * v / g) begin += 2.0 * v / g, v *= e;
    return v * (t - begin) - 0.5 * g * (t - begin) * (t - begin);
  };
  for (const Rule& rule : rules) {
    for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
      World world = ball(drop, 0.0, e, h, 0.5, g);
      set(world, rule);
      Stepper stepper(world);
      double worst = 0.0;
      for (long k = 0; k < std::lround(end / h); ++k) {
        stepper.step();
        worst = std::max(worst, std::abs(gap(world) - exact(world.state.time)));
      }
      // Each of three impacts comes up to h early or late, (1 + e) v h of way each, and takes up to
      // g h of speed with it, g h (1 s) of way: the same factor on h for all steps.
      const double allowed = ((1.0 + e) * (1.0 + e + e * e) * v_0 + 3.0 * g * 1.0) * h;
      CHECK(test::validated({"Rules of activation",
                             name_of(rule, 0.5, e, h) + "largest way off the Zeno path [m]", 0.0,
                             worst, allowed, false, "first order in h"}));
    }
  }
}

TEST_CASE("Two-step rule: what closes within a step arrives, and stops in the next",
          "[engine][analytic]") {
  constexpr double height = 5e-4, speed = 1.3;
  for (const double h : {1e-3, 5.1e-4}) {
    for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::fremond}) {
      World world = ball(height, speed, 0.0, h, 1.0, 0.0);
      world.law().law = law;
      World plain = world;
      world.settings.step.closing = Closing::two_step;
      Stepper stepper(world), without(plain);
      double deepest = 0.0, most_work = 0.0;
      for (int k = 0; k < 10; ++k) {
        const StepRecord record = stepper.step();
        without.step();
        deepest = std::min(deepest, gap(world));
        most_work = std::max(most_work, record.ledger.max_normal_work);
        CHECK(std::abs(record.ledger.balance) < 1e-14);
      }
      // Round-off of positions of 0.1 m.
      const std::string name = test::case_name("ball, gap 0.5 mm, two-step rule", law, h);
      CHECK(test::validated({"Rules of activation", name + "gap at rest [m]", 0.0, gap(world),
                             1e-16, false, "arrives at the touch"}));
      CHECK(deepest > -1e-16);
      CHECK(std::abs(world.state.v[1].z()) < 1e-14);
      CHECK(most_work < 1e-15);
      // An impact stops it where the step began, up to h v above the ground.
      CHECK(gap(plain) > 1e-5);
    }
  }
  World low = ball(height, speed, 0.0, 1e-3, 0.5, 0.0);
  low.settings.step.closing = Closing::two_step;
  CHECK_THROWS_WITH(check_settings(low.model, low.settings),
                    Catch::Contains("law.closing: \"two_step\" is not allowed with theta below 1"));
}

}  // namespace activation_rules_test
