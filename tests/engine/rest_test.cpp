// How much still moves in what has come to rest: the published law, `rest = "damped"`, and theta above 1/2.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;

struct Outcome {
  double energy = 0.0;        // kinetic, a body, over m g (1 m): largest over the last 50 steps
  double largest_work = 0.0;  // of a contact in a step [J]
  double solves = 0.0;        // a step
  int unconverged = 0;
};

Outcome settle(World& world, double mass, int bodies, int steps) {
  Stepper stepper(world);
  Outcome outcome;
  for (int k = 0; k < steps; ++k) {
    const StepRecord& record = stepper.step();
    outcome.solves += static_cast<double>(record.passes) / steps;
    outcome.unconverged += record.converged ? 0 : 1;
    outcome.largest_work = std::max({outcome.largest_work, record.ledger.max_tangential_work, record.ledger.max_normal_work});
    if (k >= steps - 50) outcome.energy = std::max(outcome.energy, record.ledger.kinetic / (bodies * mass * g));
  }
  return outcome;
}

// A cube that slides to rest from 1 m/s within 0.18 s.
Outcome sliding_cube(Rest rest) {
  World world;
  world.law() = PairLaw{0.6, 0.2, ImpactLaw::fremond};
  world.settings.time.dt = 2e-3;
  world.settings.step.rest = rest;
  world.add_tower(1);
  world.state.v[1] = Vector3(1.0, 0.3, 0.0);
  return settle(world, 2300.0, 1, 200);
}

// A wall of three courses whose blocks start at `speed`, each its own way.
Outcome shaken_wall(Rest rest, double theta, double speed) {
  World world;
  world.law() = PairLaw{0.6, 0.2, ImpactLaw::fremond};
  world.settings.time.dt = 2e-3;
  world.settings.time.theta = theta;
  world.settings.step.rest = rest;
  world.add_plane();
  for (int course = 0; course < 3; ++course) {
    for (int i = 0; i < 4 - course; ++i) {
      const Vector3 centre(0.0, 2.0 * i - 3.0 + course, 0.5 + course);
      const double sign = (i + course) % 2 == 0 ? 1.0 : -1.0;
      world.add_box(Vector3(1.0, 2.0, 1.0), Pose{centre, Quaternion::Identity()}, 2300.0,
                    sign * Vector3(speed, 0.0, 0.0), sign * Vector3(0.0, 0.0, 0.5 * speed));
    }
  }
  return settle(world, 4600.0, 9, 300);
}

}  // namespace

TEST_CASE("Damped rest stops a cube where the published law leaves it trembling", "[engine][analytic]") {
  const Outcome published = sliding_cube(Rest::published), damped = sliding_cube(Rest::damped);
  const double h = 2e-3, largest = 0.5 * std::pow(0.5 * 0.6 * g * h, 2) / g;  // |u_T| <= mu g h / 2
  CHECK(published.energy > 0.01 * largest);
  CHECK(published.energy <= largest * (1.0 + 1e-6));
  CHECK(test::validated({"Damped rest", "cube slid to rest, kinetic energy / m g (1 m)", 0.0, damped.energy, 1e-10, false, "rest"}));
  CHECK(damped.unconverged == 0);
  CHECK(damped.solves < 1.05);
  // as promised: 10 tolerances of the impulse, at most |(m g h, mu m g h)|, times the speed
  CHECK(damped.largest_work <= 10.0 * 1e-8 * 1.2 * 2300.0 * g * h * 1.1);
}

TEST_CASE("Damped rest costs nothing in a wall that stands", "[engine][property]") {
  const Outcome damped = shaken_wall(Rest::damped, 0.5, 0.0);
  CHECK(test::validated({"Damped rest", "wall of 9 blocks at rest, kinetic energy a block / m g (1 m)", 0.0, damped.energy, 1e-10,
                         false, "rest"}));
  CHECK(test::validated({"Damped rest", "wall of 9 blocks at rest, solves a step", 1.0, damped.solves, 1e-12, false, "no second solve"}));
}

TEST_CASE("Theta above one half brings a shaken wall to rest with no work at any contact", "[engine][property]") {
  const Outcome half = shaken_wall(Rest::published, 0.5, 0.04), above = shaken_wall(Rest::published, 0.51, 0.04);
  CHECK(half.energy > 1e-7);  // locked friction makes it go back and forth for ever
  CHECK(test::validated({"Damped rest", "shaken wall of 9 blocks, theta = 0.51, 0.6 s, kinetic energy a block / m g (1 m)", 0.0,
                         above.energy, 1e-10, false, "rest"}));
  CHECK(above.unconverged == 0);
  // the residual, 1e-8, of the impulses of the blocks (41 blocks' worth at the first impacts) at the speed of the shaking
  CHECK(above.largest_work < 1e-8 * 9.0 * 4600.0 * 0.04 * 0.04 * 10.0);
}
