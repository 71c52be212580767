// Edges that lie along each other: both ends of what they have in common, at any small angle and
// offset, with normals and gaps that change steadily.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "tests/collision/pairs/pair_fixture.hpp"

namespace scree::test::shared_edge_test {
namespace {

using collision::PairContact;

// A sharp edge along x at height 0, of the given slopes to its left (y < 0) and right, below it or
// (up = -1) above it.
struct Ridge {
  double length, left, right, up;

  ConvexPolyhedron solid() const {
    std::vector<Vector3> corners;
    for (const double x : {-0.5 * length, 0.5 * length}) {
      corners.emplace_back(x, 0.0, 0.0);
      corners.emplace_back(x, -1.0 / left, -up);
      corners.emplace_back(x, 1.0 / right, -up);
    }
    return make_convex_polyhedron(corners);
  }
};

const Ridge lower{1.0, 2.0, 1.0, 1.0}, upper{2.0, 1.5, 0.7, -1.0};

Quaternion turned(double yaw, double tilt = 0.0) {
  return Quaternion(Eigen::AngleAxisd(yaw, Vector3::UnitZ())) *
         Quaternion(Eigen::AngleAxisd(tilt, Vector3::UnitY()));
}

const PairContact& least(const std::vector<PairContact>& contacts) {
  return *std::min_element(
      contacts.begin(), contacts.end(),
      [](const PairContact& one, const PairContact& other) { return one.gap < other.gap; });
}

double angle_between(const Vector3& one, const Vector3& other) {
  return std::atan2(one.cross(other).norm(), one.dot(other));
}

}  // namespace

TEST_CASE("Sharp edges along each other touch at both ends of what they have in common",
          "[collision][analytic]") {
  PairFixture pair(lower.solid(), upper.solid());
  for (const double gap : {1e-4, 0.0, -1e-4}) {
    for (const double yaw : {0.0, 1e-16, -1e-12, 1e-9, -1e-7, 1e-5}) {
      const auto& contacts = pair.detect({at(0, 0, 0), at(0.3, 0, gap, turned(yaw))}, 1e-3);
      CAPTURE(gap, yaw);
      REQUIRE(contacts.size() >= 2);
      double low = 1.0, high = -1.0;
      for (const PairContact& contact : contacts) {
        low = std::min(low, contact.point_a.x()), high = std::max(high, contact.point_a.x());
        // Along the normal, up to what the edges pass each other by: half a metre times the angle
        // and the steepest slope.
        CHECK(contact.gap > std::min(gap, 0.8 * gap) - 2.0 * std::abs(yaw) - 1e-9);
        CHECK(contact.gap < std::max(1.05 * gap, 0.8 * gap) + 2.0 * std::abs(yaw) + 1e-9);
        CHECK(contact.normal.z() > 0.8);
      }
      CHECK(std::abs(low + 0.5) < 1e-4);
      CHECK(std::abs(high - 0.5) < 1e-4);
    }
  }
}

TEST_CASE("Edges that cross turn their normal steadily as they become parallel",
          "[collision][property]") {
  PairFixture pair(lower.solid(), upper.solid());
  for (const double tilt : {0.0, 1e-9, 1e-6}) {
    Vector3 before = Vector3::Zero();
    for (double yaw = 1e-2; yaw > 1e-10; yaw /= 1.1) {
      const auto& contacts =
          pair.detect({at(0, 0, 0), at(0.3, 0.3 * yaw, 1e-7, turned(yaw, tilt))}, 1e-3);
      CAPTURE(tilt, yaw);
      REQUIRE(!contacts.empty());
      // Both edges pass over x = 0: there they are a tenth of a micrometre apart, but for the tilt,
      // and by the cosine of 26 degrees more along normals between those of the faces.
      CHECK(smallest_gap(contacts) < 1.12e-7 + 0.5 * tilt + 1e-9);
      CHECK(smallest_gap(contacts) > -0.9 * tilt);
      const Vector3 normal = contacts[0].normal;
      if (!before.isZero(0.0)) CHECK(angle_between(normal, before) < 0.15);
      before = normal;
    }
  }
}

TEST_CASE("Edges side by side have the gap of the faces and come to their normals",
          "[collision][analytic]") {
  PairFixture pair(lower.solid(), upper.solid());
  // On the right the lower edge lies under the upper's left face of slope 1.5 and the upper one
  // over the lower's right face of slope 1: that one is nearer. On the left 2 and 0.7.
  const Vector3 right = Vector3(0.0, 1.0, 1.0).normalized(),
                left = Vector3(0.0, -0.7, 1.0).normalized();
  for (const double side : {1.0, -1.0}) {
    Vector3 before = Vector3::Zero();
    for (double offset = 1e-9; offset < 1e-3; offset *= 1.1) {
      const auto& contacts = pair.detect({at(0, 0, 0), at(0.3, side * offset, 1e-7)}, 1e-3);
      CAPTURE(side, offset);
      REQUIRE(contacts.size() >= 2);
      const Vector3 r(0.0, side * offset, 1e-7), n = least(contacts).normal;
      const double gap = std::max(right.dot(r) / right.dot(n), left.dot(r) / left.dot(n));
      CHECK(std::abs(smallest_gap(contacts) - gap) < 1e-12);
      if (!before.isZero(0.0)) CHECK(angle_between(n, before) < 0.15);
      before = n;
    }
    CHECK(angle_between(before, side > 0.0 ? right : left) < 1e-9);
  }
}

TEST_CASE("Exchanging bodies mirrors the contacts of a shared edge", "[collision][property]") {
  PairFixture pair(lower.solid(), upper.solid()), mirrored(upper.solid(), lower.solid());
  for (const double yaw : {0.0, 1e-8, 3e-6, 1e-4}) {
    const Pose a = at(0.2, 0, 0), b = at(-0.1, 1e-7, 2e-6, turned(yaw));
    const std::vector<PairContact> one = pair.detect({a, b}, 1e-3),
                                   other = mirrored.detect({b, a}, 1e-3);
    CAPTURE(yaw);
    REQUIRE(!one.empty());
    REQUIRE(one.size() == other.size());
    for (const PairContact& contact : one) {
      const auto twin = std::find_if(other.begin(), other.end(), [&](const PairContact& c) {
        return c.feature_a == contact.feature_b && c.feature_b == contact.feature_a;
      });
      REQUIRE(twin != other.end());
      CHECK((twin->normal + contact.normal).norm() < 1e-12);
      CHECK(std::abs(twin->gap - contact.gap) < 1e-14);
      CHECK((twin->point_a - contact.point_b).norm() < 1e-12);
    }
  }
}

TEST_CASE("Blocks of a pattern that share an edge make no contact there", "[collision][unit]") {
  PairFixture pair(make_box({1.0, 0.5, 0.4}), make_box({1.0, 0.5, 0.4}));
  for (const double drift : {0.0, 1e-12, 1e-9, 1e-6}) {
    for (const double yaw : {0.0, 1e-9, 1e-6})
      CHECK(
          pair.detect({at(0, 0, 0), at(1.0 - drift, 0.1, 0.4 - drift, turned(yaw))}, 1e-3).empty());
  }
}

}  // namespace scree::test::shared_edge_test
