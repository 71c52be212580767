// Bodies that leave a terrain: when, where, and with what energy; and runs on terrain that give the
// same bits however they are computed.
#include "engine/departures.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "engine/ledger.hpp"
#include "engine/state_hash.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/raster_ground.hpp"

namespace departures_test {

using namespace scree;
using test::add_terrain;
using test::Grid;
using test::grid_about;
using test::RandomShapes;
using test::Stepper;
using test::terrain_of;
using test::World;

namespace {

constexpr double h = 1.0 / 1024.0;  // so that positions are exact

double no_data() { return std::numeric_limits<double>::quiet_NaN(); }

// Flat ground over [-4, 4] in x and y, with a hole: cells without data over 1 < x < 2, |y| < 1.
World flat_with_hole(double cell = 0.5) {
  World world;
  world.settings.time.dt = h;
  world.model.gravity = Vector3::Zero();
  add_terrain(world, terrain_of(grid_about(4.0, cell), [&](double x, double y) {
                const bool hole = x > 1.0 && x < 2.0 && std::abs(y) < 1.0;
                return hole ? no_data() : 0.0;
              }));
  return world;
}

// The step at whose end body 1 had left; 0: it stayed.
std::int64_t leaves_at(World& world, int steps) {
  Stepper stepper(world);
  stepper.steps(steps);
  return world.state.left.empty() ? 0 : world.state.left[1];
}

}  // namespace

TEST_CASE("A flying body leaves when its centre is over a hole or beyond the rim") {
  for (const double cell : {0.5, 0.25}) {
    // The hole is between nodes of the finest grid that has data: at x = 1, as a node has some.
    World over_hole = flat_with_hole(cell);
    over_hole.add_sphere(0.25, {0.0, 0.25, 3.0}, 2.0, {1.0, 0.0, 0.0});
    CHECK(leaves_at(over_hole, 1400) == 1024);
    CHECK(over_hole.state.x[1].x() == 1.0);

    World beside_hole = flat_with_hole(cell);
    beside_hole.add_sphere(0.25, {0.0, 1.0, 3.0}, 2.0, {1.0, 0.0, 0.0});
    CHECK(leaves_at(beside_hole, 1400) == 0);

    // The outermost nodes are ground still.
    World over_rim = flat_with_hole(cell);
    over_rim.add_sphere(0.25, {-3.0, 0.0, 3.0}, 2.0, {-1.0, 0.0, 0.0});
    CHECK(leaves_at(over_rim, 1400) == 1025);
  }
}

TEST_CASE("A body on the ground leaves when its box is over a hole or beyond the rim") {
  const double r = 0.25;
  for (const bool rim : {true, false}) {
    World world = flat_with_hole();
    world.add_sphere(r, {rim ? 3.5 : 0.5, 0.25, r}, 2.0, {1.0, 0.0, 0.0});
    // At x = 4 - r it touches the rim, at x = 1 - r the hole, and is in neither; the cell of the
    // hole begins there.
    const std::int64_t left = leaves_at(world, 600);
    CHECK(left == (rim ? 257 : 256));
    // Higher than the ground it goes on until its centre is there.
    World higher = flat_with_hole();
    higher.add_sphere(r, {rim ? 3.5 : 0.5, 0.25, 1.1 * r}, 2.0, {1.0, 0.0, 0.0});
    CHECK(leaves_at(higher, 600) == (rim ? 513 : 512));
  }
  // The box of a turned body is that of its corners, not of its radius.
  World turned = flat_with_hole();
  turned.add_box({1.0, 0.25, 0.25},
                 Pose{Vector3(0.5, 0.25, 0.5),
                      Quaternion(Eigen::AngleAxisd(0.5 * std::acos(-1.0), Vector3::UnitY()))},
                 1000.0, {1.0, 0.0, 0.0});
  CHECK(leaves_at(turned, 600) == 384);
}

TEST_CASE("A body that has left is out of the run with its energy booked, and others go on") {
  World world = flat_with_hole();
  world.model.gravity = Vector3(0.0, 0.0, -9.81);
  world.add_sphere(0.25, {0.9, 0.25, 3.0}, 2.0, {1.0, 0.0, 0.0}, {0.0, 3.0, 0.0});
  world.add_sphere(0.25, {-2.0, 0.0, 0.25}, 2.0);
  world.add_sphere(0.25, {-3.99, 0.0, 2.0}, 2.0, {-1.0, 0.0, 0.0});
  Stepper stepper(world);
  double booked = 0.0, expected = 0.0, largest_balance = 0.0;
  for (int k = 0; k < 200; ++k) {
    const StepRecord& record = stepper.step();
    booked += record.ledger.event_energy;
    largest_balance = std::max(largest_balance, std::abs(record.ledger.balance));
    for (const std::size_t i : {1U, 3U}) {
      if (!has_left(world.state, i) || world.state.left[i] != record.step) continue;
      expected -= kinetic_energy(world.model, world.state, i) +
                  potential_energy(world.model, world.state, i);
      CHECK(world.state.active[i] == 1);  // until the next step
    }
  }
  CHECK(world.state.left == std::vector<std::int64_t>{0, 103, 0, 11});
  CHECK(world.state.active == std::vector<std::uint8_t>{1, 0, 1, 0});
  CHECK(std::abs(booked - expected) < 1e-12 * std::abs(expected));
  CHECK(largest_balance < 1e-12);
  const std::vector<Departure> gone = departures_of(world.model, world.state, h);
  REQUIRE(gone.size() == 2);
  CHECK(gone[0].body == 3);
  CHECK(gone[1].body == 1);
  CHECK(gone[1].time == 103.0 * h);
  // Free flight of the scheme: theta = 1/2 follows the parabola exactly.
  CHECK(std::abs(gone[1].position.x() - (0.9 + gone[1].time)) < 1e-14);
  CHECK(std::abs(gone[1].position.z() - (3.0 - 0.5 * 9.81 * gone[1].time * gone[1].time)) < 1e-12);
  CHECK(gone[1].position == world.state.x[1]);
  CHECK(std::abs(gone[1].rotation - 0.5 * 0.4 * 2.0 * 0.0625 * 9.0) < 1e-12);
  const WarningEntry& entry = world.state.warnings[Warning::left_terrain];
  CHECK(entry.count == 2);
  CHECK(entry.bodies == std::array<BodyIndex, 4>{3, 1, -1, -1});
  CHECK(entry.worst == Approx(gone[1].kinetic + gone[1].rotation).epsilon(1e-12));
  CHECK(entry.time == gone[1].time);
}

TEST_CASE("A body stays while one of several terrains has data under it") {
  World world = flat_with_hole();
  Grid patch{0.5, -2.0, 0.5, 5, 9, Diagonal::smaller_step};
  add_terrain(world, terrain_of(patch, [](double, double) { return -0.5; }));
  world.state.x[1] = Vector3(0.0, 0.0, 0.25);  // its raster lies 0.25 m below the other
  world.add_sphere(0.25, {0.0, 0.25, 1.0}, 2.0, {1.0, 0.0, 0.0});
  Stepper stepper(world);
  stepper.steps(3000);
  CHECK(world.state.left.empty());
  stepper.steps(1200);
  REQUIRE(world.state.left.size() == 3);
  CHECK(world.state.left[2] == 4097);
}

TEST_CASE("A body beyond the rim stays while other ground lies under it") {
  const auto flight_over = [](auto&& add) {
    World world = flat_with_hole();
    world.add_sphere(0.25, {-3.0, 0.0, 3.0}, 2.0, {-1.0, 0.0, 0.0});
    BodyDefinition other;
    other.name = "other", other.kind = BodyKind::fixed;
    add(world, other);
    return leaves_at(world, 3500);
  };
  const Quaternion no_turn = Quaternion::Identity();
  const Pose below{Vector3(-5.0, 0.0, -3.0), no_turn}, above{Vector3(-5.0, 0.0, 6.0), no_turn};
  const auto put = [](const Shape& shape, const Pose& pose) {
    return [shape, pose](World& world, BodyDefinition& other) {
      other.shape = shape;
      world.add(other, pose);
    };
  };
  CHECK(flight_over([](World&, BodyDefinition&) {}) == 1025);
  CHECK(flight_over(put(HalfSpace{Vector3::UnitZ(), 0.0}, below)) == 0);
  CHECK(flight_over(put(HalfSpace{Vector3(0.6, 0.0, 0.8), 0.0}, below)) == 0);
  // Walls and ceilings carry nothing.
  CHECK(flight_over(put(HalfSpace{Vector3::UnitX(), -5.0}, below)) == 1025);
  CHECK(flight_over(put(HalfSpace{-Vector3::UnitZ(), 0.0}, above)) == 1025);
  // From x = -4 to x = -6.
  CHECK(flight_over(put(make_box({2.0, 2.0, 2.0}), below)) == 3073);
  CHECK(flight_over(put(Sphere{1.0, Vector3::Zero()}, below)) == 3073);
  CHECK(flight_over(put(make_box({2.0, 2.0, 2.0}), above)) == 1025);
  CHECK(flight_over(put(make_box({2.0, 2.0, 2.0}), {Vector3(-5.0, 1.5, -3.0), no_turn})) == 1025);
  // A ground that vanishes at 1.5 s is none from the step on that begins there.
  CHECK(flight_over([&](World& world, BodyDefinition& other) {
          other.shape = HalfSpace{Vector3::UnitZ(), 0.0}, other.vanishes_at = 1.5;
          world.add(other, below);
        }) == 1537);
}

TEST_CASE("A terrain that has vanished is no ground, one that is to appear is") {
  World vanishes = flat_with_hole();
  vanishes.add_sphere(0.25, {0.0, 0.25, 3.0}, 2.0);
  vanishes.model.vanishes_at[0] = 0.5;
  CHECK(leaves_at(vanishes, 700) == 513);
  World appears = flat_with_hole();
  appears.add_sphere(0.25, {0.0, 0.25, 3.0}, 2.0);
  appears.model.appears_at[0] = 0.5, appears.state.active[0] = 0;
  CHECK(leaves_at(appears, 700) == 0);
}

TEST_CASE("Holes are found in rasters of many blocks of cells") {
  // Nodes without data far apart, on the seams of blocks of 64 cells and elsewhere.
  Grid grid{0.0, 0.0, 1.0, 200, 150, Diagonal::smaller_step};
  const std::vector<std::pair<int, int>> holes = {
      {64, 64}, {130, 10}, {199, 149}, {0, 149}, {63, 128}};
  const Terrain terrain = terrain_of(grid, [&](double x, double y) {
    for (const auto& [column, row] : holes) {
      if (x == column && y == row) return no_data();
    }
    return 0.0;
  });
  const TerrainRaster& ground = *terrain.ground;
  RandomShapes random(3);
  for (int k = 0; k < 2000; ++k) {
    const auto draw = [&](std::int32_t cells) {
      return std::min(static_cast<std::int32_t>(random.uniform(0.0, 1.0) * cells), cells - 1);
    };
    const std::int32_t west = draw(199), south = draw(149);
    const std::int32_t east = std::min(198, west + draw(k % 2 == 0 ? 4 : 90)),
                       north = std::min(148, south + draw(k % 2 == 0 ? 4 : 90));
    bool expected = false;
    for (std::int32_t row = south; row <= north; ++row) {
      for (std::int32_t column = west; column <= east; ++column)
        expected = expected || ground.raster.is_hole(column, row);
    }
    REQUIRE(ground.has_hole_in(west, south, east, north) == expected);
  }
}

namespace {

// Bodies of every moving shape tumble down rough ground with a hole, and some leave it.
World tumbling(double dt) {
  RandomShapes random(7);
  World world;
  world.law() = PairLaw{0.4, 0.2, ImpactLaw::fremond};
  world.settings.time.dt = dt;
  add_terrain(world, terrain_of(grid_about(5.0, 0.25), [&](double x, double y) {
                if (std::abs(x - 3.0) < 0.4 && std::abs(y) < 0.4) return no_data();
                return -0.5 * x + random.uniform(-0.04, 0.04);
              }));
  const auto add = [&](const char* name, Shape shape, double x, double y) {
    BodyDefinition body;
    body.name = name;
    body.shape = std::move(shape);
    body.density = 2000.0;
    world.add(body, Pose{Vector3(x, y, -0.5 * x + 0.9), random.rotation()}, Vector3(4.0, 0.0, 0.0),
              Vector3(0.0, 4.0, 1.0));
  };
  std::vector<Vector3> points;
  for (int i = 0; i < 14; ++i) points.push_back(random.direction() * 0.4);
  add("hull", make_convex_polyhedron(points), -3.0, 0.0);
  add("ball", Sphere{0.3}, -3.0, 1.5);
  add("rod", Capsule{0.2, {Vector3(-0.3, 0.0, 0.0), Vector3(0.3, 0.0, 0.0)}}, -3.0, -1.5);
  add("box", make_box({0.5, 0.4, 0.3}), 1.0, 0.1);
  return world;
}

State end_of_tumble(double dt, int steps, Backend backend, int threads) {
  World world = tumbling(dt);
  world.settings.backend = backend, world.settings.threads = threads;
  Stepper stepper(world);
  stepper.steps(steps);
  return world.state;
}

}  // namespace

TEST_CASE("Runs on terrain end in the same bits for any threads and backend, and from the middle") {
  for (const double dt : {1e-3, 2.5e-3}) {
    const int steps = static_cast<int>(2.0 / dt);
    const State one = end_of_tumble(dt, steps, Backend::serial, 1);
    CHECK(std::ranges::count_if(one.left, [](std::int64_t k) { return k > 0; }) >= 2);
    for (const Backend backend : {Backend::openmp, Backend::tbb}) {
      for (const int threads : {1, 2}) {
        const State other = end_of_tumble(dt, steps, backend, threads);
        CHECK(resume_hash(other) == resume_hash(one));
      }
    }
    // A State is all that a run goes on from: also from between a departure and the step after it.
    for (const int middle : {steps / 3, static_cast<int>(*std::ranges::max_element(one.left))}) {
      World world = tumbling(dt);
      Stepper(world).steps(middle);
      Stepper(world).steps(steps - middle);
      CHECK(resume_hash(world.state) == resume_hash(one));
    }
  }
}

TEST_CASE("A warm step on terrain takes nothing from the heap") {
  World world = tumbling(1e-3);
  // Without speed and far from hole and rim they come to rest where they are.
  for (std::size_t i = 1; i < world.state.v.size(); ++i) {
    world.state.v[i].setZero(), world.state.w[i].setZero();
  }
  world.law() = PairLaw{0.9, 0.0, ImpactLaw::fremond};
  Stepper stepper(world);
  stepper.steps(600);
  REQUIRE(stepper.record().contacts > 0);
  REQUIRE(world.state.left.empty());
  const long before = test::allocations();
  stepper.steps(200);
  CHECK(test::allocations() == before);
}

}  // namespace departures_test
