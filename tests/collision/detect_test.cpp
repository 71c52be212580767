// Detection as a whole: pairs, keys, order, threads, caches.
#include <catch2/catch.hpp>

#include <algorithm>

#include "collision/pairs/narrow_phase.hpp"
#include "tests/collision/pairs/pair_fixture.hpp"
#include "tests/collision/small_world.hpp"

namespace scree::test::detect_test {
namespace {

using collision::Detector;

// Every pair of bodies through the narrow phase, without a broad phase.
std::vector<ContactKey> brute_force_keys(const SmallWorld& world) {
  std::vector<ContactKey> keys;
  for (BodyIndex a = 0; a < world.model.n_bodies(); ++a) {
    for (BodyIndex b = a + 1; b < world.model.n_bodies(); ++b) {
      const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
      if (world.active[i] == 0 || world.active[j] == 0) continue;
      if (!world.model.is_dynamic(a) && !world.model.is_dynamic(b)) continue;
      PairFixture pair(world.model.shapes[static_cast<std::size_t>(world.model.part_shape[i])],
                       world.model.shapes[static_cast<std::size_t>(world.model.part_shape[j])]);
      TwoPoses poses;
      poses.a.x = world.x[i], poses.a.q = world.q[i];
      poses.b.x = world.x[j], poses.b.q = world.q[j];
      for (const auto& c : pair.detect(poses, world.reach[i] + world.reach[j])) {
        keys.push_back({a, b, 0, 0, 0, c.feature_a, c.feature_b});
      }
    }
  }
  return keys;
}

TEST_CASE("Detection finds the contacts that trying every pair finds, in order",
          "[collision][oracle]") {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    SmallWorld world = mixed_heap(120, seed);
    for (std::size_t i = 0; i < world.active.size(); i += 7) world.active[i] = 0;
    Detector detector;
    const ContactSet contacts = world.detect(detector);
    CHECK(contacts.size() > 200);
    CHECK(contacts.key == brute_force_keys(world));
    CHECK(std::is_sorted(contacts.key.begin(), contacts.key.end()));
    CHECK(std::adjacent_find(contacts.key.begin(), contacts.key.end()) == contacts.key.end());
    double off = 0.0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      off = std::max(
          off, (contacts.point_b[i] - contacts.point_a[i] - contacts.gap[i] * contacts.normal[i])
                   .norm());
    }
    CHECK(off < 1e-13);  // round-off at distance 3
  }
}

TEST_CASE("Seams of what moves together are no corners of what lies on them", "[collision][unit]") {
  // A plate over the corner where four cells meet: 4 corners of its own, and on cells that may part
  // the 4 crossings of its edges with the seams (each on both cells) and the corner of each cell.
  const auto lay_plate = [](BodyKind kind, double yaw) {
    SmallWorld world;
    for (const double x : {-0.5, 0.5}) {
      for (const double y : {-0.5, 0.5}) {
        Pose pose;
        pose.x = Vector3(x, y, -0.5);
        world.add(make_box({1.0, 1.0, 1.0}), pose, kind);
      }
    }
    Pose pose;
    pose.x = Vector3(0.07, -0.11, 0.05);
    pose.q = Quaternion(Eigen::AngleAxisd(yaw, Vector3::UnitZ()));
    world.add(make_box({0.8, 0.6, 0.1}), pose);
    Detector detector;
    const ContactSet contacts = world.detect(detector);
    std::size_t of_plate = 0, corners = 0;
    for (const ContactKey& key : contacts.key) {
      if (key.body_b != 4) continue;
      ++of_plate;
      corners += key.feature_b >> 28 == static_cast<std::uint32_t>(FeatureKind::vertex) ? 1U : 0U;
    }
    CHECK(corners == 4);
    return of_plate;
  };
  for (const double yaw : {0.0, 0.2, 0.7}) {
    CHECK(lay_plate(BodyKind::fixed, yaw) == 4);
    CHECK(lay_plate(BodyKind::dynamic, yaw) == 16);
  }
}

TEST_CASE("The rim of joined faces keeps its corners", "[collision][unit]") {
  // The plate reaches over the rim of two fixed cells, y = 1: 2 corners of its own, and its sides
  // cross the rim at x = -0.3 and 0.5.
  SmallWorld world;
  for (const double x : {-0.5, 0.5}) {
    Pose pose;
    pose.x = Vector3(x, 0.5, -0.5);
    world.add(make_box({1.0, 1.0, 1.0}), pose, BodyKind::fixed);
  }
  Pose pose;
  pose.x = Vector3(0.1, 0.9, 0.05);
  world.add(make_box({0.8, 0.6, 0.1}), pose);
  Detector detector;
  const ContactSet contacts = world.detect(detector);
  std::vector<double> at_rim;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (contacts.point_b[c].y() > 1.0 - 1e-9) at_rim.push_back(contacts.point_b[c].x());
  }
  std::sort(at_rim.begin(), at_rim.end());
  REQUIRE(at_rim.size() == 2);
  CHECK(std::abs(at_rim.front() + 0.3) < 1e-12);
  CHECK(std::abs(at_rim.back() - 0.5) < 1e-12);
}

