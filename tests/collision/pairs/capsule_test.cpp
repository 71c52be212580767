// Capsules against every kind of shape: distances by brute-force minimisation, depths by moving the
// two apart, and the points at which one rests.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "collision/pairs/pair_table.hpp"
#include "tests/collision/pairs/pair_fixture.hpp"
#include "tests/support/brute_force_sat.hpp"
#include "tests/support/random_shapes.hpp"

namespace scree::test::capsule_test {
namespace {

using collision::PairContact;

// Smallest value of a convex function on [0, 1].
double least(const std::function<double(double)>& f) {
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
    (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
  }
  return f(0.5 * (low + high));
}

// Distance of a point from a triangle: in its plane if the foot is inside, else from its sides.
double from_triangle(const Vector3& x, const Vector3& a, const Vector3& b, const Vector3& c) {
  const Vector3 n = (b - a).cross(c - a).normalized();
  const Vector3 foot = x - n.dot(x - a) * n;
  const bool inside = n.dot((b - a).cross(foot - a)) >= 0.0 &&
                      n.dot((c - b).cross(foot - b)) >= 0.0 &&
                      n.dot((a - c).cross(foot - c)) >= 0.0;
  if (inside) return std::abs(n.dot(x - a));
  const auto from_side = [&](const Vector3& p, const Vector3& q) {
    const double t = (q - p).dot(x - p) / (q - p).squaredNorm();
    return (p + std::clamp(t, 0.0, 1.0) * (q - p) - x).norm();
  };
  return std::min({from_side(a, b), from_side(b, c), from_side(c, a)});
}

// Distance of a point from a solid; 0 inside.
double from_solid(const ConvexPolyhedron& solid, const Pose& pose, const Vector3& point) {
  if (height_over_surface(solid, pose, point) <= 0.0) return 0.0;
  const Vector3 x = pose.q.conjugate() * (point - pose.x);
  double distance = std::numeric_limits<double>::infinity();
  for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
    const auto loop = solid.face(f);
    const auto corner = [&](std::size_t i) {
      return solid.vertices[static_cast<std::size_t>(loop[i])];
    };
    if (solid.face_normal[static_cast<std::size_t>(f)].dot(x) <
        solid.face_offset[static_cast<std::size_t>(f)])
      continue;
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
      distance = std::min(distance, from_triangle(x, corner(0), corner(i), corner(i + 1)));
  }
  return distance;
}

Vector3 on_core(const Capsule& capsule, const Pose& pose, double t) {
  return pose.q * (capsule.ends[0] + t * (capsule.ends[1] - capsule.ends[0])) + pose.x;
}

Capsule random_capsule(RandomShapes& random) {
  const double lengths[2] = {random.uniform(0.05, 0.3), random.uniform(0.2, 1.0)};
  return Capsule::drawn(lengths);
}

// The smallest gap is that of brute force, witness points lie on the capsule, and no contact says
// less than the smallest.
void check_gap(const std::vector<PairContact>& contacts, const Capsule& capsule, const Pose& pose,
               bool capsule_is_a, double expected) {
  REQUIRE(!contacts.empty());
  REQUIRE(std::abs(smallest_gap(contacts) - expected) < 1e-8);  // of a search to 1e-9
  for (const PairContact& c : contacts) {
    REQUIRE(std::abs(c.normal.norm() - 1.0) < 1e-12);
    REQUIRE((c.point_a + c.gap * c.normal - c.point_b).norm() < 1e-12);
    // A ball at an end that is not the nearest may look into the capsule.
    if (c.gap > expected + 1e-8) continue;
    const Vector3& point = capsule_is_a ? c.point_a : c.point_b;
    const double core = least([&](double t) { return (on_core(capsule, pose, t) - point).norm(); });
    REQUIRE(std::abs(core - capsule.radius) < 1e-8);
  }
}

}  // namespace

