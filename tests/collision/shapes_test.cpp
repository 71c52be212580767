// Shapes: topology of hulls, exact mass properties, refusal of degenerate input.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <numbers>

#include "engine/base/check.hpp"
#include "engine/model/shapes/shapes.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"

namespace scree::test::shapes_test {
namespace {

std::vector<Vector3> box_corners(const Vector3& sides, const Pose& pose) {
  std::vector<Vector3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back(pose * Vector3(((i & 1) ? 0.5 : -0.5) * sides.x(),
                                     ((i & 2) ? 0.5 : -0.5) * sides.y(),
                                     ((i & 4) ? 0.5 : -0.5) * sides.z()));
  }
  return corners;
}

// All that must hold of any convex polyhedron; returns the number of things that do not.
int flaws(const ConvexPolyhedron& solid, const std::vector<Vector3>& points) {
  int count = 0;
  const int v = static_cast<int>(solid.vertices.size()), e = static_cast<int>(solid.edges.size()),
            f = solid.n_faces();
  count += v - e + f != 2 ? 1 : 0;
  count += static_cast<std::size_t>(2 * e) != solid.face_vertices.size() ? 1 : 0;
  for (std::int32_t i = 0; i < f; ++i) {
    const auto face = static_cast<std::size_t>(i);
    count += std::abs(solid.face_normal[face].norm() - 1.0) > 1e-14 ? 1 : 0;
    for (const Vector3& p : points) {  // facets are merged within the tolerance
      count += solid.face_normal[face].dot(p) >
                       solid.face_offset[face] + 2.0 * coplanar_tolerance * solid.size
                   ? 1
                   : 0;
    }
    for (const std::int32_t j : solid.face(i)) {
      const double height =
          solid.face_normal[face].dot(solid.vertices[static_cast<std::size_t>(j)]) -
          solid.face_offset[face];
      count += std::abs(height) > 1e-13 * solid.size ? 1 : 0;
    }
  }
  Vector3 closed = Vector3::Zero();
  for (std::size_t i = 0; i < solid.face_normal.size(); ++i)
    closed += solid.face_area[i] * solid.face_normal[i];
  count += closed.norm() > 1e-9 ? 1 : 0;  // area vectors of a closed surface sum to zero
  for (const auto& edge : solid.edges) {
    const Vector3 along = solid.vertices[static_cast<std::size_t>(edge.vertex_1)] -
                          solid.vertices[static_cast<std::size_t>(edge.vertex_0)];
    const Vector3 turn = solid.face_normal[static_cast<std::size_t>(edge.face_0)].cross(
        solid.face_normal[static_cast<std::size_t>(edge.face_1)]);
    count += turn.dot(along) <= 0.0 || edge.vertex_0 >= edge.vertex_1 ? 1 : 0;
  }
  return count;
}

TEST_CASE("Hulls of random points are closed convex surfaces", "[engine][property]") {
  RandomShapes random(3);
  int total = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<Vector3> points;
    const int n = random.integer(4, 60);
    for (int k = 0; k < n; ++k) points.push_back(random.in_cube(1.0));
    total += flaws(make_convex_polyhedron(points), points);
  }
  std::vector<Vector3> many;
  for (int k = 0; k < 400; ++k) many.push_back(random.direction());
  const ConvexPolyhedron round = make_convex_polyhedron(many);
  CHECK(round.vertices.size() == 400);  // no point of a sphere is dropped
  // As triangles they were 2 * 400 - 4; a few of them are nearly coplanar.
  int triangles = 0;
  for (std::int32_t f = 0; f < round.n_faces(); ++f)
    triangles += static_cast<int>(round.face(f).size()) - 2;
  CHECK(triangles == 2 * 400 - 4);
  CHECK(round.n_faces() >= 2 * 400 - 8);
  CHECK(total + flaws(round, many) == 0);
}

TEST_CASE("Hull of the corners of a turned box has six faces and drops points on it",
          "[engine][unit]") {
  RandomShapes random(4);
  for (int i = 0; i < 50; ++i) {
    Pose pose;
    pose.x = random.in_cube(10.0);
    pose.q = random.rotation();
    const Vector3 sides(random.uniform(0.1, 2.0), random.uniform(0.1, 2.0),
                        random.uniform(0.1, 2.0));
    std::vector<Vector3> points = box_corners(sides, pose);
    points.push_back(pose *
                     Vector3(0.5 * sides.x(), 0.1 * sides.y(), 0.2 * sides.z()));  // in a face
    points.push_back(pose *
                     Vector3(0.5 * sides.x(), 0.5 * sides.y(), 0.1 * sides.z()));  // on an edge
    points.push_back(pose * Vector3(0.1 * sides.x(), 0.1 * sides.y(), 0.1 * sides.z()));  // inside
    std::rotate(points.begin(), points.begin() + random.integer(0, 10), points.end());
    const ConvexPolyhedron solid = make_convex_polyhedron(points);
    CHECK(solid.vertices.size() == 8);
    CHECK(solid.edges.size() == 12);
    CHECK(solid.n_faces() == 6);
    CHECK(solid.edge_directions.size() <= 12);
    CHECK(std::abs(solid.size - sides.norm()) < 1e-14 * 50.0);
    CHECK(flaws(solid, points) == 0);
  }
}

