// Contacts of spheres against closed forms.
#include <catch2/catch.hpp>

#include "tests/collision/pairs/pair_fixture.hpp"
#include "tests/support/brute_force_sat.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"

namespace scree::test::sphere_pairs_test {
namespace {

using collision::PairContact;

TEST_CASE("Spheres touch on the line of their centres", "[collision][analytic]") {
  RandomShapes random(31);
  for (int i = 0; i < 100; ++i) {
    const double r_a = random.uniform(0.1, 1.0), r_b = random.uniform(0.1, 1.0),
                 gap = random.uniform(-0.1, 0.1);
    const Vector3 n = random.direction(), off_centre = random.in_cube(0.3);
    TwoPoses poses{at(1, 2, 3, random.rotation()), at(0, 0, 0, random.rotation())};
    poses.b.x = poses.a * off_centre + (r_a + r_b + gap) * n;
    PairFixture pair(Sphere{r_a, off_centre}, Sphere{r_b});
    const auto& contacts = pair.detect(poses, 0.2);
    REQUIRE(contacts.size() == 1);
    CHECK((contacts[0].normal - n).norm() < 1e-13);
    CHECK(std::abs(contacts[0].gap - gap) < 1e-14);
    CHECK((contacts[0].point_a - (poses.a * off_centre + r_a * n)).norm() < 1e-14);
    CHECK((contacts[0].point_b - contacts[0].point_a - gap * n).norm() < 1e-14);
    CHECK(pair.detect(poses, gap - 1e-6).empty());
  }
}

TEST_CASE("Concentric spheres have a defined contact", "[collision][unit]") {
  PairFixture pair(Sphere{0.5}, Sphere{0.2});
  const auto& contacts = pair.detect({at(0, 0, 0), at(0, 0, 0)}, 0.1);
  REQUIRE(contacts.size() == 1);
  CHECK(contacts[0].normal.norm() == 1.0);
  CHECK(contacts[0].gap == -0.7);
}

TEST_CASE("A sphere on a plane touches at its foot whichever comes first",
          "[collision][analytic]") {
  const Quaternion q(Eigen::AngleAxisd(0.5, Vector3::UnitX()));
  const Vector3 n = q * Vector3::UnitZ();
  const HalfSpace plane{Vector3::UnitZ(), 0.3};
  const TwoPoses poses{at(0.5, 1, 2), at(0.1, 0, 0.2, q)};
  const double gap = n.dot(poses.a.x - poses.b.x) - 0.3 - 0.4;
  PairFixture first(Sphere{0.4}, plane), second(plane, Sphere{0.4});
  const std::vector<PairContact> one = first.detect(poses, 10.0),
                                 two = second.detect({poses.b, poses.a}, 10.0);
  REQUIRE(one.size() == 1);
  REQUIRE(two.size() == 1);
  CHECK((one[0].normal + n).norm() < 1e-15);
  CHECK((two[0].normal - n).norm() < 1e-15);
  CHECK(std::abs(one[0].gap - gap) < 1e-14);
  CHECK(std::abs(two[0].gap - gap) < 1e-14);
  CHECK((one[0].point_a - (poses.a.x - 0.4 * n)).norm() < 1e-14);
  CHECK((two[0].point_b - one[0].point_a).norm() < 1e-14);
  CHECK((two[0].point_a - one[0].point_b).norm() < 1e-14);
}

// Nearest point of a box by clamping: independent of the face and edge walk.
TEST_CASE("A sphere near a box touches at the clamped point", "[collision][oracle]") {
  RandomShapes random(32);
  const Vector3 half(0.5, 0.3, 0.2);
  int faces = 0, edges = 0, vertices = 0;
  double worst = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const TwoPoses poses{at(0, 0, 0, random.rotation()), at(1, 1, 1, random.rotation())};
    const Vector3 local = random.in_cube(1.0).cwiseProduct(half + Vector3::Constant(0.2));
    if ((local.cwiseAbs() - half).maxCoeff() < 1e-6) continue;
    const Vector3 clamped = local.cwiseMax(-half).cwiseMin(half);
    TwoPoses placed = poses;
    placed.a.x = poses.b * local;
    PairFixture pair(Sphere{0.1}, make_box(2.0 * half));
    const auto& contacts = pair.detect(placed, 1.0);
    REQUIRE(contacts.size() == 1);
    const PairContact& c = contacts[0];
    CHECK((c.point_b - poses.b * clamped).norm() <
          1e-8);  // within eps of a face the face wins: sqrt(eps) at worst
    worst = std::max(worst, std::abs(c.gap - ((local - clamped).norm() - 0.1)));
    CHECK((c.point_b - c.point_a - c.gap * c.normal).norm() < 1e-14);
    const auto kind = static_cast<FeatureKind>(c.feature_b >> 28);
    faces += kind == FeatureKind::face ? 1 : 0;
    edges += kind == FeatureKind::edge ? 1 : 0;
    vertices += kind == FeatureKind::vertex ? 1 : 0;
  }
  CHECK(validated({"Properties over random cases", "10000 spheres and boxes: error of the gap [m]",
                   0.0, worst, 1e-9, false, "clamped point"}));
  CHECK(faces > 100);
  CHECK(edges > 100);
  CHECK(vertices > 100);
}

TEST_CASE("A sphere inside a polyhedron leaves by the nearest face", "[collision][oracle]") {
  RandomShapes random(33);
  double worst = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const ConvexPolyhedron solid = random.polyhedron();
    Vector3 local = Vector3::Zero();
    double weight = 0.0;
    for (const Vector3& v : solid.vertices) {
      const double w = random.uniform(0.1, 1.0);
      local += w * v;
      weight += w;
    }
    local /= weight;
    const TwoPoses poses{at(0, 0, 0), at(0.4, 0, 0, random.rotation())};
    TwoPoses placed = poses;
    placed.a.x = poses.b * local;
    PairFixture pair(Sphere{0.05}, solid);
    const auto& contacts = pair.detect(placed, 0.1);
    REQUIRE(contacts.size() == 1);
    worst = std::max(worst, std::abs(contacts[0].gap -
                                     (height_over_surface(solid, poses.b, placed.a.x) - 0.05)));
    CHECK(std::abs(height_over_surface(solid, poses.b, contacts[0].point_b)) < 1e-14);
  }
  CHECK(validated({"Properties over random cases",
                   "10000 spheres inside polyhedra: error of the gap [m]", 0.0, worst, 1e-9, false,
                   "planes of the faces"}));
}

