// Contacts of polyhedra with planes: every vertex within reach.
#include <catch2/catch.hpp>

#include "tests/collision/pair_fixture.hpp"
#include "tests/support/random_shapes.hpp"

namespace scree::test {
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

TEST_CASE("Vertices of random polyhedra on a turned plane have their heights as gaps", "[collision][oracle]") {
  RandomShapes random(41);
  for (int i = 0; i < 200; ++i) {
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
      CHECK(std::abs(c.gap - height) < 1e-14);
      CHECK((c.point_a - poses.a * solid.vertices[v]).norm() < 1e-14);
      CHECK(std::abs(n.dot(c.point_b) - level) < 1e-14);
    }
    CHECK(found == contacts.size());
  }
}

}  // namespace
}  // namespace scree::test
