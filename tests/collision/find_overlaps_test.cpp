// The start check against brute force.
#include <catch2/catch.hpp>

#include "collision/overlap_search.hpp"
#include "tests/collision/small_world.hpp"
#include "tests/support/brute_force_sat.hpp"
#include "tests/support/validation_table.hpp"

namespace scree::test::find_overlaps_test {
namespace {

using collision::find_overlaps;
using collision::Overlap;

TEST_CASE("Overlaps of boxes are found with their depths, deepest first", "[collision][analytic]") {
  SmallWorld world;
  Pose pose;
  for (const double x : {0.0, 0.99, 1.9895, 2.9895 + 1e-8}) {  // overlaps 1e-2, 5e-4, gap 1e-8
    pose.x = Vector3(x, 0.0, 0.5);
    world.add(make_box({1.0, 1.0, 1.0}), pose);
  }
  world.add(HalfSpace{Vector3::UnitZ(), 1e-3}, Pose{}, BodyKind::fixed);  // 1 mm into each
  const std::vector<Overlap> overlaps =
      find_overlaps(world.model, world.poses(), world.active, 1e-6);
  REQUIRE(overlaps.size() == 6);
  CHECK(std::abs(overlaps[0].depth - 1e-2) < 1e-12);
  CHECK((overlaps[0].body_a == 0 && overlaps[0].body_b == 1));
  for (std::size_t i = 1; i < 5; ++i) {
    CHECK(std::abs(overlaps[i].depth - 1e-3) < 1e-12);
    CHECK(overlaps[i].body_b == 4);
  }
  CHECK(std::abs(overlaps[5].depth - 5e-4) < 1e-12);
  CHECK(find_overlaps(world.model, world.poses(), world.active, 0.1).empty());
  CHECK(find_overlaps(world.model, world.poses(), std::vector<std::uint8_t>(5, 0), 1e-6).empty());
}

TEST_CASE("Overlaps of random polyhedra are those of brute force", "[collision][oracle]") {
  SmallWorld world;
  RandomShapes random(71);
  std::vector<ConvexPolyhedron> solids;
  std::vector<Pose> poses;
  for (int i = 0; i < 60; ++i) {
    Pose pose;
    pose.x = random.in_cube(1.2);
    pose.q = random.rotation();
    solids.push_back(random.polyhedron());
    poses.push_back(pose);
    world.add(solids.back(), pose);
  }
  const std::vector<Overlap> found = find_overlaps(world.model, world.poses(), world.active, 1e-6);
  std::size_t expected = 0;
  double worst = 0.0;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    for (std::size_t j = i + 1; j < solids.size(); ++j) {
      const double depth = -brute_force_separation(moved_solid(solids[i], poses[i]),
                                                   moved_solid(solids[j], poses[j]));
      if (depth <= 1e-6 * std::min(solids[i].size, solids[j].size)) continue;
      ++expected;
      const auto match = std::find_if(found.begin(), found.end(), [&](const Overlap& o) {
        return o.body_a == static_cast<BodyIndex>(i) && o.body_b == static_cast<BodyIndex>(j);
      });
      REQUIRE(match != found.end());
      worst = std::max(worst, std::abs(match->depth - depth));
    }
  }
  CHECK(validated({"Properties over random cases",
                   "overlaps among 60 polyhedra: error of the depth [m]", 0.0, worst, 1e-9, false,
                   "brute-force separating axes"}));
  CHECK(expected > 100);
  CHECK(found.size() == expected);
}

TEST_CASE("Overlaps of spheres and points are their depths", "[collision][analytic]") {
  SmallWorld world;
  Pose pose;
  world.add(Sphere{0.5}, pose);
  pose.x = Vector3(0.9, 0.0, 0.0);
  world.add(Sphere{0.5}, pose);
  pose.x = Vector3(0.0, 0.0, 0.8);
  world.add(PointSet{{Vector3(0.0, 0.0, -0.5)}}, pose);
  const std::vector<Overlap> found = find_overlaps(world.model, world.poses(), world.active, 1e-6);
  REQUIRE(found.size() == 2);
  CHECK(std::abs(found[0].depth - 0.2) < 1e-14);
  CHECK(std::abs(found[1].depth - 0.1) < 1e-14);
}

// One search for a model at many poses keeps what it made of shapes and of bodies that stay.
TEST_CASE("A search that is used again finds what a new one does", "[collision][oracle]") {
  SmallWorld world;
  RandomShapes random(72);
  for (int i = 0; i < 30; ++i) {
    Pose pose;
    pose.x = random.in_cube(1.0), pose.q = random.rotation();
    world.add(random.polyhedron(), pose, i % 3 == 0 ? BodyKind::fixed : BodyKind::dynamic);
  }
  collision::OverlapSearch search;
  for (int k = 0; k < 20; ++k) {
    for (std::size_t i = 0; i < world.x.size(); ++i) {
      if (k > 0 && i % 3 != 0) world.x[i] = random.in_cube(1.0), world.q[i] = random.rotation();
      world.active[i] = (i + static_cast<std::size_t>(k)) % 7 == 0 ? 0 : 1;
    }
    const std::vector<Overlap> again = search.find(world.model, world.poses(), world.active, 1e-6);
    const std::vector<Overlap> fresh =
        find_overlaps(world.model, world.poses(), world.active, 1e-6);
    REQUIRE(again.size() == fresh.size());
    REQUIRE(again.size() > 5);
    for (std::size_t i = 0; i < again.size(); ++i) {
      CHECK(again[i].body_a == fresh[i].body_a);
      CHECK(again[i].body_b == fresh[i].body_b);
      CHECK(again[i].depth == fresh[i].depth);
    }
  }
}

}  // namespace
}  // namespace scree::test::find_overlaps_test