TEST_CASE("A sphere against a random polyhedron is nearest in every direction tried",
          "[collision][property]") {
  RandomShapes random(34);
  int checked = 0;
  double worst = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const ConvexPolyhedron solid = random.polyhedron();
    TwoPoses poses{at(0, 0, 0), at(0.2, 0.1, 0, random.rotation())};
    poses.a.x = poses.b.x + random.direction() * random.uniform(0.4, 0.9);
    PairFixture pair(Sphere{0.1}, solid);
    const auto& contacts = pair.detect(poses, 2.0);
    REQUIRE(contacts.size() == 1);
    const double distance = contacts[0].gap + 0.1;
    CHECK(std::abs(height_over_surface(solid, poses.b, contacts[0].point_b)) < 2e-9);
    if (distance < 1e-3) continue;
    ++checked;
    // The plane through the point found, normal to the way there, has the whole solid behind it: so
    // no point is nearer.
    const Vector3 n = (poses.a.x - contacts[0].point_b).normalized();
    double beyond = 0.0;
    for (const Vector3& v : solid.vertices)
      beyond = std::max(beyond, n.dot(poses.b * v - contacts[0].point_b));
    worst = std::max(worst, beyond);
  }
  // a face wins within eps, 1e-9, of its border: sqrt(eps) times the size at worst
  CHECK(validated(
      {"Properties over random cases",
       "10000 spheres and polyhedra: height of the solid beyond the plane of the contact [m]", 0.0,
       worst, 1e-6, false, "separating planes"}));
  CHECK(checked > 5000);
}

}  // namespace
}  // namespace scree::test::sphere_pairs_test
