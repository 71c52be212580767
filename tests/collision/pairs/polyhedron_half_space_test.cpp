// Contacts of polyhedra with planes: every vertex within reach.
#include <catch2/catch.hpp>

#include "tests/collision/pairs/pair_fixture.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"

namespace scree::test::polyhedron_half_space_test {
namespace {

using collision::PairContact;

TEST_CASE("A box on a plane touches with its four lower vertices", "[collision][analytic]") {
  const double gap = GENERATE(-1e-6, 0.0, 1e-6);
  PairFixture pair(HalfSpace{}, make_box({1.0, 0.5, 0.4}));
  const auto& contacts = pair.detect({at(0, 0, 0), at(3, 2, 0.2 + gap)}, 1e-3);
  REQUIRE(contacts.size() == 4);
  for (const PairContact& c : contacts) {
    CHECK(c.feature_a == make_feature(FeatureKind::surface, 0));
    CHECK(c.normal == Vector3::UnitZ());
    CHECK(std::abs(c.gap - gap) < 1e-15);
    CHECK(std::abs(c.point_a.z()) < 1e-15);
  }
}

TEST_CASE("Vertices of random polyhedra on a turned plane have their heights as gaps",
          "[collision][oracle]") {
  RandomShapes random(41);
  double worst = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const ConvexPolyhedron solid = random.polyhedron();
    const TwoPoses poses{at(0.1, 0.2, 0.3, random.rotation()), at(1, 2, 3, random.rotation())};
    const Vector3 n = poses.b.q * Vector3::UnitZ();
    const double reach = random.uniform(-1.0, 1.0);
    const double level = n.dot(poses.b.x) + 0.2;
    PairFixture pair(solid, HalfSpace{Vector3::UnitZ(), 0.2});
    const auto& contacts = pair.detect(poses, reach);
    std::size_t found = 0;
    for (std::size_t v = 0; v < solid.vertices.size(); ++v) {
      const double height = n.dot(poses.a * solid.vertices[v]) - level;
      if (height > reach) continue;
      REQUIRE(found < contacts.size());
      const PairContact& c = contacts[found++];
      CHECK(c.feature_a == make_feature(FeatureKind::vertex, static_cast<std::int32_t>(v)));
      worst = std::max({worst, std::abs(c.gap - height),
                        (c.point_a - poses.a * solid.vertices[v]).norm(),
                        std::abs(n.dot(c.point_b) - level)});
    }
    REQUIRE(found == contacts.size());
  }
  // round-off of coordinates up to 5 m
  CHECK(validated({"Properties over random cases",
                   "10000 polyhedra and planes: error of gap and points [m]", 0.0, worst, 1e-14,
                   false, "heights of the vertices"}));
}

}  // namespace
}  // namespace scree::test::polyhedron_half_space_test
