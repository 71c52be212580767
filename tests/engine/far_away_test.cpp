// The same scenes near the origin and at national map coordinates: the same verdict, and places
// that agree to the rounding of the coordinates.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace far_away_test {

using namespace scree;
using test::centre_of_drawing;
using test::RandomShapes;
using test::Stepper;
using test::World;

namespace {

const char* section = "Far from the origin";

struct Scene {
  const char* name;
  double size;  // [m] of the smallest body
  void (*build)(World&, const Vector3& origin);
};

void add_fixed_box(World& world, const Vector3& sides, const Vector3& x) {
  BodyDefinition box;
  box.name = "fixed" + std::to_string(world.model.n_bodies());
  box.kind = BodyKind::fixed;
  box.shape = make_box(sides);
  world.add(box, Pose{x, Quaternion::Identity()});
}

// A beam that rests on 30 micrometres of each of two blocks, 1 cm high all of them.
void narrow_bearings(World& world, const Vector3& origin) {
  const double span = 0.05, bearing = 3e-5;
  for (const double side : {-1.0, 1.0}) {
    add_fixed_box(world, {0.01, 0.01, 0.01},
                  origin + Vector3(side * (0.5 * span - bearing + 0.005), 0.0, -0.005));
  }
  world.add_box({span, 0.01, 0.01},
                Pose{origin + Vector3(0.0, 0.0, 0.005), Quaternion::Identity()});
}

void stack(World& world, const Vector3& origin) {
  add_fixed_box(world, {1.0, 1.0, 0.2}, origin + Vector3(0.0, 0.0, -0.1));
  for (int i = 0; i < 6; ++i) {
    world.add_box({0.1, 0.1, 0.05}, Pose{origin + Vector3(0.003 * (i % 2), 0.0, 0.025 + 0.05 * i),
                                         Quaternion::Identity()});
  }
}

// Hulls that were drawn where they lie.
void drawn_hulls(World& world, const Vector3& origin) {
  add_fixed_box(world, {6.0, 2.0, 0.2}, origin + Vector3(0.0, 0.0, -0.1));
  RandomShapes random(821);
  for (int i = 0; i < 4; ++i) {
    const Quaternion q(Eigen::AngleAxisd(random.uniform(0.0, 3.0), Vector3::UnitZ()));
    std::vector<Vector3> points;
    for (int k = 0; k < 7; ++k) {
      const double angle = 2.0 * 3.14159265358979323846 * k / 7.0;
      for (const double z : {0.0, 0.3}) {
        points.push_back(
            origin + Vector3(-2.0 + i, 0.0, z) +
            q * Vector3((0.3 - 0.2 * z) * std::cos(angle), (0.3 - 0.2 * z) * std::sin(angle), 0.0));
      }
    }
    BodyDefinition hull;
    hull.name = "hull" + std::to_string(i);
    hull.density = 2500.0;
    hull.shape = make_convex_polyhedron(points);
    const Vector3 centre = centre_of_drawing(hull);
    world.add(hull, Pose{centre, Quaternion::Identity()});
  }
}

void tiny_boxes(World& world, const Vector3& origin) {
  add_fixed_box(world, {0.01, 0.01, 0.001}, origin + Vector3(0.0, 0.0, -0.0005));
  world.add_box({0.001, 0.001, 0.001},
                Pose{origin + Vector3(0.0, 0.0, 0.0005), Quaternion::Identity()});
}

struct Result {
  std::vector<Vector3> x;  // [m] at the end, about the origin of the scene
  double moved = 0.0;      // [m] farthest from the start
  bool converged = true;
};

Result settle(const Scene& scene, double distance, double h) {
  World world;
  world.law() = PairLaw{0.6, 0.0, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-12;
  const Vector3 origin = distance * Vector3(1.0, 0.46, 0.0);
  scene.build(world, origin);
  const std::vector<Vector3> start = world.state.x;
  Stepper stepper(world);
  stepper.steps(static_cast<int>(std::lround(0.2 / h)));
  Result result;
  for (std::size_t i = 0; i < start.size(); ++i) {
    result.x.push_back(world.state.x[i] - origin);
    result.moved = std::max(result.moved, (world.state.x[i] - start[i]).norm());
  }
  return result;
}

}  // namespace

TEST_CASE("Bearings, stacks and hulls far from the origin stand as near it", "[engine][property]") {
  const Scene scenes[] = {{"beam on bearings of 30 um", 0.0173, narrow_bearings},
                          {"stack of six", 0.15, stack},
                          {"four hulls drawn in place", 0.67, drawn_hulls}};
  for (const Scene& scene : scenes) {
    for (const double h : {1e-3, 5e-3}) {
      const Result near = settle(scene, 0.0, h);
      CHECK(near.moved < 1e-9 * scene.size);
      for (const double distance : {1e3, 1e6, 2.6e6}) {
        const Result far = settle(scene, distance, h);
        double apart = 0.0;
        for (std::size_t i = 0; i < near.x.size(); ++i)
          apart = std::max(apart, (far.x[i] - near.x[i]).norm());
        const double ulp = std::nextafter(distance, 1e30) - distance;
        CHECK(test::validated({section,
                               std::string(scene.name) + " at " + test::digits(distance) +
                                   " m, h = " + test::digits(h) +
                                   " s: from its place at the origin [m]",
                               0.0, apart, std::max(10.0 * ulp, 1e-9 * scene.size), false,
                               "10 units in the last place of the coordinate"}));
      }
    }
  }
}

TEST_CASE("A millimetre at a hundred thousand kilometres does not fall through",
          "[engine][property]") {
  const Scene scene{"box of 1 mm", 0.00173, tiny_boxes};
  for (const double h : {1e-3, 5e-3}) {
    const double ulp = 1.5e-8;
    CHECK(test::validated(
        {section,
         std::string(scene.name) + " at 1e+08 m, h = " + test::digits(h) + " s: way in 0.2 s [m]",
         0.0, settle(scene, 1e8, h).moved, 10.0 * ulp, false,
         "10 units in the last place of the coordinate"}));
  }
}

}  // namespace far_away_test
