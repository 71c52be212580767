// Closed forms and continuity of contacts between polyhedra.
#include <catch2/catch.hpp>

#include "tests/collision/pair_fixture.hpp"
#include "tests/support/random_shapes.hpp"

namespace scree::test {
namespace {

using collision::PairContact;

std::vector<std::pair<Feature, Feature>> keys_of(const std::vector<PairContact>& contacts) {
  std::vector<std::pair<Feature, Feature>> keys;
  for (const PairContact& c : contacts) keys.emplace_back(c.feature_a, c.feature_b);
  return keys;
}

FeatureKind kind_of(Feature feature) { return static_cast<FeatureKind>(feature >> 28); }

Quaternion tilt(double x, double y, double z) {
  const Vector3 turn(x, y, z);
  return turn.norm() > 0.0 ? Quaternion(Eigen::AngleAxisd(turn.norm(), turn.normalized())) : Quaternion::Identity();
}

TEST_CASE("Equal boxes stacked flush touch at four pairs of vertices", "[collision][unit]") {
  PairFixture pair(make_box({1.0, 0.5, 0.4}), make_box({1.0, 0.5, 0.4}));
  const std::vector<PairContact> contacts = pair.detect({at(0, 0, 0), at(0, 0, 0.4)}, 1e-3);
  REQUIRE(contacts.size() == 4);
  for (const PairContact& c : contacts) {
    CHECK(kind_of(c.feature_a) == FeatureKind::vertex);
    CHECK(kind_of(c.feature_b) == FeatureKind::vertex);
    CHECK(c.normal == Vector3::UnitZ());
    CHECK(std::abs(c.gap) < 1e-15);  // round-off of 0.4
    CHECK(std::abs(std::abs(c.point_a.x()) - 0.5) < 1e-15);
    CHECK(std::abs(std::abs(c.point_a.y()) - 0.25) < 1e-15);
  }
}

TEST_CASE("Running bond makes four contacts at the ends of the half overlap", "[collision][unit]") {
  PairFixture pair(make_box({1.0, 0.5, 0.4}), make_box({1.0, 0.5, 0.4}));
  const std::vector<PairContact> contacts = pair.detect({at(0, 0, 0), at(0.5, 0, 0.4)}, 1e-3);
  REQUIRE(contacts.size() == 4);
  int vertices_of_a = 0;
  for (const PairContact& c : contacts) {
    CHECK((std::abs(c.point_a.x()) < 1e-15 || std::abs(c.point_a.x() - 0.5) < 1e-15));
    CHECK((kind_of(c.feature_a) == FeatureKind::face) != (kind_of(c.feature_b) == FeatureKind::face));
    vertices_of_a += kind_of(c.feature_a) == FeatureKind::vertex ? 1 : 0;
  }
  CHECK(vertices_of_a == 2);
}

TEST_CASE("A yawed box on a box touches at the corners of the octagon", "[collision][analytic]") {
  const double pi = std::acos(-1.0);
  PairFixture pair(make_box({1.0, 1.0, 1.0}), make_box({1.0, 1.0, 1.0}));
  const std::vector<PairContact> contacts = pair.detect({at(0, 0, 0), at(0, 0, 1.0 + 1e-4, tilt(0, 0, pi / 4))}, 1e-3);
  REQUIRE(contacts.size() == 8);
  for (const PairContact& c : contacts) {
    CHECK(kind_of(c.feature_a) == FeatureKind::edge);
    CHECK(kind_of(c.feature_b) == FeatureKind::edge);
    // Regular octagon about the unit square turned by 45 degrees: corners at (1/2, (sqrt 2 - 1)/2).
    CHECK(std::abs(std::max(std::abs(c.point_a.x()), std::abs(c.point_a.y())) - 0.5) < 1e-12);
    CHECK(std::abs(std::min(std::abs(c.point_a.x()), std::abs(c.point_a.y())) - 0.5 * (std::sqrt(2.0) - 1.0)) < 1e-12);
    CHECK(std::abs(c.gap - 1e-4) < 1e-12);
  }
}

TEST_CASE("Crossed edges touch at one point between them", "[collision][analytic]") {
  // Two square bars, each standing on an edge, one along x below, one along y above.
  const double pi = std::acos(-1.0), r = 0.5 * std::sqrt(2.0);
  const double gap = GENERATE(1e-4, 0.0, -1e-4);
  PairFixture pair(make_box({4.0, 1.0, 1.0}), make_box({1.0, 4.0, 1.0}));
  const std::vector<PairContact> contacts =
      pair.detect({at(0, 0, 0, tilt(pi / 4, 0, 0)), at(0.3, 0.2, 2.0 * r + gap, tilt(0, pi / 4, 0))}, 1e-3);
  REQUIRE(contacts.size() == 1);
  CHECK(kind_of(contacts[0].feature_a) == FeatureKind::edge);
  CHECK(kind_of(contacts[0].feature_b) == FeatureKind::edge);
  CHECK((contacts[0].normal - Vector3::UnitZ()).norm() < 1e-12);
  CHECK(std::abs(contacts[0].gap - gap) < 1e-12);
  CHECK((contacts[0].point_a - Vector3(0.3, 0.0, r)).norm() < 0.2 + 1e-12);
  CHECK(std::abs(contacts[0].point_a.y()) < 1e-12);
  CHECK(std::abs(contacts[0].point_b.x() - 0.3) < 1e-12);
}

TEST_CASE("Resting boxes keep their keys and gaps under noise of round-off", "[collision][property]") {
  RandomShapes random(5);
  const double offset_x = GENERATE(0.0, 0.5, 0.17), offset_y = GENERATE(0.0, 0.1);
  PairFixture pair(make_box({1.0, 0.5, 0.4}), make_box({1.0, 0.5, 0.4}));
  const auto reference = keys_of(pair.detect({at(0, 0, 0), at(offset_x, offset_y, 0.4)}, 1e-3));
  CHECK(reference.size() == 4);
  int changed = 0;
  double worst_gap = 0.0;
  for (int i = 0; i < 2000; ++i) {  // 6 offsets: more than 1e4 in all
    TwoPoses poses{at(0, 0, 0), at(offset_x, offset_y, 0.4)};
    for (Pose* pose : {&poses.a, &poses.b}) {
      pose->x += random.in_cube(1e-12);
      const Vector3 turn = random.in_cube(1e-12);
      pose->q = Quaternion(1.0, turn.x(), turn.y(), turn.z()).normalized();
    }
    const auto& contacts = pair.detect(poses, 1e-3);
    changed += keys_of(contacts) != reference ? 1 : 0;
    for (const PairContact& c : contacts) worst_gap = std::max(worst_gap, std::abs(c.gap));
  }
  CHECK(changed == 0);
  CHECK(worst_gap < 1e-11);  // positions 2e-12, turns 4e-12 over half a metre
}

TEST_CASE("Flush faces keep their manifold while they tilt", "[collision][property]") {
  const double angle = GENERATE(1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3);
  const double offset_x = GENERATE(0.0, 0.5, 0.17), offset_y = GENERATE(0.0, 0.1, -0.2);
  RandomShapes random(7);
  PairFixture pair(make_box({1.0, 0.5, 0.4}), make_box({1.0, 0.5, 0.4}));
  for (int i = 0; i < 50; ++i) {
    const Vector3 turn = angle * random.direction();
    const double sunk = random.uniform(-angle, angle);
    const TwoPoses poses{at(0, 0, 0), at(offset_x, offset_y, 0.4 + sunk, tilt(turn.x(), turn.y(), turn.z()))};
    const auto& contacts = pair.detect(poses, 0.01);
    CAPTURE(angle, turn.transpose(), sunk, offset_x, offset_y);
    REQUIRE(contacts.size() >= 4);
    for (const PairContact& c : contacts) {
      CHECK(c.normal.z() > 1.0 - 1e-5);
      // Each gap is that of the tilted plane over the contact's own place, to second order in the angle.
      const Vector3 arm = c.point_a - poses.b.x;
      const double expected = sunk + turn.x() * arm.y() - turn.y() * arm.x();
      CHECK(std::abs(c.gap - expected) <= 4.0 * angle * angle + 1e-14);
    }
  }
}

TEST_CASE("A corner over a face gives the vertex and the height", "[collision][analytic]") {
  const Quaternion q(Eigen::AngleAxisd(0.6, Vector3(1.0, 2.0, 0.5).normalized()));
  const ConvexPolyhedron box = make_box({0.4, 0.4, 0.4});
  double lowest = 1.0;
  for (const Vector3& v : box.vertices) lowest = std::min(lowest, (q * v).z());
  const double gap = GENERATE(1e-4, -1e-4);
  PairFixture pair(make_box({2.0, 2.0, 1.0}), box);
  const auto& contacts = pair.detect({at(0, 0, 0), at(0.1, 0.1, 0.5 - lowest + gap, q)}, 1e-3);
  REQUIRE(contacts.size() == 1);
  CHECK(kind_of(contacts[0].feature_a) == FeatureKind::face);
  CHECK(kind_of(contacts[0].feature_b) == FeatureKind::vertex);
  CHECK(std::abs(contacts[0].gap - gap) < 1e-14);
}

TEST_CASE("A long bar across another keeps both faces and no other contact", "[collision][unit]") {
  PairFixture pair(make_box({4.0, 0.5, 0.5}), make_box({0.5, 4.0, 0.5}));
  const auto& contacts = pair.detect({at(0, 0, 0), at(0.2, 0.1, 0.5)}, 1e-3);
  REQUIRE(contacts.size() == 4);  // proper crossings only
  for (const PairContact& c : contacts) {
    CHECK(kind_of(c.feature_a) == FeatureKind::edge);
    CHECK(kind_of(c.feature_b) == FeatureKind::edge);
  }
}

TEST_CASE("Pairs far from the origin give the same contacts to the rounding of positions", "[collision][property]") {
  RandomShapes random(11);
  const Vector3 far(2.6e6, 1.2e6, 500.0);
  const double ulp = 4.7e-10;  // spacing of doubles at 2.6e6
  int compared = 0;
  for (int i = 0; i < 500; ++i) {
    const Shape a = random.polyhedron(), b = random.polyhedron();
    TwoPoses near{at(0, 0, 0, random.rotation()), at(0, 0, 0, random.rotation())};
    near.b.x = random.direction() * random.uniform(0.5, 0.8);
    TwoPoses moved = near;
    moved.a.x += far, moved.b.x += far;
    // The pair as the rounded positions have it: what detection can know.
    near.a.x = Vector3::Zero(), near.b.x = moved.b.x - moved.a.x;
    PairFixture one(a, b), other(a, b);
    const std::vector<PairContact> expected = one.detect(near, 0.05);
    const std::vector<PairContact>& found = other.detect(moved, 0.05);
    if (keys_of(expected) != keys_of(found)) continue;  // wider tolerances far away may settle a tie otherwise
    ++compared;
    for (std::size_t c = 0; c < found.size(); ++c) {
      CHECK(std::abs(found[c].gap - expected[c].gap) < 1e-13);
      CHECK((found[c].normal - expected[c].normal).norm() < 1e-13);
      CHECK((found[c].point_b - moved.a.x - expected[c].point_b).norm() < 2.0 * ulp);
    }
  }
  CHECK(compared >= 495);
}

TEST_CASE("Flush blocks far from the origin keep one contact a corner", "[collision][property]") {
  RandomShapes random(13);
  PairFixture pair(make_box({1.0, 0.5, 0.4}), make_box({1.0, 0.5, 0.4}));
  for (int i = 0; i < 200; ++i) {
    const Vector3 shift = Vector3(2.6e6, 1.2e6, 500.0) + random.in_cube(1.0);
    TwoPoses poses{at(0, 0, 0), at(0.5, 0, 0.4)};
    poses.a.x += shift, poses.b.x += shift;
    CHECK(pair.detect(poses, 1e-3).size() == 4);
  }
}

}  // namespace
}  // namespace scree::test
