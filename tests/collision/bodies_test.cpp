// add_body: mass, centre, principal axes, refusal.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "engine/base/check.hpp"
#include "engine/model/bodies.hpp"
#include "tests/support/random_shapes.hpp"

namespace scree::test::bodies_test {
namespace {

BodyDefinition body(const std::string& name, Shape shape) {
  BodyDefinition definition;
  definition.name = name;
  definition.shape = std::move(shape);
  definition.density = 2000.0;
  return definition;
}

TEST_CASE("A box body keeps its axes and its size exactly", "[engine][unit]") {
  Model model;
  const Vector3 centre = add_body(model, body("box", make_box({1.0, 0.5, 0.4})));
  CHECK(centre.norm() < 1e-15);
  CHECK(model.q_BU[0].coeffs() == Quaternion::Identity().coeffs());
  CHECK(std::abs(model.mass[0] - 400.0) < 1e-10);
  CHECK((model.inertia[0] - 400.0 / 12.0 * Vector3(0.41, 1.16, 1.25)).norm() < 1e-11);
  CHECK(std::get<ConvexPolyhedron>(model.shapes[0]).vertices == make_box({1.0, 0.5, 0.4}).vertices);
  CHECK(model.radius[0] == Vector3(0.5, 0.25, 0.2).norm());
}

TEST_CASE("Principal axes diagonalise the inertia and stay near the axes of the user",
          "[engine][property]") {
  RandomShapes random(21);
  for (int i = 0; i < 100; ++i) {
    Model model;
    const ConvexPolyhedron solid = random.polyhedron();
    const Vector3 centre = add_body(model, body("rock", solid));
    const MassProperties expected = mass_properties(solid);
    const Matrix3 R = model.q_BU[0].toRotationMatrix();  // B from U
    const Matrix3 in_B = R * (2000.0 * expected.inertia) * R.transpose();
    CHECK((in_B - Matrix3(model.inertia[0].asDiagonal())).norm() < 1e-12 * in_B.trace());
    CHECK((centre - expected.centre).norm() < 1e-15);
    CHECK(std::abs(R.determinant() - 1.0) < 1e-14);
    CHECK(R.trace() > 0.0);  // less than a quarter turn or so from the user's axes
    const MassProperties stored = mass_properties(model.shapes[0]);  // the shape has moved along
    CHECK(stored.centre.norm() < 1e-14);
    CHECK((2000.0 * stored.inertia - in_B).norm() < 1e-12 * in_B.trace());
  }
}

TEST_CASE("Equal moments leave the axes where the user drew them", "[engine][unit]") {
  Model model;
  BodyDefinition cube = body("cube", make_box({1.0, 1.0, 1.0}));
  Pose turned;
  turned.q = Quaternion(Eigen::AngleAxisd(0.4, Vector3(1.0, 2.0, 3.0).normalized()));
  cube.shape = to_axes(cube.shape, turned);
  add_body(model, cube);
  CHECK(model.q_BU[0].angularDistance(Quaternion::Identity()) < 1e-12);

  // Square bar turned about its long axis z: that axis is the principal one, x and y are free and
  // stay.
  BodyDefinition bar = body("bar", make_box({1.0, 1.0, 3.0}));
  turned.q = Quaternion(Eigen::AngleAxisd(0.4, Vector3::UnitZ()));
  bar.shape = to_axes(bar.shape, turned);
  add_body(model, bar);
  CHECK(model.q_BU[1].angularDistance(Quaternion::Identity()) < 1e-8);
}

TEST_CASE("A centre at the origin takes the inertia about it", "[engine][unit]") {
  Model model;
  BodyDefinition definition = body("off", Sphere{0.5, Vector3(2.0, 0.0, 0.0)});
  definition.centre_is_origin = true;
  definition.mass = 10.0;
  CHECK(add_body(model, definition) == Vector3::Zero());
  CHECK(std::abs(model.inertia[0].x() - 0.4 * 10.0 * 0.25) < 1e-14);
  CHECK(std::abs(model.inertia[0].y() - (1.0 + 40.0)) < 1e-13);
  CHECK(std::get<Sphere>(model.shapes[0]).centre == Vector3(2.0, 0.0, 0.0));
}

TEST_CASE("Fixed bodies have no mass and keep the drawing", "[engine][unit]") {
  Model model;
  BodyDefinition ground = body("ground", HalfSpace{});
  ground.kind = BodyKind::fixed;
  CHECK(add_body(model, ground) == Vector3::Zero());
  const std::vector<Vector3> corner = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  BodyDefinition wedge = body("wedge", make_convex_polyhedron(corner));
  wedge.kind = BodyKind::fixed;
  CHECK(add_body(model, wedge) == Vector3::Zero());
  CHECK(model.mass[1] == 0.0);
  CHECK(model.inertia[1] == Vector3::Zero());
  CHECK(std::get<ConvexPolyhedron>(model.shapes[1]).vertices == corner);
  CHECK(model.part_begin == std::vector<std::int32_t>{0, 1, 2});
}

TEST_CASE("Equal shapes are stored once", "[engine][unit]") {
  Model model;
  for (int i = 0; i < 40; ++i) {
    const double length = i % 2 == 0 ? 1.0 : 0.5;
    add_body(model, body("block " + std::to_string(i), make_box({length, 0.5, 0.4})));
  }
  CHECK(model.shapes.size() == 2);
}

TEST_CASE("Bodies that make no sense are refused", "[engine][unit]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               inf = std::numeric_limits<double>::infinity();
  Model model;
  add_body(model, body("one", Sphere{0.1}));
  CHECK_THROWS_AS(add_body(model, body("plane", HalfSpace{})), InputError);
  for (const double bad : {0.0, -1.0, nan, inf}) {
    BodyDefinition definition = body("two", Sphere{0.1});
    definition.density = bad;
    CHECK_THROWS_AS(add_body(model, definition), InputError);
    CHECK_THROWS_AS(add_body(model, body("three", Sphere{bad})), InputError);
    definition = body("four", Sphere{0.1});
    definition.inertia = bad == 0.0 ? Matrix3(Vector3(1.0, 1.0, 0.0).asDiagonal())
                                    : Matrix3(bad * Matrix3::Identity());
    CHECK_THROWS_AS(add_body(model, definition), InputError);
  }
  BodyDefinition points = body("points", PointSet{{Vector3::Zero()}});
  CHECK_THROWS_AS(add_body(model, points), InputError);
  points.mass = 1.0;
  CHECK_THROWS_AS(add_body(model, points), InputError);
  points.inertia = Vector3(1.0, 2.0, 3.0).asDiagonal();
  CHECK(add_body(model, points) == Vector3::Zero());
  CHECK(model.n_bodies() == 2);  // nothing of the refused ones is left behind
  CHECK(model.shapes.size() == 2);
}

}  // namespace
}  // namespace scree::test::bodies_test