TEST_CASE("Capsule has the volume, centre and inertia of its slices", "[collision][oracle]") {
  RandomShapes random(71);
  for (int i = 0; i < 20; ++i) {
    const Capsule capsule = random_capsule(random);
    const double r = capsule.radius, L = capsule.length(), top = 0.5 * L + r;
    // Slices across the axis; the integrands are polynomials of z on three stretches.
    double volume = 0.0, along = 0.0, across = 0.0;
    for (const auto& [low, high] :
         {std::pair(-top, -0.5 * L), {-0.5 * L, 0.5 * L}, {0.5 * L, top}}) {
      const int n = 200;  // Simpson: errors of 1e-10 for polynomials of the sixth degree
      for (int k = 0; k <= n; ++k) {
        const double z = low + (high - low) * k / n, weight = (high - low) / n / 3.0 *
                                                              (k == 0 || k == n ? 1.0
                                                               : k % 2          ? 4.0
                                                                                : 2.0);
        const double beyond = std::max(std::abs(z) - 0.5 * L, 0.0), rr = r * r - beyond * beyond;
        volume += weight * std::numbers::pi * rr;
        along += weight * std::numbers::pi * 0.5 * rr * rr;
        across += weight * std::numbers::pi * (0.25 * rr * rr + rr * z * z);
      }
    }
    const MassProperties drawn = mass_properties(capsule);
    CHECK(drawn.volume == Approx(volume).epsilon(1e-9));
    CHECK(drawn.inertia(2, 2) == Approx(along).epsilon(1e-8));
    CHECK(drawn.inertia(0, 0) == Approx(across).epsilon(1e-8));
    const Pose pose = at(0.3, -0.2, 0.7, random.rotation());
    const MassProperties moved = mass_properties(to_axes(capsule, pose));
    const Matrix3 R = pose.q.toRotationMatrix();
    CHECK((moved.inertia - R.transpose() * drawn.inertia * R).norm() < 1e-13);
    CHECK((moved.centre - R.transpose() * (drawn.centre - pose.x)).norm() < 1e-14);
  }
}

TEST_CASE("Capsules touch spheres, capsules, planes and points where brute force says",
          "[collision][oracle]") {
  RandomShapes random(72);
  for (int i = 0; i < 1000; ++i) {
    const Capsule one = random_capsule(random), other = random_capsule(random);
    const TwoPoses poses{at(1, 2, 3, random.rotation()), at(0, 0, 0, random.rotation())};
    TwoPoses placed = poses;
    placed.b.x = poses.a.x + random.direction() * random.uniform(0.3, 2.0);
    const auto core = [&](double t) { return on_core(one, placed.a, t); };

    const Sphere ball{random.uniform(0.05, 0.5), random.in_cube(0.2)};
    const Vector3 centre = placed.b.q * ball.centre + placed.b.x;
    check_gap(
        PairFixture(one, ball).detect(placed, 10.0), one, placed.a, true,
        least([&](double t) { return (core(t) - centre).norm(); }) - one.radius - ball.radius);

    const double between = least([&](double t) {
      return least([&](double s) { return (core(t) - on_core(other, placed.b, s)).norm(); });
    });
    // Cores that cross have no gap to speak of.
    if (between > 1e-3) {
      const auto contacts = PairFixture(one, other).detect(placed, 10.0);
      check_gap(contacts, one, placed.a, true, between - one.radius - other.radius);
      check_gap(contacts, other, placed.b, false, between - one.radius - other.radius);
    }

    const Vector3 n = placed.b.q * Vector3::UnitZ();
    const double low = std::min(n.dot(core(0.0) - placed.b.x), n.dot(core(1.0) - placed.b.x));
    check_gap(PairFixture(one, HalfSpace{}).detect(placed, 10.0), one, placed.a, true,
              low - one.radius);

    const Vector3 dot = random.in_cube(0.2), point = placed.b.q * dot + placed.b.x;
    check_gap(PairFixture(one, PointSet{{dot}}).detect(placed, 10.0), one, placed.a, true,
              least([&](double t) { return (core(t) - point).norm(); }) - one.radius);

    // Inside a round vessel the farthest point of the core from the axis is an end.
    CylinderWall wall;
    wall.radius = 5.0;
    const auto from_axis = [&](double t) {
      const Vector3 arm = core(t) - placed.b.x;
      return (arm - arm.dot(n) * n).norm();
    };
    double far = 0.0;
    for (int k = 0; k <= 100; ++k) far = std::max(far, from_axis(0.01 * k));
    check_gap(PairFixture(one, wall).detect(placed, 10.0), one, placed.a, true,
              wall.radius - far - one.radius);
  }
}

