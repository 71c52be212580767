// Motion inside a round vessel against closed forms.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace cylinder_wall_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;

// A horizontal cylinder along y, of radius 1.
void add_vessel(World& world) {
  BodyDefinition vessel;
  vessel.name = "vessel";
  vessel.kind = BodyKind::fixed;
  CylinderWall wall;
  wall.axis = Vector3::UnitY();
  wall.radius = 1.0;
  vessel.shape = wall;
  world.add(vessel, Pose{});
}

// Time [s] between the first and the third passage through the lowest point, by linear
// interpolation: one period.
double period(double h, double amplitude, double mu, Frames frames = Frames::start) {
  constexpr double r = 0.2;
  World world;
  world.law() = PairLaw{mu, 0.0, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.settings.step.frames = frames;
  add_vessel(world);
  BodyDefinition ball;
  ball.name = "ball";
  ball.shape = Sphere{r};
  ball.density = 1000.0;
  world.add(ball, Pose{(1.0 - r) * Vector3(std::sin(amplitude), 0.0, -std::cos(amplitude)),
                       Quaternion::Identity()});
  Stepper stepper(world);
  std::vector<double> passages;
  double before = world.state.x[1].x();
  while (passages.size() < 3 && world.state.time < 10.0) {
    stepper.steps(1);
    const double now = world.state.x[1].x();
    if (before * now < 0.0) passages.push_back(world.state.time - h * now / (now - before));
    before = now;
  }
  REQUIRE(passages.size() == 3);
  return passages[2] - passages[0];
}

// Complete elliptic integral K(k) by the arithmetic-geometric mean.
double complete_elliptic(double k) {
  double a = 1.0, b = std::sqrt(1.0 - k * k);
  for (int i = 0; i < 20; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return M_PI / (2.0 * a);
}

}  // namespace

// theta'' = -(g / (c (R - r))) sin theta with c = 7/5 for a ball that rolls and 1 for one that
// slides without friction: T = 4 K(sin(A/2)) / omega.
TEST_CASE("A ball rolls to and fro in a cylinder with the period of its pendulum",
          "[engine][analytic]") {
  const double amplitude = 0.5;
  const bool rolls = GENERATE(true, false);
  const double exact =
      4.0 * complete_elliptic(std::sin(0.5 * amplitude)) * std::sqrt((rolls ? 1.4 : 1.0) * 0.8 / g);
  const double coarse = period(2e-3, amplitude, rolls ? 0.6 : 0.0),
               fine = period(1e-3, amplitude, rolls ? 0.6 : 0.0);
  INFO("exact " << exact << ", h = 2e-3: " << coarse << ", h = 1e-3: " << fine);
  // The scheme is of first order at a curved wall: contacts are straight within a step, so the path
  // leaves the circle by (v h)^2 / R in each, v^2 h T / R = 2e-3 m in a period at h = 1e-3: 0.3 %
  // of R - r.
  CHECK(std::abs(fine - exact) < 3e-3 * exact);
  CHECK(std::abs(fine - exact) < 0.65 * std::abs(coarse - exact) + 1e-5);
}

// Frames in the middle of the step see the wall's normal there, not that of t_k.
TEST_CASE("With frames in the middle a ball in a cylinder errs with the square of the step",
          "[engine][analytic]") {
  const double amplitude = 0.5;
  for (const bool rolls : {true, false}) {
    const double mu = rolls ? 0.6 : 0.0;
    const double exact = 4.0 * complete_elliptic(std::sin(0.5 * amplitude)) *
                         std::sqrt((rolls ? 1.4 : 1.0) * 0.8 / g);
    const double coarse = period(4e-3, amplitude, mu, Frames::middle) - exact,
                 fine = period(2e-3, amplitude, mu, Frames::middle) - exact;
    INFO("exact " << exact << ", h = 4e-3: " << coarse << ", h = 2e-3: " << fine);
    CHECK(std::abs(fine) < 0.3 * std::abs(coarse) + 1e-7);
    const std::string name =
        rolls ? "ball that rolls in a cylinder, " : "ball that slides in one, ";
    CHECK(test::validated({"Impacts", name + "frames middle, h = 0.002 s: period [s]", exact,
                           exact + fine, 2e-5, true, "pendulum"}));
    const double start = period(2e-3, amplitude, mu, Frames::start);
    CHECK(test::validated({"Impacts", name + "frames start, h = 0.002 s: period [s]", exact, start,
                           6e-3, true, "pendulum"}));
  }
}

// Lying across the bottom, a block touches with its four lower vertices; the wall's normals there
// lean by +-beta, so each pair carries N = m g / (2 cos beta) without friction.
TEST_CASE("A block rests across the bottom of a cylinder on four vertices", "[engine][analytic]") {
  for (const double h : {1e-3, 5e-4}) {
    World world;
    world.law() = PairLaw{0.0, 0.0, ImpactLaw::fremond};
    world.settings.time.dt = h;
    world.settings.step.solver.tolerance = 1e-10;
    add_vessel(world);
    const double half = 0.3, beta = std::asin(half);
    world.add_box(Vector3(2.0 * half, 0.5, 0.2),
                  Pose{Vector3(0.0, 0.0, 0.1 - std::cos(beta)), Quaternion::Identity()});
    Stepper stepper(world);
    stepper.steps(200);
    const double weight = world.model.mass[1] * g;
    REQUIRE(stepper.work().p.size() == 4);
    for (const Vector3& p : stepper.work().p) {
      CHECK(std::abs(p.x() / h - weight / (4.0 * std::cos(beta))) < 1e-6 * weight);
    }
    CHECK(world.state.v[1].norm() < 1e-9);
    CHECK(std::abs(world.state.x[1].z() - (0.1 - std::cos(beta))) < 1e-9);
  }
}

}  // namespace cylinder_wall_test
