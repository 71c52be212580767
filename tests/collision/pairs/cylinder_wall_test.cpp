// The inside of a cylinder against closed forms and brute force.
#include <catch2/catch.hpp>

#include <cmath>

#include "tests/collision/pairs/pair_fixture.hpp"
#include "tests/collision/small_world.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"

namespace scree::test::cylinder_wall_test {
namespace {

using collision::PairContact;

// Distance of a world point from the axis of a wall placed at `pose`.
double from_axis(const CylinderWall& wall, const Pose& pose, const Vector3& point) {
  const Vector3 axis = pose.q * wall.axis, arm = point - pose * wall.point;
  return arm.cross(axis).norm();
}

CylinderWall random_wall(RandomShapes& random) {
  CylinderWall wall;
  wall.point = random.in_cube(0.5);
  wall.axis = random.direction();
  wall.radius = random.uniform(1.5, 3.0);
  return wall;
}

TEST_CASE("A sphere inside a cylinder touches along the outward radius", "[collision][oracle]") {
  RandomShapes random(71);
  double worst = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const CylinderWall wall = random_wall(random);
    TwoPoses poses{at(0, 0, 0, random.rotation()), at(1, 2, 3, random.rotation())};
    poses.a.x = poses.b * (wall.point + random.in_cube(1.0));
    PairFixture pair(Sphere{0.2}, wall), mirrored(wall, Sphere{0.2});
    const std::vector<PairContact> one = pair.detect(poses, 10.0),
                                   two = mirrored.detect({poses.b, poses.a}, 10.0);
    REQUIRE(one.size() == 1);
    REQUIRE(two.size() == 1);
    const PairContact& c = one[0];
    worst = std::max(worst,
                     std::abs(c.gap - (wall.radius - from_axis(wall, poses.b, poses.a.x) - 0.2)));
    CHECK(std::abs(from_axis(wall, poses.b, c.point_b) - wall.radius) < 1e-13);
    CHECK((c.point_b - c.point_a - c.gap * c.normal).norm() < 1e-13);
    // round-off of the way from the axis, over its length
    CHECK(std::abs(c.normal.dot(poses.b.q * wall.axis)) * from_axis(wall, poses.b, poses.a.x) <
          1e-14);
    CHECK((two[0].normal + c.normal).norm() < 1e-14);
    CHECK(std::abs(two[0].gap - c.gap) < 1e-14);
    CHECK((two[0].point_a - c.point_b).norm() < 1e-13);
  }
  CHECK(
      validated({"Properties over random cases", "10000 spheres in cylinders: error of the gap [m]",
                 0.0, worst, 1e-13, false, "distance from the axis"}));
}

TEST_CASE("A polyhedron inside a cylinder touches with its vertices and no other point is nearer",
          "[collision][property]") {
  RandomShapes random(72);
  for (int i = 0; i < 200; ++i) {
    const CylinderWall wall = random_wall(random);
    const ConvexPolyhedron solid = random.polyhedron();
    TwoPoses poses{at(0, 0, 0, random.rotation()), at(-1, 0, 2, random.rotation())};
    poses.a.x = poses.b * (wall.point + random.in_cube(1.0));
    PairFixture pair(solid, wall);
    const auto& contacts = pair.detect(poses, 10.0);
    REQUIRE(contacts.size() == solid.vertices.size());
    double smallest = 1e9;
    for (std::size_t v = 0; v < contacts.size(); ++v) {
      CHECK(contacts[v].feature_a ==
            make_feature(FeatureKind::vertex, static_cast<std::int32_t>(v)));
      CHECK(std::abs(contacts[v].gap -
                     (wall.radius - from_axis(wall, poses.b, poses.a * solid.vertices[v]))) <
            1e-13);
      smallest = std::min(smallest, contacts[v].gap);
    }
    // Any convex combination of vertices is farther from the wall than the nearest vertex.
    for (int k = 0; k < 20; ++k) {
      const auto pick = [&] {
        return solid.vertices[static_cast<std::size_t>(
            random.integer(0, static_cast<int>(solid.vertices.size()) - 1))];
      };
      const double s = random.uniform(0.0, 1.0);
      const Vector3 inside = s * pick() + (1.0 - s) * pick();
      CHECK(wall.radius - from_axis(wall, poses.b, poses.a * inside) > smallest - 1e-13);
    }
    CHECK(pair.detect(poses, smallest - 1e-9).empty());
  }
}

TEST_CASE("A cylinder wall with ends keeps in what is between them and inside",
          "[collision][unit]") {
  CylinderWall wall;
  wall.radius = 1.0, wall.bottom = 0.0, wall.top = 2.0;
  PairFixture ball(Sphere{0.3}, wall), box(make_box({0.4, 0.4, 0.4}), wall);
  CHECK(std::abs(smallest_gap(ball.detect({at(0.65, 0, 1), at(0, 0, 0)}, 0.1)) - 0.05) < 1e-15);
  CHECK(ball.detect({at(0.65, 0, -0.35), at(0, 0, 0)}, 0.01).empty());  // below the rim
  CHECK(ball.detect({at(1.2, 0, 1), at(0, 0, 0)}, 0.1).empty());        // outside of the shell
  // On its way under the rim: nearest is the rim itself, 0.3 away from the centre at a height of
  // -0.18, 0.24 inside.
  const auto& rim = ball.detect({at(0.76, 0, -0.18), at(0, 0, 0)}, 0.1);
  REQUIRE(rim.size() == 1);
  CHECK(std::abs(rim[0].gap) < 1e-15);
  CHECK((rim[0].point_b - Vector3(1, 0, 0)).norm() < 1e-15);
  CHECK((rim[0].normal - Vector3(0.8, 0, 0.6)).norm() < 1e-14);
  CHECK(box.detect({at(0.75, 0, 0.1), at(0, 0, 0)}, 0.2).size() ==
        2);  // the two upper vertices of one side
  CHECK(box.detect({at(0.75, 0, 1), at(0, 0, 0)}, 0.2).size() == 4);
}

TEST_CASE("A body on the axis of a cylinder has a defined contact", "[collision][unit]") {
  CylinderWall wall;
  wall.radius = 1.0;
  PairFixture pair(Sphere{0.3}, wall);
  const auto& contacts = pair.detect({at(0, 0, 5), at(0, 0, 0)}, 1.0);
  REQUIRE(contacts.size() == 1);
  CHECK(contacts[0].gap == 0.7);
  CHECK(contacts[0].normal.norm() == 1.0);
}

TEST_CASE("Detection finds every contact with cylinder walls that brute force finds",
          "[collision][oracle]") {
  RandomShapes random(73);
  for (int round = 0; round < 20; ++round) {
    SmallWorld world;
    const CylinderWall wall = random_wall(random);
    world.add(wall, at(0.3, 0.1, 0.2, random.rotation()), BodyKind::fixed);
    for (int i = 0; i < 60; ++i) {
      Pose pose;
      pose.x = random.in_cube(1.8);
      pose.q = random.rotation();
      i % 3 == 0 ? world.add(Sphere{random.uniform(0.05, 0.3)}, pose)
                 : world.add(random.polyhedron(), pose);
    }
    collision::Detector detector;
    const ContactSet contacts = world.detect(detector);
    std::size_t found = 0, expected = 0;
    for (const ContactKey& key : contacts.key) found += key.body_a == 0 ? 1U : 0U;
    for (std::size_t b = 1; b < world.x.size(); ++b) {
      const Shape& shape = world.model.shapes[static_cast<std::size_t>(world.model.part_shape[b])];
      const Pose wall_pose{world.x[0], world.q[0]}, pose{world.x[b], world.q[b]};
      const double reach = world.reach[0] + world.reach[b];
      if (const auto* sphere = std::get_if<Sphere>(&shape)) {
        expected +=
            wall.radius - from_axis(wall, wall_pose, pose * sphere->centre) - sphere->radius <=
                    reach
                ? 1U
                : 0U;
      } else {
        for (const Vector3& v : std::get<ConvexPolyhedron>(shape).vertices) {
          expected += wall.radius - from_axis(wall, wall_pose, pose * v) <= reach ? 1U : 0U;
        }
      }
    }
    CHECK(found == expected);
    CHECK(expected > 0);
  }
}

}  // namespace
}  // namespace scree::test::cylinder_wall_test
