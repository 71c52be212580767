// Momentum of bodies that touch nothing but each other.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "tests/support/momentum.hpp"
#include "tests/support/off_centre_hit.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"

namespace momentum_test {

using namespace scree;
using test::Momentum;
using test::momentum_of;
using test::Stepper;
using test::World;

namespace {

// Sizes that errors are relative to: sums of the bodies' norms, as the sums themselves may be near
// zero.
double momentum_scale(const World& world) {
  double sum = 0.0;
  for (std::size_t i = 0; i < world.state.x.size(); ++i)
    sum += world.model.mass[i] * world.state.v[i].norm();
  return sum;
}

struct Errors {
  double linear = 0.0, angular = 0.0;  // relative, at the end
  double largest_gain = 0.0;           // [J] of a step, over the energy at the start
  double before_contact = 0.0;  // relative error of the angular momentum until the first contact
  int contact_steps = 0;
};

Errors collide(World world, double end) {
  const Momentum before = momentum_of(world);
  const double scale = momentum_scale(world);
  Stepper stepper(world);
  Errors errors;
  for (int k = 0; k < static_cast<int>(std::lround(end / world.settings.time.dt)); ++k) {
    const StepRecord& record = stepper.step();
    const LedgerRow& row = record.ledger;
    errors.contact_steps += record.contacts > 0 ? 1 : 0;
    errors.largest_gain =
        std::max(errors.largest_gain,
                 (row.contact_normal_work + row.contact_tangential_work) / row.energy_scale);
    const double angular =
        (momentum_of(world).angular - before.angular).norm() / before.angular.norm();
    if (errors.contact_steps == 0) errors.before_contact = std::max(errors.before_contact, angular);
    errors.angular = angular;
  }
  errors.linear = (momentum_of(world).linear - before.linear).norm() / scale;
  return errors;
}

// A hundred balls and boxes, drawn together and turning, of which many meet.
World swarm(double h) {
  test::RandomShapes random(31);
  World world;
  world.model.gravity.setZero();
  world.law() = PairLaw{0.4, 0.3, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-12;
  for (int i = 0; i < 100; ++i) {
    const Vector3 x(1.2 * (i % 5) - 2.4, 1.2 * (i / 5 % 5) - 2.4, 1.2 * (i / 25) - 1.8);
    const Vector3 v = -0.8 * x + Vector3(0.0, 0.0, 1.0).cross(x) + random.in_cube(0.3);
    const Vector3 spin = random.in_cube(1.0);
    const Quaternion q = random.rotation();
    if (i % 2 == 0) {
      world.add_sphere(0.3, x, 100.0, v, spin);
    } else {
      world.add_box(Vector3(0.5, 0.4, 0.3), Pose{x, q}, 1000.0, v, spin);
    }
  }
  return world;
}

const char* source = "invariant";

}  // namespace

TEST_CASE(
    "Collision of two free bodies keeps linear momentum and errs in angular momentum by order h",
    "[engine][property]") {
  for (const auto law : {ImpactLaw::newton, ImpactLaw::fremond}) {
    double angular[2] = {0.0, 0.0};
    for (const int level : {0, 1}) {
      const double h = level == 0 ? 1e-3 : 5e-4;
      // lever arms are those of t_k, so each contact step errs by h v x p; where in the step the
      // bodies meet is chance: the mean over sixteen places in the longer step is not
      constexpr int places = 16;
      Errors worst;
      for (int i = 0; i < places; ++i) {
        const Errors errors = collide(test::off_centre_hit(h, law, 1e-3 * i / places), 0.4);
        REQUIRE(errors.contact_steps > 0);  // they did meet
        worst.linear = std::max(worst.linear, errors.linear);
        worst.before_contact = std::max(worst.before_contact, errors.before_contact);
        worst.largest_gain = std::max(worst.largest_gain, errors.largest_gain);
        angular[level] += errors.angular / places;
      }
      const std::string name = test::case_name("off-centre hit of two boxes", law, h);
      // round-off of some hundred steps
      CHECK(test::validated(
          {"Momentum", name + "linear momentum, rel.", 0.0, worst.linear, 1e-12, false, source}));
      CHECK(test::validated({"Momentum", name + "angular momentum before contact, rel.", 0.0,
                             worst.before_contact, 1e-12, false, source}));
      if (law == ImpactLaw::fremond) {
        CHECK(test::validated({"Momentum", name + "largest contact work of a step / energy", 0.0,
                               worst.largest_gain, 1e-12, false, "never positive"}));
      }
    }
    CHECK(test::validated({"Momentum",
                           std::string("off-centre hit of two boxes, ") +
                               (law == ImpactLaw::newton ? "newton" : "fremond") +
                               ": order of the error of the angular momentum",
                           1.0, std::log2(angular[0] / angular[1]), 0.15, false,
                           "order of the scheme; h = 0.001 and 0.0005 s"}));
  }
}

TEST_CASE("Swarm of a hundred colliding bodies keeps its momentum and loses energy",
          "[engine][property]") {
  double angular[2] = {0.0, 0.0};
  for (const int level : {0, 1}) {
    const double h = level == 0 ? 2e-3 : 1e-3;
    const Errors errors = collide(swarm(h), 0.6);
    const std::string name = test::case_name("swarm of 100 bodies", ImpactLaw::fremond, h);
    CHECK(errors.contact_steps > 20);  // most with several impacts
    CHECK(test::validated(
        {"Momentum", name + "linear momentum, rel.", 0.0, errors.linear, 1e-12, false, source}));
    CHECK(test::validated({"Momentum", name + "largest contact work of a step / energy", 0.0,
                           errors.largest_gain, 1e-12, false, "never positive"}));
    angular[level] = errors.angular;
    // dozens of impacts, each off by h |v| |p|, in all directions
    CHECK(test::validated({"Momentum", name + "angular momentum, rel.", 0.0, errors.angular,
                           10.0 * h, false, source}));
  }
  CHECK(angular[1] < 0.75 * angular[0]);
}

}  // namespace momentum_test