TEST_CASE("Box has the faces and the size the user gave", "[engine][unit]") {
  const ConvexPolyhedron box = make_box({1.0, 0.5, 0.3});
  CHECK(box.is_box);
  CHECK(box.n_faces() == 6);
  CHECK(box.edge_directions.size() == 3);
  CHECK(flaws(box, box.vertices) == 0);
  for (std::size_t f = 0; f < 6; ++f) {
    CHECK(box.face_normal[f].cwiseAbs().maxCoeff() == 1.0);
    int axis = 0;
    box.face_normal[f].cwiseAbs().maxCoeff(&axis);
    CHECK(box.face_offset[f] == 0.5 * Vector3(1.0, 0.5, 0.3)(axis));
  }
}

TEST_CASE("Hulls with polygonal faces keep them whole", "[engine][unit]") {
  std::vector<Vector3> prism;
  for (int i = 0; i < 12; ++i) {
    const double angle = std::numbers::pi / 6.0 * i;
    for (const double z : {-0.4, 0.7}) prism.emplace_back(std::cos(angle), std::sin(angle), z);
  }
  const ConvexPolyhedron solid = make_convex_polyhedron(prism);
  CHECK(solid.n_faces() == 14);
  CHECK(solid.edges.size() == 36);
  CHECK(flaws(solid, prism) == 0);
}

TEST_CASE("Degenerate points are refused with a reason", "[engine][unit]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               inf = std::numeric_limits<double>::infinity();
  const std::vector<Vector3> tetra = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  CHECK_NOTHROW(make_convex_polyhedron(tetra));
  for (const double bad : {nan, inf}) {
    auto points = tetra;
    points[2].y() = bad;
    CHECK_THROWS_AS(make_convex_polyhedron(points), InputError);
    CHECK_THROWS_AS(make_box({1.0, bad, 1.0}), InputError);
  }
  CHECK_THROWS_AS(make_convex_polyhedron(std::vector<Vector3>(tetra.begin(), tetra.begin() + 3)),
                  InputError);
  const std::vector<std::vector<Vector3>> refused = {
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},                // one plane
      {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}},                // one line
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, -1}, {2, -1, 0}}};  // one slanted plane
  for (const auto& points : refused) CHECK_THROWS_AS(make_convex_polyhedron(points), InputError);
  CHECK_THROWS_AS(make_box({1.0, 0.0, 1.0}), InputError);
  CHECK_THROWS_AS(make_box({1.0, -2.0, 1.0}), InputError);
}

TEST_CASE("Mass properties of box, ball and tetrahedron are the closed forms",
          "[engine][analytic]") {
  const MassProperties box = mass_properties(make_box({1.0, 2.0, 3.0}));
  CHECK(std::abs(box.volume - 6.0) < 1e-14);
  CHECK(box.centre.norm() < 1e-15);
  CHECK((box.inertia - Matrix3(Vector3(6.5, 5.0, 2.5).asDiagonal())).norm() <
        1e-13);  // 6/12 (b^2 + c^2)

  const MassProperties ball = mass_properties(Sphere{2.0, Vector3(1.0, 0.0, 0.0)});
  CHECK(std::abs(ball.volume - 32.0 / 3.0 * std::numbers::pi) < 1e-13);
  CHECK(ball.centre == Vector3(1.0, 0.0, 0.0));
  CHECK((ball.inertia - 1.6 * ball.volume * Matrix3::Identity()).norm() < 1e-12);

  // Corner tetrahedron with legs a, b, c: volume abc/6, centre at a quarter, I_xx = V 3/80 (b^2 +
  // c^2), I_xy = V a b / 80.
  const double a = 1.0, b = 2.0, c = 0.5, volume = a * b * c / 6.0;
  const MassProperties tetra = mass_properties(
      make_convex_polyhedron(std::vector<Vector3>{{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}}));
  CHECK(std::abs(tetra.volume - volume) < 1e-15);
  CHECK((tetra.centre - Vector3(a, b, c) / 4.0).norm() < 1e-15);
  CHECK(std::abs(tetra.inertia(0, 0) - volume * 3.0 / 80.0 * (b * b + c * c)) < 1e-15);
  CHECK(std::abs(tetra.inertia(0, 1) - volume * a * b / 80.0) < 1e-15);
  CHECK_THROWS_AS(mass_properties(HalfSpace{}), InputError);
  CHECK_THROWS_AS(mass_properties(PointSet{}), InputError);
}