TEST_CASE("A block on the rim of joined cells keeps its narrow bearing while it tilts",
          "[collision][property]") {
  // 40 mm of a cube stand on two cells that end in one plane, y = 1. Its normal leans by the tilt,
  // and so the one cell reaches along it beyond what the cube touches on the other.
  for (const double about_rim : {0.0, 1e-8, 1e-6, -1e-6}) {
    for (const double about_y : {0.0, 1e-8, -1e-6, 1e-5}) {
      SmallWorld world;
      for (const double x : {-0.5, 0.5}) {
        Pose pose;
        pose.x = Vector3(x, 0.5, -0.5);
        world.add(make_box({1.0, 1.0, 1.0}), pose, BodyKind::fixed);
      }
      Pose pose;
      pose.q = Quaternion(Eigen::AngleAxisd(about_rim, Vector3::UnitX()) *
                          Eigen::AngleAxisd(about_y, Vector3::UnitY()));
      pose.x = Vector3(0.1, 0.96, 0.0) + pose.q * Vector3(0.0, 0.5, 0.5);
      world.add(make_box({1.0, 1.0, 1.0}), pose);
      Detector detector;
      const ContactSet contacts = world.detect(detector);
      CAPTURE(about_rim, about_y);
      REQUIRE(contacts.size() >= 4);
      for (std::size_t c = 0; c < contacts.size(); ++c) {
        CHECK(contacts.normal[c].z() > 1.0 - 1e-9);
        CHECK(std::abs(contacts.gap[c]) < 1e-5);
      }
    }
  }
}

TEST_CASE("A running bond has four contacts a joint and none between blocks that share an edge",
          "[collision][unit]") {
  const SmallWorld world = running_bond(4, 5);
  Detector detector;
  const ContactSet contacts = world.detect(detector);
  // Ground 5 blocks; head joints 4 x 4; bed joints 3 courses of 9 half overlaps; four contacts
  // each.
  CHECK(contacts.size() == 4 * (5 + 16 + 27));
}

TEST_CASE("Detection gives the same bits for any executor", "[collision][determinism]") {
  const SmallWorld world = mixed_heap(150, 9);
  Detector reference;
  const ContactSet expected = world.detect(reference);
  const Backend backend = GENERATE(Backend::openmp, Backend::tbb);
  const int threads = GENERATE(1, 2, 4);
  Detector detector;
  CHECK(same_contacts(world.detect(detector, Executor(backend, threads)), expected));
  CHECK(same_contacts(world.detect(detector, Executor(backend, threads)), expected));
}

TEST_CASE("A detector may be thrown away between steps", "[collision][determinism]") {
  SmallWorld world = mixed_heap(100, 17);
  RandomShapes random(18);
  Detector kept;
  int differs = 0;
  for (int step = 0; step < 30; ++step) {
    for (std::size_t i = 1; i < world.x.size(); ++i) {
      world.x[i] += random.in_cube(0.02);
      world.q[i] =
          (Quaternion(Eigen::AngleAxisd(0.02, random.direction())) * world.q[i]).normalized();
      if (random.integer(0, 30) == 0) world.active[i] = world.active[i] != 0 ? 0 : 1;
    }
    Detector fresh;
    differs += same_contacts(world.detect(kept), world.detect(fresh)) ? 0 : 1;
  }
  CHECK(differs == 0);
}

TEST_CASE("A detector recognises another model", "[collision][unit]") {
  Detector detector;
  const SmallWorld heap = mixed_heap(60, 3), wall = running_bond(3, 4), other = mixed_heap(60, 4);
  for (const SmallWorld* world : {&heap, &wall, &other, &heap}) {
    Detector fresh;
    CHECK(same_contacts(world->detect(detector), world->detect(fresh)));
  }
}

TEST_CASE("Fixed bodies do not touch each other and inactive bodies nothing", "[collision][unit]") {
  SmallWorld world;
  Pose pose;
  world.add(make_box({1.0, 1.0, 1.0}), pose, BodyKind::fixed);
  pose.x = Vector3(0.0, 0.0, 0.9);
  world.add(make_box({1.0, 1.0, 1.0}), pose, BodyKind::fixed);
  pose.x = Vector3(0.0, 0.0, 1.9);
  world.add(make_box({1.0, 1.0, 1.0}), pose);
  Detector detector;
  const ContactSet contacts = world.detect(detector);
  CHECK(contacts.size() == 4);
  for (const ContactKey& key : contacts.key) CHECK((key.body_a == 1 && key.body_b == 2));
  world.active[2] = 0;
  CHECK(world.detect(detector).size() == 0);
}

TEST_CASE("Reach decides which pairs are candidates", "[collision][unit]") {
  SmallWorld world;
  Pose pose;
  world.add(Sphere{0.5}, pose);
  pose.x = Vector3(1.01, 0.0, 0.0);
  world.add(Sphere{0.5}, pose);
  Detector detector;
  world.reach = {0.004, 0.005};
  CHECK(world.detect(detector).size() == 0);
  world.reach = {0.006, 0.005};
  CHECK(world.detect(detector).size() == 1);
}

TEST_CASE("Bodies far from the origin are found by boxes in floats", "[collision][property]") {
  SmallWorld world = running_bond(4, 5);
  Detector near;
  const ContactSet expected = world.detect(near);
  for (Vector3& x : world.x) x += Vector3(2.6e6, 1.2e6, 500.0);
  Detector far;
  const ContactSet contacts = world.detect(far);
  REQUIRE(contacts.size() == expected.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    worst = std::max(worst, std::abs(contacts.gap[i] - expected.gap[i]));
  CHECK(worst < 2e-9);  // positions are rounded to 4.7e-10 there
}

TEST_CASE("An empty model has no contacts", "[collision][unit]") {
  const SmallWorld world;
  Detector detector;
  CHECK(world.detect(detector).size() == 0);
}

}  // namespace
}  // namespace scree::test::detect_test
