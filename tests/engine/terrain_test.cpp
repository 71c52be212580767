// Bodies on rasters of heights: a plane cut into cells is a plane; nothing enters the ground.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "tests/support/random_shapes.hpp"
#include "tests/support/raster_ground.hpp"
#include "tests/support/validation_table.hpp"

namespace terrain_test {

using namespace scree;
using test::add_terrain;
using test::Grid;
using test::grid_about;
using test::RandomShapes;
using test::Stepper;
using test::terrain_of;
using test::World;

namespace {

enum class Slider { ball, box, hull, rod, points, ell };

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
  if (ride.slider == Slider::ball) {
    body.shape = Sphere{0.5};
  } else if (ride.slider == Slider::box) {
    body.shape = make_box(Vector3::Ones());
  } else if (ride.slider == Slider::rod) {
    body.shape = Capsule{0.25, {Vector3(-0.5, 0.0, 0.0), Vector3(0.5, 0.0, 0.0)}};
  } else if (ride.slider == Slider::points) {
    body.shape =
        PointSet{{{-0.5, -0.5, -0.25}, {0.5, -0.5, -0.25}, {0.0, 0.5, -0.25}, {0.0, 0.0, 0.5}}};
    body.mass = 100.0;
    body.inertia = Matrix3(Vector3(9.0, 10.0, 12.0).asDiagonal());
    body.centre_is_origin = true;
  } else if (ride.slider == Slider::ell) {
    body.shape = make_box({1.0, 0.5, 0.5});
    body.further_parts = {to_axes(make_box({0.5, 0.5, 0.5}),
                                  Pose{Vector3(-0.25, 0.0, -0.5), Quaternion::Identity()})};
  } else {
    std::vector<Vector3> points;
    for (int i = 0; i < 20; ++i) points.push_back(random.direction() * 0.5);
    body.shape = make_convex_polyhedron(points);
    q = random.rotation();
  }
  if (ride.drop > 0.0 && ride.slider != Slider::ball) q = random.rotation();
  const BodyIndex i = world.add(body, Pose{Vector3::Zero(), q});
  double bottom = 0.0;  // [m] of its lowest point below its centre
  for (std::int32_t p = world.model.part_begin[1]; p < world.model.part_begin[2]; ++p) {
    const auto shape =
        static_cast<std::size_t>(world.model.part_shape[static_cast<std::size_t>(p)]);
    std::visit(
        [&](const auto& s) {
          for (const Vector3& v : s.placed_points())
            bottom = std::max(bottom, s.rounding() - n.dot(world.state.q.back() * v));
        },
        world.model.shapes[shape]);
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

namespace {

constexpr const char* slider_names[] = {"ball", "box", "hull", "capsule", "points", "compound"};

// The larger deviation of each kind of body as a row of the validation page.
void note_deviation(Slider slider, double found, double allowed, const char* what) {
  test::add_validation_row({"Terrain",
                            std::string(slider_names[static_cast<int>(slider)]) + ", " + what,
                            "run on the half-space", "deviation", test::digits(found, 2),
                            test::digits(allowed, 2), "the same scheme on a plane"});
}

}  // namespace

TEST_CASE("A plane of dyadic heights is a plane for what slides and rolls on it") {
  for (const Slider slider :
       {Slider::ball, Slider::box, Slider::rod, Slider::points, Slider::ell}) {
    double largest = 0.0;
    const bool first_two = slider == Slider::ball || slider == Slider::box;
    for (const Diagonal diagonal : {Diagonal::smaller_step, Diagonal::rising, Diagonal::falling}) {
      for (const double cell : {1.0 / 64.0, 0.25, 1.0, 4.0, 50.0}) {
        for (const double mu : {0.25, 0.75}) {
          for (const double h : {1.0 / 512.0, 1.0 / 2048.0}) {
            // Once is enough of what costs much.
            if (cell < 0.1 && !(first_two && h == 1.0 / 512.0)) continue;
            if (h < 1.0 / 512.0 && diagonal != Diagonal::smaller_step) continue;
            Ride ride;
            ride.slider = slider, ride.diagonal = diagonal, ride.cell = cell, ride.mu = mu;
            ride.h = h;
            if (cell < 0.1) ride.steps = 64;
            CAPTURE(static_cast<int>(slider), static_cast<int>(diagonal), cell, mu, h);
            const double found = deviation(ride);
            CHECK(found < 1e-12);
            largest = std::max(largest, found);
          }
        }
      }
    }
    note_deviation(slider, largest, 1e-12, "sliding and rolling down dyadic heights");
  }
}

TEST_CASE("A plane of any heights is a plane up to the third bounce") {
  for (const Slider slider : {Slider::ball, Slider::box, Slider::hull}) {
    double largest = 0.0;
    for (const Diagonal diagonal : {Diagonal::smaller_step, Diagonal::rising, Diagonal::falling}) {
      for (const double cell : {0.02, 0.3, 7.0, 50.0}) {
        for (const double h : {1.0 / 512.0, 1.0 / 1024.0}) {
          if (h < 1.0 / 512.0 && (cell < 0.1 || diagonal != Diagonal::smaller_step)) continue;
          if (cell < 0.1 && diagonal == Diagonal::falling) continue;  // costs much
          Ride ride;
          ride.slider = slider, ride.diagonal = diagonal, ride.cell = cell, ride.h = h;
          ride.a = -std::tan(std::numbers::pi / 6.0), ride.b = 0.1;
          ride.offset = 0.0137, ride.drop = 0.4, ride.e = 0.5;
          ride.steps = static_cast<int>((cell < 0.1 ? 400.0 : 700.0) / (512.0 * h));
          CAPTURE(static_cast<int>(slider), static_cast<int>(diagonal), cell, h);
          const double found = deviation(ride);
          CHECK(found < 1e-9);
          largest = std::max(largest, found);
        }
      }
    }
    note_deviation(slider, largest, 1e-9, "slope of 30 degrees, up to the third bounce");
  }
}

namespace {

// A body that falls and tumbles down a rough slope.
struct Tumble {
  Slider slider = Slider::hull;
  double cell = 0.2, rough = 0.25;  // [m], [-] of a cell
  double speed = 2.0, h = 1e-3;
  double theta = 1.0, e = 0.0;
  int steps = 1500;
  unsigned seed = 1;
};

struct Deepest {
  double depth = 0.0, speed = 0.0, spin = 0.0;
  int step = 0;
  double end = 0.0;  // [m] x at the end
};

Deepest tumble(const Tumble& t) {
  RandomShapes random(t.seed);
  World world;
  world.law() = PairLaw{0.5, t.e, ImpactLaw::fremond};
  world.settings.time.dt = t.h;
  world.settings.time.theta = t.theta;
  const Grid grid = grid_about(20.0, t.cell);
  const Terrain terrain = terrain_of(grid, [&](double x, double) {
    return -0.6 * x + random.uniform(-t.rough, t.rough) * t.cell;
  });
  const Raster raster = terrain.raster();
  add_terrain(world, terrain);
  BodyDefinition body;
  body.name = "rock";
  body.density = 2000.0;
  if (t.slider == Slider::ball) {
    body.shape = Sphere{0.4};
  } else if (t.slider == Slider::box) {
    body.shape = make_box({0.9, 0.7, 0.5});
  } else {
    std::vector<Vector3> points;
    for (int i = 0; i < 16; ++i) points.push_back(random.direction() * 0.5);
    body.shape = make_convex_polyhedron(points);
  }
  world.add(body, Pose{Vector3(-12.0, 0.3, 8.7), random.rotation()}, Vector3(t.speed, 0.0, 0.0));
  Stepper stepper(world);
  Deepest found;
  for (int k = 0; k < t.steps; ++k) {
    stepper.step();
    const double depth = test::depth_in_ground(world, 1, raster);
    found.speed = std::max(found.speed, world.state.v[1].norm());
    found.spin = std::max(found.spin, world.state.w[1].norm());
    if (depth > found.depth) found.depth = depth, found.step = k;
  }
  found.end = world.state.x[1].x();
  return found;
}

}  // namespace

TEST_CASE("Nothing enters a rough ground") {
  for (const double cell : {0.1, 0.25, 1.0}) {
    for (const double rough : {0.1, 0.5}) {
      for (const Slider slider : {Slider::ball, Slider::box, Slider::hull}) {
        for (unsigned seed = 1; seed <= 4; ++seed) {
          for (const double h : {1e-3, 2.5e-4}) {
            Tumble t;
            t.slider = slider, t.cell = cell, t.rough = rough, t.seed = seed, t.h = h;
            t.steps = static_cast<int>(1.5 / h);
            const Deepest found = tumble(t);
            // What is not seen until it is entered costs at most a share of the way of a step.
            CHECK(found.depth < 0.02 * found.speed * h);
          }
        }
      }
    }
  }
}

// A ridge one cell wide on each side stands on flat ground. A box is beside it, above the plane of
// its flank and above the ground, by a clearance that is within reach. What is apart from another
// has no gap below zero; along a way through the ridge, edges of both cross far behind each other.
TEST_CASE("A box beside a steep ridge has no contact through the ridge",
          "[engine][property][regression]") {
  RandomShapes random(7);
  int contacts_seen = 0;
  for (const double slope : {1.0, 3.0, 8.0}) {
    const Terrain ground = terrain_of(grid_about(4.0, 1.0), [&](double x, double) {
      return std::max(0.0, slope * (1.0 - std::abs(x)));
    });
    for (int trial = 0; trial < 200; ++trial) {
      World world;
      world.model.gravity.setZero();
      world.settings.time.dt = 1e-3;
      add_terrain(world, ground);
      const auto side = [&] { return random.uniform(0.3, 1.0); };
      const ConvexPolyhedron box = make_box(Vector3(side(), side(), side()));
      BodyDefinition body;
      body.name = "box";
      body.density = 1000.0;
      body.shape = box;
      const Quaternion q = random.rotation();
      // Towards the plane z = slope (x + 1) of the western flank, then up.
      const Vector3 n = Vector3(-slope, 0.0, 1.0).normalized();
      double over_flank = 1e9, lowest = 1e9;
      for (const Vector3& vertex : box.vertices) {
        over_flank = std::min(over_flank, n.dot(q * vertex));
        lowest = std::min(lowest, (q * vertex).z());
      }
      const double z = -lowest + random.uniform(1e-4, slope);
      const double clearance = random.uniform(1e-4, 2e-3);
      const double x = (n.z() * z + over_flank - clearance) / slope / n.z() - 1.0;
      world.add(body, Pose{Vector3(x, random.uniform(-0.5, 0.5), z), q});
      Stepper stepper(world);
      stepper.step();
      CAPTURE(slope, trial);
      for (const double gap : stepper.work().contacts.gap) {
        CHECK(gap > 0.5e-4);
        ++contacts_seen;
      }
    }
  }
  CHECK(contacts_seen > 300);
}

}  // namespace terrain_test