TEST_CASE("Mass properties add up when a solid is cut in two", "[engine][property]") {
  RandomShapes random(8);
  for (int i = 0; i < 30;
       ++i) {  // a pyramid over each face from an inner point: together they are the solid
    const ConvexPolyhedron solid = random.polyhedron();
    const MassProperties whole = mass_properties(solid);
    Vector3 inner = 0.3 * solid.vertices[0];
    for (const Vector3& v : solid.vertices)
      inner += 0.7 / static_cast<double>(solid.vertices.size()) * v;
    double volume = 0.0;
    Vector3 first = Vector3::Zero();
    Matrix3 inertia = Matrix3::Zero();
    for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
      std::vector<Vector3> points = {inner};
      for (const std::int32_t v : solid.face(f))
        points.push_back(solid.vertices[static_cast<std::size_t>(v)]);
      const MassProperties piece = mass_properties(make_convex_polyhedron(points));
      const Vector3 r = piece.centre - whole.centre;
      volume += piece.volume;
      first += piece.volume * r;
      inertia += piece.inertia +
                 piece.volume * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
    }
    CHECK(std::abs(volume - whole.volume) < 1e-13);  // round-off of sums at size 1
    CHECK(first.norm() < 1e-13);
    CHECK((inertia - whole.inertia).norm() < 1e-13);
  }
}

// Signed tetrahedra from a point outside over triangles of the faces, each integrated with four
// points, exact for quadratic polynomials.
MassProperties by_quadrature(const ConvexPolyhedron& solid, const Vector3& apex) {
  const double near = 0.1381966011250105,
               far = 0.5854101966249685;  // (5 -+ sqrt 5)/20 and the rest
  MassProperties sums;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  const auto corner = [&](std::int32_t v) { return solid.vertices[static_cast<std::size_t>(v)]; };
  for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
    const auto loop = solid.face(f);
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
      const Vector3 corners[] = {apex, corner(loop[0]), corner(loop[i]), corner(loop[i + 1])};
      const double volume =
          (corners[1] - apex).dot((corners[2] - apex).cross(corners[3] - apex)) / 6.0;
      sums.volume += volume;
      for (const Vector3& heavy : corners) {
        const Vector3 point =
            near * (corners[0] + corners[1] + corners[2] + corners[3]) + (far - near) * heavy;
        first += 0.25 * volume * point;
        second += 0.25 * volume * point * point.transpose();
      }
    }
  }
  sums.centre = first / sums.volume;
  second -= sums.volume * sums.centre * sums.centre.transpose();
  sums.inertia = second.trace() * Matrix3::Identity() - second;
  return sums;
}

TEST_CASE("Mass properties of random hulls agree with a quadrature over signed tetrahedra",
          "[engine][oracle]") {
  RandomShapes random(14);
  double worst = 0.0;
  constexpr int n = 10000;
  for (int i = 0; i < n; ++i) {
    const ConvexPolyhedron solid = random.polyhedron();
    const MassProperties got = mass_properties(solid),
                         expected = by_quadrature(solid, 2.0 * random.direction());
    worst = std::max({worst, std::abs(got.volume - expected.volume),
                      (got.centre - expected.centre).norm() * expected.volume,
                      (got.inertia - expected.inertia).norm()});
  }
  // sizes near 1; the tetrahedra cancel, with edges of 2 and inertia with their fourth power
  CHECK(validated({"Properties over random cases",
                   digits(n) + " hulls: volume, first moment and inertia, largest error", 0.0,
                   worst, 1e-13, false, "quadrature over signed tetrahedra"}));
}

TEST_CASE("Mass properties follow the solid when it is moved", "[engine][property]") {
  RandomShapes random(9);
  for (int i = 0; i < 10000; ++i) {
    const Shape shape = random.polyhedron();
    Pose pose;
    pose.x = random.in_cube(3.0);
    pose.q = random.rotation();
    const MassProperties here = mass_properties(shape),
                         there = mass_properties(to_axes(shape, pose));
    const Matrix3 R = pose.q.toRotationMatrix();
    CHECK(std::abs(here.volume - there.volume) < 1e-13);
    CHECK((pose * there.centre - here.centre).norm() < 1e-13);
    CHECK((R * there.inertia * R.transpose() - here.inertia).norm() < 1e-13);
  }
}

TEST_CASE("Shapes seen from other axes keep their planes", "[engine][unit]") {
  Pose pose;
  pose.x = Vector3(1.0, 2.0, 3.0);
  pose.q = Quaternion(Eigen::AngleAxisd(0.7, Vector3(1.0, 1.0, 0.0).normalized()));
  const Vector3 inside(0.3, 0.1, 0.2);
  const auto plane = std::get<HalfSpace>(to_axes(HalfSpace{Vector3::UnitX(), 0.5}, pose));
  const Vector3 moved = pose.q.conjugate() * (inside - pose.x);
  CHECK(std::abs(plane.normal.dot(moved) - plane.offset - (inside.x() - 0.5)) < 1e-14);
  const auto box = std::get<ConvexPolyhedron>(to_axes(make_box({1.0, 2.0, 3.0}), pose));
  CHECK(flaws(box, box.vertices) == 0);
  CHECK(std::abs(bounding_radius(Sphere{0.5, Vector3(0.0, 2.0, 0.0)}) - 2.5) < 1e-15);
  CHECK(std::isinf(bounding_radius(HalfSpace{})));
  CHECK(std::string(shape_kind(make_box({1.0, 1.0, 1.0}))) == "box");
}

}  // namespace
}  // namespace scree::test::shapes_test
