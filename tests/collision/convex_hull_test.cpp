// Hulls of points: exact, of any number of points and digits, with faces that are flat.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/check.hpp"
#include "engine/base/exact_orientation.hpp"
#include "engine/model/shapes/convex_hull.hpp"
#include "engine/model/shapes/shapes.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"

namespace scree::test::convex_hull_test {
namespace {

using Points = std::vector<Vector3>;
__extension__ using Wide = __int128;
const char* section = "Hulls";

Points prism(int corners, double radius, double half_height, const Quaternion& q) {
  Points points;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / corners;
    for (const double z : {-half_height, half_height}) {
      points.push_back(q * Vector3(radius * std::cos(angle), radius * std::sin(angle), z));
    }
  }
  return points;
}

Points rounded(Points points, double unit) {
  for (Vector3& p : points) p = (p / unit).array().round().matrix() * unit;
  return points;
}

Points as_floats(Points points) {
  for (Vector3& p : points) p = p.cast<float>().cast<double>();
  return points;
}

Points cloud(RandomShapes& random, int n, double roughness) {
  Points points;
  const Vector3 half(random.uniform(0.2, 0.6), random.uniform(0.2, 0.6), random.uniform(0.2, 0.6));
  for (int i = 0; i < n; ++i) {
    points.push_back((1.0 + roughness * random.uniform(-1.0, 1.0)) *
                     random.direction().cwiseProduct(half));
  }
  return points;
}

// [-] of the size: the farthest that a corner lies off its face, above any other face, and the
// shortest way between two.
struct Shape3 {
  double off_face = 0.0, above = 0.0;
};

Shape3 measured(const ConvexPolyhedron& solid) {
  Shape3 shape;
  for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
    const auto face = static_cast<std::size_t>(f);
    const auto height = [&](std::size_t v) {
      return (solid.face_normal[face].dot(solid.vertices[v]) - solid.face_offset[face]) /
             solid.size;
    };
    for (const std::int32_t v : solid.face(f)) {
      shape.off_face = std::max(shape.off_face, std::abs(height(static_cast<std::size_t>(v))));
    }
    for (std::size_t v = 0; v < solid.vertices.size(); ++v)
      shape.above = std::max(shape.above, height(v));
  }
  return shape;
}

}  // namespace

TEST_CASE("The side of a plane is exact where round-off could decide", "[collision][oracle]") {
  // Whole numbers below 2^20 and their determinants in 128 bits are the oracle; a quarter of the
  // points are coplanar or one unit off.
  RandomShapes random(801);
  int wrong = 0, zero = 0;
  for (int i = 0; i < 20000; ++i) {
    std::array<std::array<std::int64_t, 3>, 4> p{};
    for (auto& point : p) {
      for (std::int64_t& x : point) x = random.integer(0, 1 << 19);
    }
    if (i % 2 == 0) {
      const int s = random.integer(-1, 1), t = random.integer(-1, 1);
      for (std::size_t k = 0; k < 3; ++k)
        p[3][k] = p[0][k] + s * (p[1][k] - p[0][k]) + t * (p[2][k] - p[0][k]);
      if (i % 4 == 0) p[3][0] += random.integer(-1, 1);
    }
    const auto d = [&](std::size_t j, std::size_t k) {
      return static_cast<Wide>(p[j][k] - p[0][k]);
    };
    const Wide volume = d(1, 0) * (d(2, 1) * d(3, 2) - d(2, 2) * d(3, 1)) +
                        d(1, 1) * (d(2, 2) * d(3, 0) - d(2, 0) * d(3, 2)) +
                        d(1, 2) * (d(2, 0) * d(3, 1) - d(2, 1) * d(3, 0));
    std::array<Vector3, 4> q;
    // An offset that is added without rounding makes the differences of the coordinates matter.
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        q[j](static_cast<Eigen::Index>(k)) = static_cast<double>(p[j][k]) * 0x1p-52 + 0.5;
      }
    }
    const int expected = volume > 0 ? 1 : volume < 0 ? -1 : 0;
    wrong += orientation(q[0], q[1], q[2], q[3]).sign != expected ? 1 : 0;
    zero += expected == 0 ? 1 : 0;
  }
  CHECK(wrong == 0);
  CHECK(zero > 5000);
}

TEST_CASE("A hull of triangles closes and has no point above it", "[collision][property]") {
  RandomShapes random(802);
  for (int i = 0; i < 60; ++i) {
    Points points = cloud(random, random.integer(4, 200), random.uniform(0.0, 0.5));
    if (i % 3 == 1) points = rounded(points, 0.1);  // many coplanar, collinear and coincident ones
    if (i % 3 == 2) points = rounded(points, 0.25);
    const std::vector<HullTriangle> hull = hull_triangles(points);
    int above = 0, open = 0;
    for (std::size_t t = 0; t < hull.size(); ++t) {
      const auto at = [&](std::size_t k) -> const Vector3& {
        return points[static_cast<std::size_t>(hull[t].corner[k])];
      };
      for (const Vector3& p : points) above += orientation(at(0), at(1), at(2), p).sign > 0 ? 1 : 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const HullTriangle& other = hull[static_cast<std::size_t>(hull[t].neighbour[k])];
        bool shares = false;
        for (std::size_t m = 0; m < 3; ++m) {
          shares = shares || (other.corner[m] == hull[t].corner[(k + 1) % 3] &&
                              other.corner[(m + 1) % 3] == hull[t].corner[k]);
        }
        open += shares ? 0 : 1;
      }
    }
    INFO("cloud " << i << ", " << points.size() << " points");
    CHECK(above == 0);
    CHECK(open == 0);
  }
}

