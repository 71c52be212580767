// Bodies on rasters of heights: a plane cut into cells is a plane; nothing enters the ground.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "tests/support/random_shapes.hpp"
#include "tests/support/raster_ground.hpp"

using namespace scree;
using test::add_terrain;
using test::Grid;
using test::grid_about;
using test::RandomShapes;
using test::Stepper;
using test::terrain_of;
using test::World;

namespace {

enum class Slider { ball, box, hull };

// A body on a plane z = a x + b y, or on a raster of it.
struct Ride {
  Slider slider = Slider::ball;
  double a = -0.5, b = 0.25;
  double cell = 0.25;  // [m]; the body has 1 m
  Diagonal diagonal = Diagonal::smaller_step;
  bool raster = true;
  double offset = 0.0;  // [m] of the grid
  double drop = 0.0;    // [m] above the plane
  double mu = 0.3, e = 0.0;
  double h = 1.0 / 512.0;
  int steps = 256;
  ImpactLaw law = ImpactLaw::fremond;
};

World set_up(const Ride& ride) {
  World world;
  world.law() = PairLaw{ride.mu, ride.e, ride.law};
  world.settings.time.dt = ride.h;
  world.settings.step.solver.tolerance = 1e-13;
  world.settings.step.solver.max_iterations = 20000;
  const Vector3 n = Vector3(-ride.a, -ride.b, 1.0).normalized();
  if (ride.raster) {
    Grid grid = grid_about(12.0, ride.cell, ride.diagonal);
    grid.x += ride.offset, grid.y += ride.offset;
    add_terrain(world,
                terrain_of(grid, [&](double x, double y) { return ride.a * x + ride.b * y; }));
  } else {
    world.add_plane(n);
  }
  RandomShapes random(5);
  BodyDefinition body;
  body.name = "slider";
  body.density = 2000.0;
  Quaternion q = Quaternion::FromTwoVectors(Vector3::UnitZ(), n) *
                 Quaternion(Eigen::AngleAxisd(0.3, Vector3::UnitZ()));
  double bottom = 0.5;
  if (ride.slider == Slider::ball) {
    body.shape = Sphere{0.5};
  } else if (ride.slider == Slider::box) {
    body.shape = make_box(Vector3::Ones());
  } else {
    std::vector<Vector3> points;
    for (int i = 0; i < 20; ++i) points.push_back(random.direction() * 0.5);
    body.shape = make_convex_polyhedron(points);
    q = random.rotation();
  }
  if (ride.drop > 0.0 && ride.slider == Slider::box) q = random.rotation();
  const BodyIndex i = world.add(body, Pose{Vector3::Zero(), q});
  const auto* solid = std::get_if<ConvexPolyhedron>(&world.model.shapes.back());
  if (solid != nullptr) {
    bottom = 0.0;
    for (const Vector3& v : solid->vertices)
      bottom = std::max(bottom, -n.dot(world.state.q.back() * v));
  }
  world.state.x[static_cast<std::size_t>(i)] =
      (bottom + ride.drop) * n + Vector3(-0.07, 0.03, 0.0) - n.dot(Vector3(-0.07, 0.03, 0.0)) * n;
  return world;
}

State end_of(const Ride& ride) {
  World world = set_up(ride);
  Stepper stepper(world);
  stepper.steps(ride.steps);
  return world.state;
}

double deviation(const Ride& ride) {
  Ride whole = ride;
  whole.raster = false;
  const State one = end_of(ride), other = end_of(whole);
  return std::max({(one.x[1] - other.x[1]).norm(), (one.v[1] - other.v[1]).norm(),
                   (one.w[1] - other.w[1]).norm(),
                   std::min((one.q[1].coeffs() - other.q[1].coeffs()).norm(),
                            (one.q[1].coeffs() + other.q[1].coeffs()).norm())});
}

}  // namespace

TEST_CASE("A plane of dyadic heights is a plane for what slides and rolls on it") {
  double worst = 0.0;
  for (const Slider slider : {Slider::ball, Slider::box}) {
    for (const Diagonal diagonal : {Diagonal::smaller_step, Diagonal::rising, Diagonal::falling}) {
      for (const double cell : {1.0 / 64.0, 0.25, 1.0, 4.0, 50.0}) {
        for (const double mu : {0.25, 0.75}) {
          Ride ride;
          ride.slider = slider, ride.diagonal = diagonal, ride.cell = cell, ride.mu = mu;
          if (cell < 0.1) ride.steps = 64;
          CAPTURE(static_cast<int>(slider), static_cast<int>(diagonal), cell, mu);
          const double found = deviation(ride);
          worst = std::max(worst, found);
          CHECK(found < 1e-12);
        }
      }
    }
  }
  WARN("largest deviation " << worst);
}

TEST_CASE("A plane of any heights is a plane up to the third bounce") {
  double worst = 0.0;
  for (const Slider slider : {Slider::ball, Slider::box, Slider::hull}) {
    for (const Diagonal diagonal : {Diagonal::smaller_step, Diagonal::rising}) {
      for (const double cell : {0.02, 0.3, 7.0}) {
        Ride ride;
        ride.slider = slider, ride.diagonal = diagonal, ride.cell = cell;
        ride.a = -std::tan(std::numbers::pi / 6.0), ride.b = 0.1;
        ride.offset = 0.0137, ride.drop = 0.4, ride.e = 0.5;
        ride.steps = cell < 0.1 ? 400 : 700;
        CAPTURE(static_cast<int>(slider), static_cast<int>(diagonal), cell);
        const double found = deviation(ride);
        worst = std::max(worst, found);
        CHECK(found < 1e-9);
      }
    }
  }
  WARN("largest deviation " << worst);
}

TEST_CASE("Nothing enters a rough ground") {
  double worst = 0.0;
  for (int seed = 1; seed <= 6; ++seed) {
    for (const Slider slider : {Slider::ball, Slider::box, Slider::hull}) {
      RandomShapes random(static_cast<unsigned>(seed));
      World world;
      world.law() = PairLaw{0.5, 0.3, ImpactLaw::fremond};
      world.settings.time.dt = 1e-3;
      const double cell = seed % 2 == 0 ? 0.5 : 0.2;
      const Grid grid = grid_about(20.0, cell);
      const Terrain terrain = terrain_of(
          grid, [&](double x, double) { return -0.6 * x + random.uniform(-0.25, 0.25) * cell; });
      const Raster raster = terrain.raster();
      add_terrain(world, terrain);
      BodyDefinition body;
      body.name = "rock";
      body.density = 2000.0;
      if (slider == Slider::ball) {
        body.shape = Sphere{0.4};
      } else if (slider == Slider::box) {
        body.shape = make_box({0.9, 0.7, 0.5});
      } else {
        std::vector<Vector3> points;
        for (int i = 0; i < 16; ++i) points.push_back(random.direction() * 0.5);
        body.shape = make_convex_polyhedron(points);
      }
      world.add(body, Pose{Vector3(-10.0, 0.3, 8.0), random.rotation()}, Vector3(2.0, 0.0, 0.0));
      Stepper stepper(world);
      double deepest = 0.0;
      int when = 0;
      for (int k = 0; k < 1500; ++k) {
        stepper.step();
        const double depth = test::depth_in_ground(world, 1, raster);
        if (depth > deepest) deepest = depth, when = k;
      }
      WARN("seed " << seed << " slider " << static_cast<int>(slider) << " deepest " << deepest
                   << " at " << when << " x " << world.state.x[1].transpose() << " v "
                   << world.state.v[1].norm());
      worst = std::max(worst, deepest);
    }
  }
  CHECK(worst < 0.01);
}
