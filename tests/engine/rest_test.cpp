// How much still moves in what has come to rest: the published law, `rest = "damped"`, and theta
// above 1/2.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "engine/ledger.hpp"
#include "engine/stop_rule.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/scene_file.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace rest_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;

struct Outcome {
  double energy = 0.0;        // kinetic, a body, over m g (1 m): largest over the last 50 steps
  double largest_work = 0.0;  // of a contact in a step [J]
  double work_allowed = 0.0;  // largest work of a contact over 10 tolerance |p| max(|u_k|, h |g|),
                              // p of all contacts [-]
  double imbalance = 0.0;     // of the ledger, over the energy scale [-]
  double solves = 0.0;        // a step
  int unconverged = 0;
};

// The whole work of contacts in the last step against what the tolerance explains. The solver's
// tolerance is on the norm of all impulses, so this is what a contact that went back to the
// published law is held to.
double work_over_allowed(const Workspace& work, double tolerance, double floor) {
  double impulse = 0.0, speed = floor, largest = 0.0;
  for (std::size_t c = 0; c < work.p.size(); ++c) {
    impulse += work.p[c].squaredNorm();
    speed = std::max(speed, work.u_0[c].norm());
    largest = std::max(largest, work.p[c].dot(work.u_theta[c]));
  }
  return impulse > 0.0 ? largest / (10.0 * tolerance * std::sqrt(impulse) * speed) : 0.0;
}

