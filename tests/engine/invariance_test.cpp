// The same motion in other directions, in other axes and at other scales.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>
#include <vector>

#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace invariance_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;

World sliding_world() {
  World world;
  world.law() = PairLaw{0.3, 0.0, ImpactLaw::fremond};
  world.settings.time.dt = 5e-3;
  world.settings.step.solver.tolerance = 1e-13;
  return world;
}

// Work of friction on a block that slides for half a second from 3 m/s in the direction `angle`.
double friction_work(World& world, double angle) {
  world.add_box(Vector3(1.0, 0.7, 0.4), Pose{Vector3(0.0, 0.0, 0.2), Quaternion::Identity()},
                2300.0, 3.0 * Vector3(std::cos(angle), std::sin(angle), 0.0));
  Stepper stepper(world);
  double work = 0.0;
  for (int k = 0; k < 100; ++k) work += stepper.step().ledger.contact_tangential_work;
  return work;
}

}  // namespace

TEST_CASE("Friction does the same work in every direction", "[engine][property]") {
  const double t = 0.5, mu = 0.3, mass = 0.28 * 2300.0, end = 3.0 - mu * g * t;
  const double expected =
      0.5 * mass * (end * end - 9.0);  // exact for constant forces at theta = 1/2
  double directions = 0.0, planes = 0.0;
  for (int i = 0; i < 64; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 64;
    World on_plane = sliding_world();
    on_plane.add_plane();
    directions = std::max(directions, std::abs(friction_work(on_plane, angle) / expected - 1.0));
    World on_slab = sliding_world();
    BodyDefinition slab;
    slab.name = "slab";
    slab.kind = BodyKind::fixed;
    slab.shape = make_box(Vector3(12.0, 12.0, 1.0));
    on_slab.add(slab, Pose{Vector3(0.0, 0.0, -0.5),
                           Quaternion(Eigen::AngleAxisd(angle, Vector3::UnitZ()))});
    planes = std::max(planes, std::abs(friction_work(on_slab, 0.4) / expected - 1.0));
  }
  const char* source = "closed form of the scheme";
  CHECK(test::validated({"Invariance", "work of friction, largest deviation over 64 directions",
                         0.0, directions, 1e-10, false, source}));
  CHECK(test::validated({"Invariance", "work of friction, largest deviation over 64 yawed slabs",
                         0.0, planes, 1e-10, false, source}));
}

namespace {

// Three boxes, one on the other and each pushed and turned its own way, on a plane; everything
// turned by `q`, lengths times `scale`, times its square root in time.
World three_boxes(const Quaternion& q, double scale) {
  const double time = std::sqrt(scale);
  World world;
  world.law() = PairLaw{0.4, 0.1, ImpactLaw::fremond};
  world.settings.time.dt = 2e-3 * time;
  world.settings.step.solver.tolerance = 1e-13;
  world.settings.step.solver.max_iterations = 20000;
  world.model.gravity = q * Vector3(0.0, 0.0, -g);
  world.add_plane(q * Vector3::UnitZ());
  const Vector3 sides[] = {{1.0, 1.2, 0.5}, {0.8, 0.7, 0.4}, {0.5, 0.6, 0.3}};
  double top = 0.0;
  for (int i = 0; i < 3; ++i) {
    const Vector3& size = sides[i];
    const Quaternion yaw(Eigen::AngleAxisd(0.35 * i + 0.1, Vector3::UnitZ()));
    const Vector3 centre(0.05 * i, -0.04 * i, top + 0.5 * size.z());
    top += size.z();
    const double speed = scale / time;
    world.add_box(scale * size, Pose{q * (scale * centre).eval(), q * yaw}, 2300.0,
                  q * (speed * Vector3(0.6 * i + 0.3, 0.4 - 0.5 * i, 0.0)).eval(),
                  q * Vector3(0.0, 0.0, (0.5 - 0.4 * i) / time));
  }
  return world;
}

// Whether ground, first, second and third box lean on each other, each with some load.
bool all_touch(const Stepper& stepper) {
  double load[3] = {};
  const contact::BodyProblem& problem = stepper.work().problem;
  for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
    if (problem.body_b[c] == problem.body_a[c] + 1)
      load[problem.body_a[c]] += stepper.work().p[c].x();
  }
  return load[0] > 0.0 && load[1] > 0.0 && load[2] > 0.0;
}

// Largest difference of the dimensionless motions of two worlds, over 200 steps.
double largest_difference(const Quaternion& q, double scale) {
  World reference = three_boxes(Quaternion::Identity(), 1.0), world = three_boxes(q, scale);
  Stepper reference_stepper(reference), stepper(world);
  double largest = 0.0;
  for (int k = 0; k < 200; ++k) {
    REQUIRE(reference_stepper.step().contacts == stepper.step().contacts);
    REQUIRE(all_touch(stepper));
    for (std::size_t i = 1; i <= 3; ++i) {
      const Vector3 x = q.conjugate() * (world.state.x[i] / scale).eval();
      const Matrix3 R = (q.conjugate() * world.state.q[i]).toRotationMatrix();
      // principal axes may come out in another order or sense: compare the turn since the start
      const Matrix3 turn = R * (reference.state.q[i]).toRotationMatrix().transpose();
      largest = std::max(
          {largest, (x - reference.state.x[i]).norm(), (turn - Matrix3::Identity()).norm()});
    }
  }
  return largest;
}

}  // namespace

TEST_CASE("Motion is the same when the whole scene is turned", "[engine][property]") {
  test::RandomShapes random(11);
  double largest = 0.0;
  for (int i = 0; i < 8; ++i)
    largest = std::max(largest, largest_difference(random.rotation(), 1.0));
  CHECK(test::validated({"Invariance",
                         "three sliding boxes turned as a whole, 8 rotations, 200 steps", 0.0,
                         largest, 1e-9, false, "symmetry"}));
}

TEST_CASE("Motion is the same at a thousandth and at a thousand times the size",
          "[engine][property]") {
  for (const double scale : {1e-3, 1e3}) {
    const std::string name = "three sliding boxes scaled by " + test::digits(scale) + ", 200 steps";
    CHECK(
        test::validated({"Invariance", name, 0.0, largest_difference(Quaternion::Identity(), scale),
                         1e-9, false, "symmetry"}));
  }
}

}  // namespace invariance_test
