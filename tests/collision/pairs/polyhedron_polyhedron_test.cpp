// Closed forms and continuity of contacts between polyhedra.
#include <catch2/catch.hpp>

#include "tests/collision/pairs/pair_fixture.hpp"
#include "tests/support/brute_force_sat.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"

namespace scree::test::polyhedron_polyhedron_test {
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
  return turn.norm() > 0.0 ? Quaternion(Eigen::AngleAxisd(turn.norm(), turn.normalized()))
                           : Quaternion::Identity();
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
    CHECK((kind_of(c.feature_a) == FeatureKind::face) !=
          (kind_of(c.feature_b) == FeatureKind::face));
    vertices_of_a += kind_of(c.feature_a) == FeatureKind::vertex ? 1 : 0;
  }
  CHECK(vertices_of_a == 2);
}

TEST_CASE("A yawed box on a box touches at the corners of the octagon", "[collision][analytic]") {
  const double pi = std::acos(-1.0);
  PairFixture pair(make_box({1.0, 1.0, 1.0}), make_box({1.0, 1.0, 1.0}));
  const std::vector<PairContact> contacts =
      pair.detect({at(0, 0, 0), at(0, 0, 1.0 + 1e-4, tilt(0, 0, pi / 4))}, 1e-3);
  REQUIRE(contacts.size() == 8);
  for (const PairContact& c : contacts) {
    CHECK(kind_of(c.feature_a) == FeatureKind::edge);
    CHECK(kind_of(c.feature_b) == FeatureKind::edge);
    // Regular octagon about the unit square turned by 45 degrees: corners at (1/2, (sqrt 2 - 1)/2).
    CHECK(std::abs(std::max(std::abs(c.point_a.x()), std::abs(c.point_a.y())) - 0.5) < 1e-12);
    CHECK(std::abs(std::min(std::abs(c.point_a.x()), std::abs(c.point_a.y())) -
                   0.5 * (std::sqrt(2.0) - 1.0)) < 1e-12);
    CHECK(std::abs(c.gap - 1e-4) < 1e-12);
  }
}

TEST_CASE("Crossed edges touch at one point between them", "[collision][analytic]") {
  // Two square bars, each standing on an edge, one along x below, one along y above.
  const double pi = std::acos(-1.0), r = 0.5 * std::sqrt(2.0);
  const double gap = GENERATE(1e-4, 0.0, -1e-4);
  PairFixture pair(make_box({4.0, 1.0, 1.0}), make_box({1.0, 4.0, 1.0}));
  const std::vector<PairContact> contacts = pair.detect(
      {at(0, 0, 0, tilt(pi / 4, 0, 0)), at(0.3, 0.2, 2.0 * r + gap, tilt(0, pi / 4, 0))}, 1e-3);
  REQUIRE(contacts.size() == 1);
  CHECK(kind_of(contacts[0].feature_a) == FeatureKind::edge);
  CHECK(kind_of(contacts[0].feature_b) == FeatureKind::edge);
  CHECK((contacts[0].normal - Vector3::UnitZ()).norm() < 1e-12);
  CHECK(std::abs(contacts[0].gap - gap) < 1e-12);
  CHECK((contacts[0].point_a - Vector3(0.3, 0.0, r)).norm() < 0.2 + 1e-12);
  CHECK(std::abs(contacts[0].point_a.y()) < 1e-12);
  CHECK(std::abs(contacts[0].point_b.x() - 0.3) < 1e-12);
}

TEST_CASE("Resting boxes keep their keys and gaps under noise of round-off",
          "[collision][property]") {
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
    const TwoPoses poses{at(0, 0, 0),
                         at(offset_x, offset_y, 0.4 + sunk, tilt(turn.x(), turn.y(), turn.z()))};
    const auto& contacts = pair.detect(poses, 0.01);
    CAPTURE(angle, turn.transpose(), sunk, offset_x, offset_y);
    REQUIRE(contacts.size() >= 4);
    for (const PairContact& c : contacts) {
      CHECK(c.normal.z() > 1.0 - 1e-5);
      // Each gap is that of the tilted plane over the contact's own place, to second order in the
      // angle.
      const Vector3 arm = c.point_a - poses.b.x;
      const double expected = sunk + turn.x() * arm.y() - turn.y() * arm.x();
      CHECK(std::abs(c.gap - expected) <= 4.0 * angle * angle + 1e-14);
    }
  }
}

