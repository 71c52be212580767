// Supports that settle under a wall.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "tests/support/scene_file.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;
constexpr double block_mass = 2.0 * 2300.0;

// A support that goes down 5 cm between 0.2 and 1.2 s under a wall of three courses.
World settling_wall(double h) {
  World world;
  world.law() = PairLaw{0.6, 0.0, ImpactLaw::fremond};
  world.settings.time.dt = h;
  BodyDefinition support;
  support.name = "support";
  support.kind = BodyKind::driven;
  support.shape = make_box(Vector3(3.0, 10.0, 1.0));
  support.history = {HistoryKind::velocity, {}, {0.2, 0.7, 1.2},
                     {Vector3::Zero(), Vector3(0.0, 0.0, -0.1), Vector3::Zero()},
                     {Vector3::Zero(), Vector3::Zero(), Vector3::Zero()}};
  world.add(support, Pose{Vector3(0.0, 0.0, -0.5), Quaternion::Identity()});
  for (int course = 0; course < 3; ++course) {
    for (int i = 0; i < 4 - course; ++i) {
      world.add_box(Vector3(1.0, 2.0, 1.0), Pose{Vector3(0.0, 2.0 * i - 3.0 + course, 0.5 + course), Quaternion::Identity()});
    }
  }
  return world;
}


}  // namespace

TEST_CASE("Wall goes down with its support as one piece", "[engine][analytic]") {
  for (const double h : {2e-3, 1e-3}) {
    World world = settling_wall(h);
    Stepper stepper(world);
    const std::vector<Vector3> start = world.state.x;
    const double weight = 9.0 * block_mass * g;
    double work = 0.0, reaction = 0.0;
    for (int k = 0; k < static_cast<int>(std::lround(1.5 / h)); ++k) {
      const StepRecord& record = stepper.step();
      REQUIRE(std::abs(record.ledger.balance) <= 1e-9 * record.ledger.energy_scale);
      work += record.ledger.driven_work;
      if (world.state.time > 1.3) reaction = std::max(reaction, std::abs(-stepper.impulse_on(0).z() / (weight * h) - 1.0));
    }
    double off = 0.0;
    for (std::size_t i = 0; i < start.size(); ++i) {
      off = std::max(off, (world.state.x[i] - start[i] - Vector3(0.0, 0.0, -0.05)).norm());
    }
    const std::string name = "support settles 5 cm under 9 blocks, h = " + test::digits(h) + " s: ";
    // velocities are good to 1e-8 of the weight's impulse, over 1500 steps; the work to the same share
    CHECK(test::validated({"Driven supports", name + "wall's displacement less the support's [m]", 0.0, off, 1e-6, false, "rigid motion"}));
    CHECK(test::validated({"Driven supports", name + "work of the support [J]", -weight * 0.05, work, 1e-5, true, "-M g 0.05 m"}));
    CHECK(test::validated({"Driven supports", name + "reaction / weight, after", 1.0, 1.0 + reaction, 1e-5, false, "statics"}));
  }
}

TEST_CASE("Support that settles under the middle of a wall takes its blocks along and books its work", "[engine][property]") {
  Scene scene = test::shipped_scene("settling_support.toml");
  Workspace work(scene.model, scene.settings);
  const double h = scene.settings.time.dt;
  const auto support = static_cast<std::size_t>(test::body_named(scene.model, "support"));
  const auto left = static_cast<std::size_t>(test::body_named(scene.model, "left"));
  const auto right = static_cast<std::size_t>(test::body_named(scene.model, "right"));
  double total = 0.0, carried = 0.0, reaction = 0.0, mass = 0.0;
  int late = 0;
  for (const double m : scene.model.mass) mass += m;
  for (int k = 0; k < 1500; ++k) {
    const Vector3 before = scene.state.x[support];
    const StepRecord record = step(scene.model, scene.settings, scene.state, work);
    const Vector3 moved = scene.state.x[support] - before;
    const double expected = -work.impulse[support].dot(moved / h);
    total += std::abs(expected);
    REQUIRE(std::abs(record.ledger.balance) <= 1e-9 * record.ledger.energy_scale);
    REQUIRE(std::abs(record.ledger.driven_work - expected) <= 1e-9 * (1.0 + std::abs(expected)));
    if (scene.state.time < 1.3) continue;
    ++late;
    carried -= work.impulse[support].z() / h;
    reaction -= (work.impulse[support] + work.impulse[left] + work.impulse[right]).z() / h;
  }
  CHECK(std::abs(scene.state.x[support].z() + 0.55) < 1e-12);  // trapezoidal rule, exact for the polygon of velocities
  for (const char* name : {"wall-1-3", "wall-1-4"}) {
    const auto block = static_cast<std::size_t>(test::body_named(scene.model, name));
    CHECK(std::abs(scene.state.x[block].z() - 0.45) < 2e-3);  // they went down with it
  }
  const auto above = static_cast<std::size_t>(test::body_named(scene.model, "wall-5-3"));
  CHECK(scene.state.x[above].z() > 4.45);  // the courses above bridge a part of the way
  CHECK(total > 100.0);                    // joules: the check of the work above had something to check
  carried /= late;
  CHECK(carried > 0.9 * 2.0 * block_mass * g);   // at least what stands on it alone
  CHECK(carried < 0.5 * mass * g);               // and less than half of the wall
  CHECK(test::validated({"Driven supports", "support settles 5 cm under the middle of a wall: reactions / weight, mean over 0.2 s",
                         1.0, reaction / late / (mass * g), 1e-2, false, "statics"}));
}
