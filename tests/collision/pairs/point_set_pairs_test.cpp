// Contacts of point sets: every point by itself.
#include <catch2/catch.hpp>

#include "tests/collision/pairs/pair_fixture.hpp"
#include "tests/support/brute_force_sat.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"

namespace scree::test::point_set_pairs_test {
namespace {

using collision::PairContact;

const PointSet three_points{
    {Vector3(0.0, 0.0, -0.5), Vector3(1.0, 0.0, -0.5), Vector3(0.0, 1.0, 0.5)}};

TEST_CASE("Points on a plane touch one by one", "[collision][analytic]") {
  PairFixture pair(three_points, HalfSpace{});
  const auto& contacts = pair.detect({at(0, 0, 0.501), at(0, 0, 0)}, 0.01);
  REQUIRE(contacts.size() == 2);
  for (std::int32_t i = 0; i < 2; ++i) {
    const PairContact& c = contacts[static_cast<std::size_t>(i)];
    CHECK(c.feature_a == make_feature(FeatureKind::vertex, i));
    CHECK(std::abs(c.gap - 0.001) < 1e-15);
    CHECK((c.point_a - Vector3(i, 0.0, 0.001)).norm() < 1e-15);
    CHECK(c.normal == -Vector3::UnitZ());
  }
}

TEST_CASE("Points touch a sphere along its radius", "[collision][analytic]") {
  PairFixture pair(Sphere{1.0}, three_points);  // the sphere comes first: mirrored
  const auto& contacts = pair.detect({at(0, 0, 0), at(0, 0, 1.499)}, 0.01);
  REQUIRE(contacts.size() == 1);
  CHECK(contacts[0].feature_b == make_feature(FeatureKind::vertex, 0));
  CHECK(std::abs(contacts[0].gap + 0.001) < 1e-15);
  CHECK((contacts[0].normal - Vector3::UnitZ()).norm() < 1e-15);
  CHECK((contacts[0].point_a - Vector3::UnitZ()).norm() < 1e-15);
  CHECK((contacts[0].point_b - Vector3(0.0, 0.0, 0.999)).norm() < 1e-15);
}

TEST_CASE("Points touch a box inside and near it", "[collision][analytic]") {
  const double gap = GENERATE(-0.01, 0.0, 0.01);
  PairFixture pair(three_points, make_box({1.0, 1.0, 1.0}));
  const auto& contacts = pair.detect({at(0.1, 0.2, 1.0 + gap), at(0, 0, 0)}, 0.05);
  REQUIRE(contacts.size() == 1);  // only the first point is over the box
  CHECK(contacts[0].feature_a == make_feature(FeatureKind::vertex, 0));
  CHECK(contacts[0].feature_b >> 28 == static_cast<std::uint32_t>(FeatureKind::face));
  CHECK(std::abs(contacts[0].gap - gap) < 1e-15);
  CHECK((contacts[0].normal + Vector3::UnitZ()).norm() < 1e-15);
}

TEST_CASE("Random points touch random polyhedra where separating planes say",
          "[collision][oracle]") {
  RandomShapes random(35);
  int inside = 0, outside = 0, failures = 0;
  double worst = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const ConvexPolyhedron solid = random.polyhedron();
    const TwoPoses poses{at(1, 2, 3, random.rotation()), at(1.2, 2.1, 3, random.rotation())};
    const Vector3 target = poses.b.x + random.direction() * random.uniform(0.0, 0.9);
    PairFixture pair(PointSet{{poses.a.q.conjugate() * (target - poses.a.x)}}, solid);
    const auto& contacts = pair.detect(poses, 2.0);
    REQUIRE(contacts.size() == 1);
    const PairContact& c = contacts[0];
    // Inside, the face of least penetration: the largest height over a face plane. Outside, the
    // plane through the point found, normal to the way there, has the whole solid behind it, and
    // the way is as long as the gap.
    const double height = height_over_surface(solid, poses.b, target);
    double error = std::abs(height_over_surface(solid, poses.b, c.point_b));
    if (height <= 0.0) {
      ++inside;
      error = std::max(error, std::abs(c.gap - height));
    } else {
      ++outside;
      const Vector3 way = target - c.point_b;
      error = std::max(error, std::abs(way.norm() - c.gap));
      double beyond = 0.0;
      for (const Vector3& v : solid.vertices)
        beyond = std::max(beyond, way.dot(poses.b * v - c.point_b) / way.norm());
      // a face wins within eps, 1e-9, of its border: sqrt(eps) times the size at worst, near the
      // surface
      if (c.gap > 1e-3 && beyond > 1e-6) ++failures;
    }
    worst = std::max(worst, error);
  }
  CHECK(failures == 0);
  CHECK(inside > 1000);
  CHECK(outside > 1000);
  CHECK(validated({"Properties over random cases",
                   "10000 points and polyhedra: error of gap and point", 0.0, worst, 2e-9, false,
                   "separating planes"}));
}

TEST_CASE("Point sets do not touch each other", "[collision][unit]") {
  PairFixture pair(three_points, three_points);
  CHECK(pair.detect({at(0, 0, 0), at(0, 0, 0)}, 1.0).empty());
}

}  // namespace
}  // namespace scree::test::point_set_pairs_test