// Corners of the rectangle of sides 1 and 0.5 about the origin, cut by the one of the same sides at
// `offset`, turned by `yaw`; by cutting with one half-plane after the other.
std::vector<Eigen::Vector2d> overlap_of_rectangles(const Eigen::Vector2d& offset, double yaw) {
  const Eigen::Rotation2Dd turn(yaw);
  const Eigen::Vector2d half(0.5, 0.25);
  std::vector<Eigen::Vector2d> polygon;
  for (const auto& [x, y] : {std::pair{1.0, 1.0}, {-1.0, 1.0}, {-1.0, -1.0}, {1.0, -1.0}})
    polygon.push_back(offset + turn * half.cwiseProduct(Eigen::Vector2d(x, y)));
  for (const auto& [x, y] : {std::pair{1.0, 0.0}, {-1.0, 0.0}, {0.0, 1.0}, {0.0, -1.0}}) {
    const Eigen::Vector2d n(x, y);
    const double level = n.cwiseAbs().dot(half);
    std::vector<Eigen::Vector2d> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Eigen::Vector2d a = polygon[i], b = polygon[(i + 1) % polygon.size()];
      const double above_a = n.dot(a) - level, above_b = n.dot(b) - level;
      if (above_a <= 0.0) kept.push_back(a);
      if ((above_a < 0.0 && above_b > 0.0) || (above_a > 0.0 && above_b < 0.0))
        kept.push_back(a + above_a / (above_a - above_b) * (b - a));
    }
    polygon = kept;
  }
  return polygon;
}

// Distance of a point from a convex polygon whose corners go round anticlockwise; 0 within.
double distance_from(const std::vector<Eigen::Vector2d>& polygon, const Eigen::Vector2d& point) {
  double nearest = std::numeric_limits<double>::infinity();
  bool inside = polygon.size() > 2;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Eigen::Vector2d a = polygon[i], way = polygon[(i + 1) % polygon.size()] - a,
                          to = point - a;
    const double share =
        way.squaredNorm() > 0.0 ? std::clamp(to.dot(way) / way.squaredNorm(), 0.0, 1.0) : 0.0;
    nearest = std::min(nearest, (to - share * way).norm());
    inside = inside && way.x() * to.y() - way.y() * to.x() >= 0.0;
  }
  return inside ? 0.0 : nearest;
}

std::vector<Eigen::Vector2d> convex_hull(std::vector<Eigen::Vector2d> points) {
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
    return std::pair(a.x(), a.y()) < std::pair(b.x(), b.y());
  });
  std::vector<Eigen::Vector2d> hull;
  for (const bool upper : {false, true}) {
    const std::size_t start = hull.size();
    for (const Eigen::Vector2d& p : points) {
      while (hull.size() >= start + 2) {
        const Eigen::Vector2d along = hull.back() - hull[hull.size() - 2], to = p - hull.back();
        if (along.x() * to.y() - along.y() * to.x() > 0.0) break;
        hull.pop_back();
      }
      hull.push_back(p);
    }
    hull.pop_back();
    if (!upper) std::reverse(points.begin(), points.end());
  }
  return hull.empty() ? points : hull;
}

// Whether some pair of edges parts the two more, or overlaps less, than any face does.
bool edges_decide(const ConvexPolyhedron& shape, const TwoPoses& poses) {
  const Solid a = moved_solid(shape, poses.a), b = moved_solid(shape, poses.b);
  double faces = -std::numeric_limits<double>::infinity();
  for (const Vector3& n : a.normals) faces = std::max(faces, projected_separation(a, b, n));
  for (const Vector3& n : b.normals) faces = std::max(faces, projected_separation(a, b, -n));
  return brute_force_separation(a, b) > faces + 1e-9;
}