TEST_CASE("Prisms of any number of digits have the faces they were drawn with, flat",
          "[collision][property]") {
  // Volumes: corners rounded by u change them by less than u over the radius, a few times.
  struct Digits {
    const char* name;
    double unit;
  };
  for (const Digits& digits : {Digits{"doubles", 0.0}, Digits{"9 decimals", 1e-9},
                               Digits{"floats", -1.0}, Digits{"6 decimals", 1e-6}}) {
    RandomShapes random(803);
    double off_face = 0.0, above = 0.0, moved = 0.0, volume = 0.0;
    int wrong = 0;
    for (int i = 0; i < 40; ++i) {
      const int corners = i % 2 == 0 ? 8 : random.integer(3, 24);
      const double radius = random.uniform(0.2, 1.0), half_height = random.uniform(0.1, 1.0);
      Points points = prism(corners, radius, half_height, random.rotation());
      if (digits.unit > 0.0) points = rounded(points, digits.unit);
      if (digits.unit < 0.0) points = as_floats(points);
      const ConvexPolyhedron solid = make_convex_polyhedron(points);
      wrong += solid.n_faces() != corners + 2 || solid.vertices.size() != points.size() ? 1 : 0;
      const Shape3 shape = measured(solid);
      off_face = std::max(off_face, shape.off_face), above = std::max(above, shape.above);
      moved = std::max(moved, solid.change.moved);
      const double expected =
          corners * radius * radius * std::sin(2.0 * std::numbers::pi / corners) * half_height;
      volume = std::max(volume, std::abs(mass_properties(Shape(solid)).volume / expected - 1.0));
    }
    const std::string name = std::string("40 prisms in ") + digits.name + ": ";
    CHECK(wrong == 0);
    CHECK(validated({section, name + "corners off their faces [-] of the size", 0.0, off_face,
                     2e-14, false, "flat to round-off"}));
    CHECK(validated({section, name + "corners above other faces [-] of the size", 0.0, above, 2e-14,
                     false, "convex"}));
    CHECK(validated({section, name + "farthest that a corner was moved [m]", 0.0, moved, 4e-6,
                     false, "of the order of the digits"}));
    CHECK(validated(
        {section, name + "relative error of the volume", 0.0, volume, 2e-5, false, "closed form"}));
  }
}

TEST_CASE("Hulls of scanned rocks keep what the points say", "[collision][property]") {
  RandomShapes random(804);
  for (const int n : {500, 5000}) {
    const Points points = as_floats(cloud(random, n, n == 500 ? 0.0 : 0.02));
    const ConvexPolyhedron solid = make_convex_polyhedron(points);
    double outside = 0.0;
    for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
      for (const Vector3& p : points) {
        const auto face = static_cast<std::size_t>(f);
        outside = std::max(outside, solid.face_normal[face].dot(p) - solid.face_offset[face]);
      }
    }
    CHECK(outside <= 3.0 * coplanar_tolerance * solid.size);
    CHECK(measured(solid).off_face < 2e-14);
    CHECK(solid.size == point_set_diameter(solid.vertices));
  }
}

TEST_CASE("The farthest two points are those of all pairs", "[collision][oracle]") {
  RandomShapes random(805);
  for (const int n : {3, 64, 65, 300, 1500}) {
    const Points points = cloud(random, n, n % 2 == 0 ? 0.0 : 0.3);
    double farthest = 0.0;
    for (const Vector3& p : points) {
      for (const Vector3& q : points) farthest = std::max(farthest, (p - q).squaredNorm());
    }
    CHECK(point_set_diameter(points) == std::sqrt(farthest));
  }
}

TEST_CASE("A hull drawn far from the origin is the hull drawn near it", "[collision][property]") {
  RandomShapes random(806);
  for (const double distance : {1e3, 1e6, 2.6e6}) {
    double inertia = 0.0, corner = 0.0;
    for (int i = 0; i < 20; ++i) {
      const Points near = prism(8, 0.4, 0.3, random.rotation());
      Points far = near;
      const Vector3 away = distance * Vector3(1.0, 0.46, 0.0);
      for (Vector3& p : far) p += away;
      const ConvexPolyhedron one = make_convex_polyhedron(near),
                             other = make_convex_polyhedron(far);
      REQUIRE(one.n_faces() == other.n_faces());
      const MassProperties a = mass_properties(Shape(one)), b = mass_properties(Shape(other));
      inertia = std::max(inertia, (a.inertia - b.inertia).norm() / a.inertia.norm());
      const Shape placed = to_axes(Shape(other), Pose{b.centre, Quaternion::Identity()});
      const auto& solid = std::get<ConvexPolyhedron>(placed);
      CHECK(measured(solid).off_face < 2e-14);
      for (std::size_t v = 0; v < solid.vertices.size(); ++v) {
        corner = std::max(corner, (solid.vertices[v] - (one.vertices[v] - a.centre)).norm());
      }
    }
    const double ulp = 2.22e-16 * distance;  // of the coordinates that were given
    CHECK(corner <= 4.0 * ulp);
    CHECK(inertia <= 20.0 * ulp);
  }
}

TEST_CASE("Points that coincide count once, points in one plane are refused", "[collision][unit]") {
  const Points twice = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
  CHECK(make_convex_polyhedron(twice).vertices.size() == 4);
  CHECK_THROWS_AS(make_convex_polyhedron(Points(5, Vector3(1, 1, 1))), InputError);
  RandomShapes random(807);
  const Quaternion q = random.rotation();
  Points flat;
  for (int i = 0; i < 20; ++i)
    flat.push_back(q * Vector3(random.uniform(-1, 1), random.uniform(-1, 1), 0.0));
  CHECK_THROWS_AS(make_convex_polyhedron(flat), InputError);
}

}  // namespace scree::test::convex_hull_test
