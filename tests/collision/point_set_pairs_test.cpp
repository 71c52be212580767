// Contacts of point sets: every point by itself.
#include <catch2/catch.hpp>

#include "tests/collision/pair_fixture.hpp"

namespace scree::test {
namespace {

using collision::PairContact;

const PointSet three_points{{Vector3(0.0, 0.0, -0.5), Vector3(1.0, 0.0, -0.5), Vector3(0.0, 1.0, 0.5)}};

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

TEST_CASE("Point sets do not touch each other", "[collision][unit]") {
  PairFixture pair(three_points, three_points);
  CHECK(pair.detect({at(0, 0, 0), at(0, 0, 0)}, 1.0).empty());
}

}  // namespace
}  // namespace scree::test