TEST_CASE("Offset and yawed faces bear on the polygon of their overlap while they tilt",
          "[collision][oracle]") {
  // The contacts of tilted faces span the polygon in which the flush ones overlap, moved by the
  // order of the tilt: neither does a contact lie off it, nor a corner of it off the contacts.
  // (Where edges lie on each other, a yaw of the tilt's size adds crossings anywhere along them;
  // they do not change what the contacts span.) One exception, and brute force says when: where the
  // faces overlap in a corner only, a pair of edges may part the two more than any face does, and
  // that is what a contact has to give.
  RandomShapes random(17);
  double off = 0.0, short_of = 0.0, gap = 0.0;
  int pairs = 0, by_edges = 0;
  for (const double yaw : {0.0, 0.05, 0.3, 0.785, 1.2, 2.5}) {
    for (const double offset_x : {0.0, 0.17, 0.5, -0.83}) {
      for (const double offset_y : {0.0, 0.1, -0.31}) {
        const std::vector<Eigen::Vector2d> overlap =
            overlap_of_rectangles({offset_x, offset_y}, yaw);
        if (overlap.size() < 3) continue;
        const ConvexPolyhedron pair_shape = make_box({1.0, 0.5, 0.4});
        PairFixture pair(pair_shape, pair_shape);
        for (int i = 0; i < 8; ++i) {
          const Vector3 axis = random.direction();
          for (double angle = 1e-9; angle < 1.1e-3; angle *= 10.0) {
            const Vector3 turn = angle * axis;
            const TwoPoses poses{at(0, 0, 0),
                                 at(offset_x, offset_y, 0.4,
                                    tilt(turn.x(), turn.y(), turn.z()) * tilt(0.0, 0.0, yaw))};
            std::vector<Eigen::Vector2d> places;
            for (const PairContact& c : pair.detect(poses, 0.01)) {
              places.push_back(c.point_a.head<2>());
              off = std::max(off, distance_from(overlap, places.back()) / angle);
              const Vector3 arm = c.point_a - poses.b.x;
              gap = std::max(gap,
                             (std::abs(c.gap - (turn.x() * arm.y() - turn.y() * arm.x())) - 1e-15) /
                                 (angle * angle));
            }
            ++pairs;
            if (places.size() < 3 && edges_decide(pair_shape, poses)) {
              ++by_edges;
              continue;
            }
            const std::vector<Eigen::Vector2d> hull = convex_hull(places);
            for (const Eigen::Vector2d& corner : overlap)
              short_of = std::max(short_of, distance_from(hull, corner) / angle);
          }
        }
      }
    }
  }
  const char *section = "Geometry", *source = "rectangles cut by hand";
  const std::string name = "faces offset and yawed, tilted by 1e-9 to 1e-3 rad: ";
  // a corner of the tilted face is 0.6 m from the centre about which it turns; crossings move a
  // little farther
  CHECK(validated(
      {section, name + "contacts off the overlap / tilt [m]", 0.0, off, 1.0, false, source}));
  CHECK(validated({section, name + "corners of the overlap off what the contacts span / tilt [m]",
                   0.0, short_of, 1.0, false, source}));
  CHECK(validated({section, name + "error of the gaps / tilt^2 [m]", 0.0, gap, 1.0, false,
                   "height of the plane of the tilted face"}));
  CHECK(pairs > 3900);
  CHECK(by_edges < pairs / 500);
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

TEST_CASE("Pairs far from the origin give the same contacts to the rounding of positions",
          "[collision][property]") {
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
    if (keys_of(expected) != keys_of(found))
      continue;  // wider tolerances far away may settle a tie otherwise
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
}  // namespace scree::test::polyhedron_polyhedron_test
