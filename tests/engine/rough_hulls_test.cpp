// Hulls of points with few digits and of scanned rocks: none is refused, none sinks into what it
// lies on.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace rough_hulls_test {

using namespace scree;
using test::centre_of_drawing;
using test::RandomShapes;
using test::Stepper;
using test::World;

namespace {

const char* section = "Hulls";

enum class Ground { box, half_space };

using Points = std::vector<Vector3>;

Points float_rock(RandomShapes& random) {
  Points points;
  const Vector3 half(random.uniform(0.3, 0.6), random.uniform(0.3, 0.6), random.uniform(0.2, 0.4));
  const int n = random.integer(8, 60);
  for (int i = 0; i < n; ++i) {
    points.push_back((random.uniform(0.8, 1.0) * random.direction().cwiseProduct(half))
                         .cast<float>()
                         .cast<double>());
  }
  return points;
}

Points octagonal_prism(RandomShapes& random) {
  Points points;
  const double radius = random.uniform(0.2, 0.6), half_height = random.uniform(0.2, 0.6);
  const Quaternion q = random.rotation();
  for (int i = 0; i < 8; ++i) {
    const double angle = 0.25 * std::numbers::pi * i;
    for (const double z : {-half_height, half_height}) {
      const Vector3 p = q * Vector3(radius * std::cos(angle), radius * std::sin(angle), z);
      points.push_back((p * 1e9).array().round().matrix() / 1e9);
    }
  }
  return points;
}

Points scanned_rock(RandomShapes& random) {
  Points points;
  const Vector3 half(random.uniform(0.4, 0.6), random.uniform(0.3, 0.5),
                     random.uniform(0.15, 0.25));
  for (int i = 0; i < 5000; ++i) {
    points.push_back((1.0 + 0.01 * random.uniform(-1.0, 1.0)) *
                     random.direction().cwiseProduct(half));
  }
  return points;
}

struct Lying {
  double sinking = 0.0;  // [m/s] growth of the overlap over the last fifth of the time
  double overlap = 0.0;  // [m] at the end
  double fastest = 0.0;  // [m/s] speed of a corner on the way
};

// Dropped by 1 mm, turned as drawn.
Lying lie_down(const Points& points, Ground ground, double h, double end) {
  World world;
  world.law() = PairLaw{0.6, 0.0, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.settings.time.theta = 0.6;
  world.settings.step.solver.tolerance = 1e-12;
  if (ground == Ground::half_space) {
    world.add_plane();
  } else {
    BodyDefinition floor;
    floor.name = "floor";
    floor.kind = BodyKind::fixed;
    floor.shape = make_box({9.0, 8.0, 1.0});
    world.add(floor, Pose{Vector3(0.0, 0.0, -0.5), Quaternion::Identity()});
  }
  BodyDefinition rock;
  rock.name = "rock";
  rock.density = 2600.0;
  rock.shape = make_convex_polyhedron(points);
  const Vector3 centre = centre_of_drawing(rock);
  double lowest = 0.0;
  for (const Vector3& p : points) lowest = std::min(lowest, (p - centre).z());
  world.add(rock, Pose{Vector3(0.0, 0.0, 1e-3 - lowest), Quaternion::Identity()});
  const double radius = world.model.radius[1];
  Stepper stepper(world);
  Lying lying;
  const int n = static_cast<int>(std::lround(end / h)), last = n - n / 5;
  double before = 0.0;
  for (int k = 0; k < n; ++k) {
    stepper.step();
    if (k == last) before = stepper.record().max_penetration;
    lying.fastest =
        std::max(lying.fastest, world.state.v[1].norm() + radius * world.state.w[1].norm());
  }
  lying.overlap = stepper.record().max_penetration;
  lying.sinking = (lying.overlap - before) / ((n - last) * h);
  return lying;
}

void check_rocks(const std::string& name, Points (*make)(RandomShapes&), int n, double h,
                 double end, unsigned seed) {
  for (const Ground ground : {Ground::box, Ground::half_space}) {
    RandomShapes random(seed);
    double sinking = 0.0, overlap = 0.0;
    for (int i = 0; i < n; ++i) {
      const Lying lying = lie_down(make(random), ground, h, end);
      INFO(name << " " << i << (ground == Ground::box ? " on a box" : " on a half-space")
                << ": overlap " << lying.overlap << ", sinking " << lying.sinking);
      CHECK(lying.sinking < 1e-9);
      CHECK(lying.overlap < h * lying.fastest);
      sinking = std::max(sinking, lying.sinking);
      overlap = std::max(overlap, lying.overlap / (h * lying.fastest));
    }
    const std::string title = std::to_string(n) + " " + name +
                              (ground == Ground::box ? " on a box" : " on a half-space") + ", " +
                              test::digits(end) + " s: ";
    CHECK(test::validated(
        {section, title + "growth of the overlap [m/s]", 0.0, sinking, 1e-9, false, "none sinks"}));
    CHECK(test::validated({section, title + "overlap over h v, v the largest speed of a corner",
                           0.0, overlap, 1.0, false, "one step of motion"}));
  }
}

}  // namespace

TEST_CASE("Rocks of few digits do not sink", "[engine][property]") {
  check_rocks("rocks in floats", float_rock, 6, 2e-3, 2.0, 811);
  check_rocks("octagonal prisms in 9 decimals", octagonal_prism, 6, 2e-3, 2.0, 812);
  check_rocks("clouds of 5000 points", scanned_rock, 1, 2e-3, 0.6, 813);
}

TEST_CASE("Rocks of few digits do not sink in ten seconds", "[engine][property][slow]") {
  check_rocks("rocks in floats", float_rock, 100, 1e-3, 10.0, 814);
  check_rocks("octagonal prisms in 9 decimals", octagonal_prism, 40, 1e-3, 10.0, 815);
  check_rocks("clouds of 5000 points", scanned_rock, 20, 1e-3, 10.0, 816);
}

}  // namespace rough_hulls_test
