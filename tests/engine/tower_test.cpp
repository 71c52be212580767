// Stacks at rest: activity, reactions, ledger, drift.
#include <catch2/catch.hpp>

#include <cmath>

#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

using namespace scree;
using test::Stepper;
using test::World;

namespace {

World tower(int n, double e, double h) {
  World world;
  world.law() = PairLaw{0.6, e, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.add_tower(n);
  return world;
}

void check_tower_at_rest(int n, double e, double h, int steps) {
  World world = tower(n, e, h);
  Stepper stepper(world);
  stepper.step();
  const std::vector<ContactIndex> active = stepper.work().in_problem;
  const double weight = n * 2300.0 * 9.81 * h;
  int flips = 0, unconverged = 0;
  double worst_reaction = 0.0;
  for (int k = 1; k < steps; ++k) {
    const StepRecord& record = stepper.step();
    flips += stepper.work().in_problem != active ? 1 : 0;
    unconverged += record.converged ? 0 : 1;
    worst_reaction = std::max(worst_reaction, std::abs(-stepper.impulse_on(0).z() / weight - 1.0));
  }
  double drift = 0.0;
  for (int i = 1; i <= n; ++i) {
    drift = std::max(drift, (world.state.x[static_cast<std::size_t>(i)] - Vector3(0.0, 0.0, i - 0.5)).norm());
  }
  CHECK(unconverged == 0);
  const std::string name = "stack of " + test::digits(n) + " cubes, e = " + test::digits(e) + ", h = " + test::digits(h) + " s, " +
                           test::digits(steps) + " steps: ";
  CHECK(test::validated({"Statics", name + "contacts entering or leaving", 0.0, static_cast<double>(flips), 0.0, false, "at rest"}));
  // demanded of the solver tolerance 1e-8: 10 blocks amplify it
  CHECK(test::validated({"Statics", name + "base reaction / weight, worst step", 1.0, 1.0 + worst_reaction, 1e-6, false, "statics"}));
  CHECK(test::validated({"Statics", name + "drift [m]", 0.0, drift, 1e-9 * steps, false, "at rest; 1e-9 m a step"}));
}

}  // namespace

TEST_CASE("Tower of ten blocks keeps its contacts and its weight on the ground", "[engine][property]") {
  const double e = GENERATE(0.0, 0.2, 0.8);
  const double h = GENERATE(5e-3, 1e-3);
  check_tower_at_rest(10, e, h, 500);
}

TEST_CASE("Tower of ten blocks stays at rest for ten thousand steps", "[engine][property][slow]") {
  const double e = GENERATE(0.0, 0.2, 0.8);
  check_tower_at_rest(10, e, 5e-3, 10000);
}

TEST_CASE("Interfaces of a stack carry the weight above them", "[engine][analytic]") {
  for (const int n : {10, 50}) {
    World world = tower(n, 0.0, 1e-3);
    world.settings.step.solver.tolerance = 1e-11;  // the top block bears 1/50 of the norm, a stack of n amplifies by about n^2
    Stepper stepper(world);
    stepper.steps(20);
    const double weight = 2300.0 * 9.81 * 1e-3;
    // body k's contacts from below: sum over contacts with body_b == k
    std::vector<double> normal(static_cast<std::size_t>(n) + 1, 0.0);
    for (std::size_t c = 0; c < stepper.work().problem.n_contacts(); ++c) {
      normal[static_cast<std::size_t>(stepper.work().problem.body_b[c])] += stepper.work().p[c].x();
    }
    double worst = 0.0;
    for (int k = 1; k <= n; ++k) {
      worst = std::max(worst, std::abs(normal[static_cast<std::size_t>(k)] / ((n + 1 - k) * weight) - 1.0));
    }
    CHECK(test::validated({"Statics", "stack of " + test::digits(n) + " cubes: reactions of the interfaces, largest error, rel.", 0.0, worst,
                           1e-6, false, "(n - k) m g h"}));
  }
}

TEST_CASE("Energy ledger closes at every step of a collapsing and of a standing stack", "[engine][property]") {
  for (const double h : {1e-3, 5e-4}) {
    for (const double push : {0.0, 3.0}) {
      World world = tower(6, 0.2, h);
      world.state.v[4] = Vector3(push, 0.4 * push, 0.0);
      world.state.w[5] = Vector3(0.3 * push, push, -push);
      const double weight = 2300.0 * 9.81 * h;  // [N s] a step
      Stepper stepper(world);
      double balance = 0.0;
      for (int k = 0; k < static_cast<int>(std::lround(0.3 / h)); ++k) {
        const StepRecord& record = stepper.step();
        REQUIRE(std::abs(record.ledger.balance) <= 1e-9 * record.ledger.energy_scale);
        if (record.ledger.energy_scale > 0.0) balance = std::max(balance, std::abs(record.ledger.balance) / record.ledger.energy_scale);
        // a contact's work is positive only as far as its residual allows: tolerance * |p| * speed, speed at least g h
        const double allowed = 1e-6 * record.ledger.energy_scale + 1e-7 * 6.0 * weight * 9.81 * h;
        REQUIRE(record.ledger.max_tangential_work <= allowed);
        REQUIRE(record.ledger.max_normal_work <= allowed);
      }
      CHECK(stepper.record().ledger.energy_scale > (push > 0.0 ? 1e3 : 0.0));
      // round-off of sums over six bodies and some 24 contacts, whose terms are as large as the energy
      CHECK(test::validated({"Statics", "stack of 6 cubes, " + std::string(push > 0.0 ? "pushed over" : "standing") + ", h = " + test::digits(h) +
                             " s: balance of the ledger / energy, worst step", 0.0, balance, 1e-12, false, "energy"}));
    }
  }
}
