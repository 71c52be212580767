// Motions on rasters against closed forms: sliding to rest, flight off a step, and what is faster
// than its own size in a step.
#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>

#include "tests/support/random_shapes.hpp"
#include "tests/support/raster_ground.hpp"
#include "tests/support/validation_table.hpp"

namespace terrain_motion_test {

using namespace scree;
using test::add_terrain;
using test::add_validation_row;
using test::digits;
using test::Grid;
using test::grid_about;
using test::RandomShapes;
using test::Stepper;
using test::terrain_of;
using test::World;

namespace {

constexpr double g = 9.81;

World on_ground(const Terrain& terrain, double mu, double e, double h) {
  World world;
  world.law() = PairLaw{mu, e, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-13;
  world.settings.step.solver.max_iterations = 20000;
  add_terrain(world, terrain);
  return world;
}

void note(const std::string& name, const std::string& expected, double found, double allowed,
          const std::string& source) {
  add_validation_row(
      {"Terrain", name, expected, "deviation", digits(found, 2), digits(allowed, 2), source});
}

}  // namespace

TEST_CASE("A block slides to rest over 100 m of flat cells as Coulomb says") {
  const double mu = 0.3, v_0 = std::sqrt(2.0 * mu * g * 100.0);
  for (const Diagonal diagonal : {Diagonal::rising, Diagonal::falling}) {
    double largest = 0.0;
    for (const double h : {1.0 / 128.0, 1.0 / 256.0}) {
      Grid grid{-3.0, -3.0, 0.3, 361, 21, diagonal};
      World world = on_ground(terrain_of(grid, [](double, double) { return 2.0; }), mu, 0.0, h);
      world.law().law = ImpactLaw::newton;  // which stops what comes to rest within a step
      world.add_box(Vector3::Ones(), Pose{Vector3(0.0, 0.11, 2.5), Quaternion::Identity()}, 2000.0,
                    {v_0, 0.0, 0.0});
      Stepper stepper(world);
      double x = 0.0, v = v_0;
      for (int k = 0; v > 0.0; ++k) {
        stepper.step();
        const double left = std::max(0.0, v - h * mu * g);
        x += 0.5 * h * (v + left), v = left;
        largest = std::max({largest, std::abs(world.state.v[1].x() - v),
                            std::abs(world.state.x[1].x() - x) / 100.0,
                            std::abs(world.state.x[1].z() - 2.5), std::abs(world.state.v[1].z()),
                            std::abs(world.state.v[1].y()), world.state.w[1].norm()});
      }
      CHECK(std::abs(x - 100.0) < v_0 * h);
    }
    CHECK(largest < 1e-9);
    note(std::string("block sliding 100 m, cells 0.3 of its size, diagonals ") +
             (diagonal == Diagonal::rising ? "rising" : "falling"),
         "v0 - mu g t, no bump", largest, 1e-9, "Coulomb friction");
  }
}

TEST_CASE("A ball flies off a step and off a ridge along the parabola") {
  for (const bool ridge : {false, true}) {
    for (const double h : {1e-3, 2.5e-4}) {
      const double v = 4.0, r = 0.25, H = 5.0;
      // A step down at x = 0; the ridge rises to it with a slope of 1/4.
      Grid grid{-8.0, -2.0, 0.25, 81, 17, Diagonal::smaller_step};
      World world = on_ground(
          terrain_of(
              grid, [&](double x, double) { return x > 0.0 ? 0.0 : H + (ridge ? 0.25 * x : 0.0); }),
          0.0, 0.0, h);
      const Vector3 along = Vector3(1.0, 0.0, ridge ? 0.25 : 0.0).normalized(),
                    n = Vector3(-along.z(), 0.0, along.x());
      const Vector3 start = Vector3(-0.5, 0.1, ridge ? H - 0.125 : H) + r * n;
      world.add_sphere(r, start, 10.0, v * along);
      Stepper stepper(world);
      int flies = 0;
      double largest = 0.0, landed = 0.0;
      Vector3 x_0 = Vector3::Zero(), v_0 = x_0;
      for (int k = 0; k < 100000 && landed == 0.0; ++k) {
        const Vector3 x = world.state.x[1], u = world.state.v[1];
        stepper.step();
        const bool free = stepper.impulse_on(1).isZero(0.0);
        if (free && flies++ == 0) x_0 = x, v_0 = u;
        if (!free && flies > 5) landed = world.state.x[1].x();
        if (!free || flies == 0) continue;
        const double t = h * flies;
        const Vector3 there = x_0 + t * v_0 - Vector3(0.0, 0.0, 0.5 * g * t * t);
        largest = std::max(largest, (world.state.x[1] - there).norm());
      }
      CAPTURE(ridge, h);
      CHECK(largest < 1e-12 * 20.0);
      // It leaves where its lowest point passes the edge, and lands when this is on the lower flat.
      const double edge = r * n.x(), top = H + r * n.z();
      const double up = v_0.z(), fall = (up + std::sqrt(up * up + 2.0 * g * (top - r))) / g;
      const double expected = edge + v_0.x() * fall;
      CHECK(std::abs(landed - expected) < 3.0 * v * h);
      note(std::string("ball off a ") + (ridge ? "ridge" : "step") + ", h = " + digits(h) +
               " s, landing point",
           digits(expected), std::abs(landed - expected), 3.0 * v * h, "parabola");
    }
  }
}

namespace {

// Ice (1) and gravel (2) west and east of x = 0, for bodies of stone (0).
World on_zones(double h, double e_ice, double e_gravel) {
  World world;
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-13;
  world.model.materials.name = {"stone", "ice", "gravel"};
  world.model.materials.pair_law.assign(9, std::nullopt);
  const auto give = [&](MaterialIndex a, MaterialIndex b, double mu, double e) {
    for (const auto& [i, j] : {std::pair(a, b), std::pair(b, a)})
      world.model.materials.pair_law[static_cast<std::size_t>(3 * i + j)] =
          PairLaw{mu, e, ImpactLaw::newton};
  };
  give(0, 0, 0.5, 0.0), give(0, 1, 0.05, e_ice), give(0, 2, 0.4, e_gravel);
  BodyDefinition ground;
  ground.name = "ground", ground.kind = BodyKind::fixed, ground.material = 1;
  ground.shape = terrain_of(grid_about(20.0, 1.0), [](double, double) { return 0.0; });
  ground.zones =
      std::make_shared<GroundZones>(GroundZones::Cells{-25.0, -25.0, 25.0, 50.0, 2, 1, {0, 1}},
                                    std::vector<MaterialIndex>{1, 2}, 1);
  world.add(ground, Pose{Vector3(0.0, 0.0, 0.0), Quaternion::Identity()});
  return world;
}

}  // namespace

TEST_CASE("A contact has the friction and the restitution of its zone") {
  double largest = 0.0;
  for (const double h : {1.0 / 256.0, 1.0 / 1024.0}) {
    World world = on_zones(h, 0.0, 0.0);
    BodyDefinition slider;
    slider.name = "slider", slider.shape = PointSet{{Vector3::Zero()}}, slider.mass = 2.0;
    slider.inertia = Matrix3::Identity(), slider.centre_is_origin = true;
    world.add(slider, Pose{Vector3(-15.0, 0.25, 0.0), Quaternion::Identity()}, {6.0, 0.0, 0.0});
    Stepper stepper(world);
    double x = -15.0, v = 6.0, work = 0.0;
    while (v > 0.0) {
      work += stepper.step().ledger.contact_tangential_work;
      // Of the place at the beginning of the step.
      const double left = std::max(0.0, v - h * g * (x < 0.0 ? 0.05 : 0.4));
      x += 0.5 * h * (v + left), v = left;
      largest = std::max(
          {largest, std::abs(world.state.x[1].x() - x), std::abs(world.state.v[1].x() - v)});
    }
    // What one step does at the boundary and at the end.
    CHECK(std::abs(x - (36.0 - 2.0 * g * 0.05 * 15.0) / (2.0 * g * 0.4)) < 6.0 * h);
    CHECK(std::abs(work + 36.0) < 1e-10);
  }
  CHECK(largest < 1e-10);
  note("point sliding from ice (0.05) to gravel (0.4)", "Coulomb friction of each zone", largest,
       1e-10, "recurrence of the scheme");

  World world = on_zones(1e-3, 0.8, 0.2);
  world.add_sphere(0.5, {-5.0, 0.0, 2.5}, 1.0);
  world.add_sphere(0.5, {5.0, 0.0, 2.5}, 1.0);
  Stepper stepper(world);
  std::array<double, 2> fell = {}, rose = {};
  for (int k = 0; k < 900; ++k) {
    stepper.step();
    for (std::size_t i = 0; i < 2; ++i) {
      fell[i] = std::max(fell[i], -world.state.v[i + 1].z());
      rose[i] = std::max(rose[i], world.state.v[i + 1].z());
    }
  }
  CHECK(rose[0] / fell[0] == Approx(0.8).margin(2e-3));
  CHECK(rose[1] / fell[1] == Approx(0.2).margin(2e-3));
}

TEST_CASE("Nothing at 300 m/s passes into a raster") {
  double largest = 0.0;
  const double speed = 300.0, h = 1e-3;
  for (const double cell : {0.2, 1.0, 10.0}) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
      RandomShapes random(seed);
      const Terrain terrain = terrain_of(
          grid_about(60.0, cell), [&](double, double) { return random.uniform(-0.2, 0.2) * cell; });
      const Raster raster = terrain.raster();
      World world = on_ground(terrain, 0.5, 0.0, h);
      world.settings.step.solver.tolerance = 1e-8;
      std::vector<Vector3> points;
      for (int i = 0; i < 16; ++i) points.push_back(random.direction() * 0.25);
      BodyDefinition rock;
      rock.name = "rock", rock.density = 2500.0;
      rock.shape = make_convex_polyhedron(points);
      Vector3 way = random.direction();
      way.z() = -0.2 - std::abs(way.z());
      world.add(rock, Pose{Vector3(0.0, 0.0, 3.0 + 0.2 * cell), random.rotation()},
                speed * way.normalized(), 20.0 * random.direction());
      Stepper stepper(world);
      for (int k = 0; k < 60; ++k) {
        stepper.step();
        largest = std::max(largest, test::depth_in_ground(world, 1, raster));
      }
      // It flies away again, or lies on the ground.
      const Ground below = ground_at(raster, world.state.x[1].x(), world.state.x[1].y());
      CHECK((!below.known() || world.state.x[1].z() > below.height));
    }
  }
  // In the step of an impact a body may go as deep as this share of its thickness; what would go
  // deeper is caught at the touch. In a step it goes 0.3 m.
  const double allowed = StepSettings{}.catch_share * 0.5;
  CHECK(largest < allowed);
  note("rocks of 0.5 m at 300 m/s, h = 1 ms, deepest point below the ground [m]", "caught", largest,
       allowed, "rule of fast bodies");
}

}  // namespace terrain_motion_test