Outcome settle(World& world, double mass, int bodies, int steps) {
  Stepper stepper(world);
  Outcome outcome;
  for (int k = 0; k < steps; ++k) {
    const StepRecord& record = stepper.step();
    outcome.solves += static_cast<double>(record.passes) / steps;
    outcome.unconverged += record.converged ? 0 : 1;
    outcome.imbalance =
        std::max(outcome.imbalance, std::abs(record.ledger.balance) / record.ledger.energy_scale);
    outcome.work_allowed =
        std::max(outcome.work_allowed,
                 work_over_allowed(stepper.work(), world.settings.step.solver.tolerance,
                                   g * world.settings.time.dt));
    outcome.largest_work = std::max(
        {outcome.largest_work, record.ledger.max_tangential_work, record.ledger.max_normal_work});
    if (k >= steps - 50)
      outcome.energy = std::max(outcome.energy, record.ledger.kinetic / (bodies * mass * g));
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
World shaken_blocks(Rest rest, double theta, double speed, double h, double e) {
  World world;
  world.law() = PairLaw{0.6, e, ImpactLaw::fremond};
  world.settings.time.dt = h;
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
  return world;
}

Outcome shaken_wall(Rest rest, double theta, double speed, double h = 2e-3, int steps = 300,
                    double e = 0.2) {
  World world = shaken_blocks(rest, theta, speed, h, e);
  return settle(world, 4600.0, 9, steps);
}

// Three bricks on a table that is driven to and fro at up to 3 m/s2, below mu g: they go with it,
// and lean on each other.
Outcome shaken_table(Rest rest, double h) {
  World world;
  world.law() = PairLaw{0.6, 0.2, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.settings.step.rest = rest;
  BodyDefinition table;
  table.name = "table";
  table.kind = BodyKind::driven;
  table.shape = make_box(Vector3(20.0, 20.0, 1.0));
  table.history.kind = HistoryKind::velocity;
  for (int k = 0; k <= 40; ++k) {
    table.history.time.push_back(0.025 * k);
    table.history.linear.push_back(Vector3(0.15 * std::sin(0.5 * k), 0.0, 0.0));
    table.history.angular.push_back(Vector3::Zero());
  }
  world.add(table, Pose{Vector3(0.0, 0.0, -0.5), Quaternion::Identity()});
  for (int i = 0; i < 2; ++i)
    world.add_box(Vector3(1.0, 1.0, 0.5),
                  Pose{Vector3(0.0, 1.0 * i, 0.25), Quaternion::Identity()});
  world.add_box(Vector3(1.0, 1.0, 0.5), Pose{Vector3(0.1, 0.4, 0.75), Quaternion::Identity()});
  return settle(world, 1150.0, 3, static_cast<int>(std::lround(0.5 / h)));
}

}  // namespace

TEST_CASE("Damped rest stops a cube where the published law leaves it trembling",
          "[engine][analytic]") {
  const Outcome published = sliding_cube(Rest::published), damped = sliding_cube(Rest::damped);
  const double h = 2e-3, largest = 0.5 * std::pow(0.5 * 0.6 * g * h, 2) / g;  // |u_T| <= mu g h / 2
  CHECK(published.energy > 0.01 * largest);
  CHECK(published.energy <= largest * (1.0 + 1e-6));
  CHECK(test::validated({"Damped rest", "cube slid to rest, kinetic energy / m g (1 m)", 0.0,
                         damped.energy, 1e-10, false, "rest"}));
  CHECK(damped.unconverged == 0);
  CHECK(damped.solves < 1.05);
  // as promised: 10 tolerances of the impulse, at most |(m g h, mu m g h)|, times the speed
  CHECK(damped.largest_work <= 10.0 * 1e-8 * 1.2 * 2300.0 * g * h * 1.1);
}

TEST_CASE("Damped rest costs nothing in a wall that stands", "[engine][property]") {
  const Outcome damped = shaken_wall(Rest::damped, 0.5, 0.0);
  CHECK(test::validated({"Damped rest",
                         "wall of 9 blocks at rest, kinetic energy a block / m g (1 m)", 0.0,
                         damped.energy, 1e-10, false, "rest"}));
  CHECK(test::validated({"Damped rest", "wall of 9 blocks at rest, solves a step", 1.0,
                         damped.solves, 1e-12, false, "no second solve"}));
}

TEST_CASE("Damped rest stops a shaken wall whose friction is locked in", "[engine][property]") {
  // At theta = 1/2 no law can (engine/method/rest.md), so its blocks take a larger theta while
  // they come to rest; all else is closed as ever.
  for (const double h : {2e-3, 1e-3}) {
    const int steps = static_cast<int>(0.3 / h);
    const Outcome damped = shaken_wall(Rest::damped, 0.5, 0.04, h, steps);
    CHECK(damped.unconverged == 0);
    CHECK(test::validated({"Damped rest",
                           fmt::format("shaken wall of 9 blocks, damped, h = {:g} s, 0.3 s, "
                                       "kinetic energy a block / m g (1 m)",
                                       h),
                           0.0, damped.energy, 1e-10, false, "rest"}));
    CHECK(damped.solves < 1.25);
    CHECK(damped.work_allowed <= 1.0);
    CHECK(damped.imbalance < 1e-12);  // round-off of a sum over 100 contacts
  }
  // with restitution 1 theta = 1/2 is all that the law admits: nothing stops, and nothing breaks
  const Outcome elastic = shaken_wall(Rest::damped, 0.5, 0.04, 2e-3, 100, 1.0);
  CHECK(elastic.work_allowed <= 1.0);
  CHECK(elastic.imbalance < 1e-12);
}

TEST_CASE("Damped rest takes 1 - e^2 of the trembling at each step where friction is locked in",
          "[engine][analytic]") {
  // Slow groups take theta = 1/(1+e), so that what turns back keeps r = (1-theta)/theta = e of its
  // velocity.
  const struct { double h, e; } cases[] = {{2e-3, 0.9}, {1e-3, 0.95}};
  for (const auto& each : cases) {
    World world = shaken_blocks(Rest::damped, 0.5, 0.04, each.h, each.e);
    Stepper stepper(world);
    stepper.steps(60);
    const double before = stepper.record().ledger.kinetic;
    for (int k = 0; k < 20; ++k) REQUIRE(stepper.step().converged);
    const double after = stepper.record().ledger.kinetic;
    // the tolerance, 1e-8, of h g, over the 1e-5 of it that is left of the speed
    CHECK(test::validated({"Damped rest",
                           fmt::format("shaken wall of 9 blocks, damped, e = {:g}, h = {:g} s, "
                                       "share of its energy kept in a step",
                                       each.e, each.h),
                           each.e * each.e, std::pow(after / before, 0.05), 1e-3, false, "r = e"}));
  }
}

TEST_CASE("Damped rest on a driven table keeps the ledger closed", "[engine][property]") {
  for (const double h : {2e-3, 1e-3}) {
    const Outcome damped = shaken_table(Rest::damped, h),
                  published = shaken_table(Rest::published, h);
    CHECK(damped.unconverged == 0);
    CHECK(damped.imbalance < 1e-12);
    CHECK(damped.work_allowed <= 1.0);
    CHECK(published.imbalance < 1e-12);
  }
}

TEST_CASE("Theta above one half brings a shaken wall to rest with no work at any contact",
          "[engine][property]") {
  const Outcome half = shaken_wall(Rest::published, 0.5, 0.04),
                above = shaken_wall(Rest::published, 0.51, 0.04);
  CHECK(half.energy > 1e-7);  // locked friction makes it go back and forth for ever
  CHECK(test::validated(
      {"Damped rest",
       "shaken wall of 9 blocks, theta = 0.51, 0.6 s, kinetic energy a block / m g (1 m)", 0.0,
       above.energy, 1e-10, false, "rest"}));
  CHECK(above.unconverged == 0);
  // the residual, 1e-8, of the impulses of the blocks (41 blocks' worth at the first impacts) at
  // the speed of the shaking
  CHECK(above.largest_work < 1e-8 * 9.0 * 4600.0 * 0.04 * 0.04 * 10.0);
}

namespace {

double weight_of(const Scene& scene) {
  double weight = 0.0;
  for (std::size_t i = 0; i < scene.state.x.size(); ++i) {
    if (scene.model.kind[i] == BodyKind::dynamic) weight += scene.model.mass[i] * g;
  }
  return weight;
}

// `steps` at the tolerance 1e-8; the energy is that of all bodies over m g (1 m), the largest over
// the last 10.
Outcome rest_of(Scene scene, Rest rest, int steps) {
  scene.settings.step.rest = rest;
  scene.settings.step.solver.measure = contact::Measure::scaled;
  scene.settings.step.solver.tolerance = 1e-8;
  const double weight = weight_of(scene);
  Workspace work(scene.model, scene.settings);
  Outcome outcome;
  for (int k = 0; k < steps; ++k) {
    const StepRecord record = step(scene.model, scene.settings, scene.state, work);
    outcome.unconverged += record.converged ? 0 : 1;
    outcome.solves += static_cast<double>(record.passes) / steps;
    outcome.imbalance =
        std::max(outcome.imbalance, std::abs(record.ledger.balance) / record.ledger.energy_scale);
    outcome.work_allowed =
        std::max(outcome.work_allowed, work_over_allowed(work, 1e-8, g * scene.settings.time.dt));
    if (k >= steps - 10) outcome.energy = std::max(outcome.energy, record.ledger.kinetic / weight);
  }
  return outcome;
}

void check_rest(const std::string& name, const Scene& scene, double floor) {
  const double published = rest_of(scene, Rest::published, 20).energy;
  CHECK(published > floor);  // which the damped rest goes below
  test::add_validation_row({"Damped rest", name + ", published law: kinetic energy / m g (1 m)",
                            "> " + test::digits(floor), test::digits(published, 2), "-", "-",
                            "it never quite rests"});
  const Outcome outcome = rest_of(scene, Rest::damped, 100);
  CHECK(test::validated({"Damped rest", name + ", damped for 0.05 s: kinetic energy / m g (1 m)",
                         0.0, outcome.energy, 1e-10, false, "rest"}));
  CHECK(outcome.unconverged == 0);
  CHECK(test::validated({"Damped rest", name + ", damped for 0.05 s: solves a step", 1.0,
                         outcome.solves, 1.5, false, "cost of the switches"}));
  CHECK(outcome.work_allowed <= 1.0);
  CHECK(outcome.imbalance < 1e-9);
}

// The scene after `seconds` as it is shipped.
Scene later(Scene scene, double seconds) {
  Workspace work(scene.model, scene.settings);
  while (scene.state.time < seconds)
    REQUIRE(step(scene.model, scene.settings, scene.state, work).converged);
  return scene;
}

// The scene once no body has moved by a tenth of a millimetre for half a second. When that is
// depends on the last digits of what came before, as all of an impact does: a fixed time may find a
// block that still falls or rocks.
Scene once_at_rest(Scene scene, double limit) {
  const StopSettings quiet{1e-4, 0.5, 0.0};
  Workspace work(scene.model, scene.settings);
  bool at_rest = false;
  while (!at_rest && scene.state.time < limit) {
    REQUIRE(step(scene.model, scene.settings, scene.state, work).converged);
    at_rest = is_quiet(scene.model, quiet, scene.state);
  }
  REQUIRE(at_rest);
  return scene;
}

}  // namespace

TEST_CASE("Damped rest stops the settled wall of 275 blocks", "[engine][property][slow]") {
  // every block is pushed its own way along the wall's faces, and slides to rest
  Scene scene = test::shipped_scene("wall_at_rest.toml");
  for (std::size_t i = 0; i < scene.state.x.size(); ++i) {
    if (scene.model.kind[i] == BodyKind::dynamic)
      scene.state.v[i] = Vector3(i % 2 == 0 ? 0.01 : -0.01, 0.0, 0.0);
  }
  scene.settings.step.solver.tolerance = 1e-4;
  check_rest("wall of 275 blocks, settled for 0.2 s after a push", later(scene, 0.2), 1e-9);
}

TEST_CASE("Damped rest stops the wall after the impact", "[engine][property][slow]") {
  check_rest("wall after the impact, once nothing falls any more",
             once_at_rest(test::shipped_scene("wall_impact.toml"), 30.0), 1e-8);
}

TEST_CASE("Damped rest leaves the law of newton and a rocking block alone", "[engine][property]") {
  const auto last_pose = [](ImpactLaw law, Rest rest, double spin) {
    World world;
    world.law() = PairLaw{0.6, 0.0, law};
    world.settings.step.rest = rest;
    world.add_plane();
    world.add_box(Vector3(0.5, 1.0, 2.0), Pose{Vector3(0.0, 0.0, 1.0), Quaternion::Identity()},
                  2300.0, Vector3(spin, 0.0, 0.25 * spin),
                  Vector3(0.0, spin, 0.0));  // about the lower edge at x = 1/4
    Stepper stepper(world);
    stepper.steps(100);
    return std::pair(world.state.x[1], stepper.record());
  };
  const auto newton = last_pose(ImpactLaw::newton, Rest::published, 0.5),
             same = last_pose(ImpactLaw::newton, Rest::damped, 0.5);
  CHECK(newton.first == same.first);  // to the bit
  // on its edge the block turns faster than anything at rest: the published law holds, and the
  // scene's theta
  const auto rocking = last_pose(ImpactLaw::fremond, Rest::published, 0.5),
             damped = last_pose(ImpactLaw::fremond, Rest::damped, 0.5);
  CHECK(damped.second.ledger.numerical_dissipation == 0.0);
  CHECK((rocking.first - damped.first).norm() <
        1e-6 * rocking.first.norm());  // the edge's tremble, h at most mu g h / 2 off
}

TEST_CASE("Damped rest of random piles never gains energy", "[engine][property]") {
  for (int seed = 0; seed < 6; ++seed) {
    World world;
    test::RandomShapes random(static_cast<unsigned>(seed));
    world.law() = PairLaw{0.2 + 0.2 * seed, 0.15 * seed, ImpactLaw::fremond};
    world.settings.time.dt = 2e-3;
    world.settings.step.rest = Rest::damped;
    world.add_plane();
    for (int i = 0; i < 6; ++i) {
      const Quaternion q(Eigen::AngleAxisd(0.7 * i, random.direction()));
      world.add_box(Vector3(1.0, 0.8, 0.6),
                    Pose{Vector3(0.3 * (i % 2), 0.2 * (i % 3), 1.0 + 1.3 * i), q}, 2300.0);
    }
    Stepper stepper(world);
    double energy = 0.0;
    bool first = true;
    for (int k = 0; k < 400; ++k) {
      const StepRecord& record = stepper.step();
      const LedgerRow& ledger = record.ledger;
      REQUIRE(std::abs(ledger.balance) <= 1e-12 * ledger.energy_scale);
      const double now = ledger.kinetic + ledger.potential;
      if (record.converged) {
        REQUIRE(work_over_allowed(stepper.work(), 1e-8, g * 2e-3) <= 1.0);
        if (!first)
          REQUIRE(
              now <=
              energy +
                  1e-8 * ledger.energy_scale);  // what the tolerance explains over some 30 contacts
      }
      energy = now, first = false;
    }
  }
}

}  // namespace rest_test