TEST_CASE("Capsules touch polyhedra where brute force says", "[collision][oracle]") {
  RandomShapes random(73);
  int apart = 0, sunk = 0, whole = 0;
  for (int i = 0; i < 1500; ++i) {
    const Capsule capsule = random_capsule(random);
    const ConvexPolyhedron solid = random.polyhedron();
    const TwoPoses poses{at(1, 2, 3, random.rotation()), at(1, 2, 3, random.rotation())};
    TwoPoses placed = poses;
    placed.a.x += random.direction() * random.uniform(0.0, 1.5);
    const auto contacts = PairFixture(capsule, solid).detect(placed, 10.0);
    const auto distance = [&](const Pose& pose) {
      return least(
          [&](double t) { return from_solid(solid, placed.b, on_core(capsule, pose, t)); });
    };
    const double core = distance(placed.a);
    if (core > 1e-6) {
      ++apart;
      check_gap(contacts, capsule, placed.a, true, core - capsule.radius);
      for (const PairContact& c : contacts)
        REQUIRE(std::abs(height_over_surface(solid, placed.b, c.point_b)) < 1e-12);
      continue;
    }
    if (core > 0.0) continue;
    // The core is in the solid. Moved out by the depth, one that is in it as a whole just touches;
    // moved less, in any direction, the two still overlap.
    ++sunk;
    REQUIRE(!contacts.empty());
    const auto deepest =
        std::min_element(contacts.begin(), contacts.end(),
                         [](const auto& a, const auto& b) { return a.gap < b.gap; });
    const double depth = -deepest->gap;
    Pose moved = placed.a;
    moved.x -= depth * deepest->normal;
    // A core that leaves the solid is held by the part that is in it.
    const bool within = height_over_surface(solid, placed.b, on_core(capsule, placed.a, 0.0)) < 0 &&
                        height_over_surface(solid, placed.b, on_core(capsule, placed.a, 1.0)) < 0;
    whole += within ? 1 : 0;
    if (within) REQUIRE(std::abs(distance(moved) - capsule.radius) < 1e-8);
    REQUIRE(distance(moved) < capsule.radius + 1e-8);
    for (int k = 0; k < 5; ++k) {
      moved.x = placed.a.x + 0.999 * depth * random.direction();
      REQUIRE(distance(moved) < capsule.radius);
    }
  }
  CHECK(apart > 300);
  CHECK(sunk > 150);
  CHECK(whole > 25);
}

TEST_CASE("Capsule that lies on a box touches at its ends, or where it leaves the face",
          "[collision][analytic]") {
  const double radius = 0.1;
  const Quaternion lying(Eigen::AngleAxisd(std::numbers::pi / 2.0, Vector3::UnitY()));
  for (const double length : {0.6, 2.0}) {
    const double lengths[2] = {radius, length}, tilt = GENERATE(0.0, 1e-9, 1e-4, -1e-3);
    PairFixture pair(Capsule::drawn(lengths), make_box({1.0, 0.8, 0.5}));
    const Quaternion q = Quaternion(Eigen::AngleAxisd(tilt, Vector3::UnitY())) * lying;
    const auto contacts = pair.detect({at(0.0, 0.1, 0.25 + radius, q), at(0, 0, 0)}, 0.01);
    REQUIRE(contacts.size() == 2);
    const double reached = std::min(0.5 * length, 0.5);
    for (const PairContact& c : contacts) {
      CHECK(std::abs(std::abs(c.point_b.x()) - reached) < 2e-3 * radius + 2e-4);
      CHECK(std::abs(c.point_b.y() - 0.1) < 1e-12);
      CHECK(std::abs(c.gap + c.point_b.x() * tilt) < 1e-6 + 1e-3 * std::abs(tilt));
      CHECK((c.normal + Vector3::UnitZ()).norm() < 1.1 * std::abs(tilt) + 1e-12);
    }
    CHECK(contacts[0].point_b.x() * contacts[1].point_b.x() < 0.0);
  }
}

TEST_CASE("Capsules that lie along each other touch at both ends of where they do",
          "[collision][analytic]") {
  const double lengths[2] = {0.1, 1.0};
  PairFixture pair(Capsule::drawn(lengths), Capsule::drawn(lengths));
  const auto contacts = pair.detect({at(0, 0, 0), at(0.2, 0.0, 0.3)}, 0.01);
  REQUIRE(contacts.size() == 2);
  for (const PairContact& c : contacts) {
    CHECK(std::abs(c.gap) < 1e-15);
    CHECK((c.normal - Vector3::UnitX()).norm() < 1e-15);
  }
  CHECK(std::abs(contacts[0].point_a.z() - contacts[1].point_a.z()) == Approx(0.7));
}

TEST_CASE("Pair of kinds that the table lacks is refused if one of them can move",
          "[collision][unit]") {
  using namespace collision;
  constexpr PairTable few = make_pair_table<PairList<Pair<Sphere, Sphere, sphere_sphere>>>();
  Model model;
  BodyDefinition ball, floor;
  ball.name = "ball", ball.density = 1.0, ball.shape = Sphere{1.0};
  floor.name = "floor", floor.kind = BodyKind::fixed, floor.shape = HalfSpace{};
  add_body(model, floor);
  CHECK(!missing_pair(model, few));
  add_body(model, ball);
  REQUIRE(missing_pair(model, few));
  CHECK(std::string(missing_pair(model, few)->first) == "sphere");
  CHECK(std::string(missing_pair(model, few)->second) == "half_space");
  CHECK(!missing_pair(model));
}

}  // namespace scree::test::capsule_test
