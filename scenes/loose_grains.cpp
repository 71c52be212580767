#include "scenes/loose_grains.hpp"

#include <algorithm>

#include "scenes/irregular_rock.hpp"
#include "scenes/random.hpp"

namespace scree {
namespace {

// One seed for the shapes, another for the poses: more grains are then the same grains and others on top.
constexpr std::uint64_t pose_seed_offset = 0x5851f42d4c957f2dU;

ConvexPolyhedron box_grain(SeededRandom& random, double diameter) {
  Vector3 sides = Vector3::Zero();
  for (int i = 0; i < 3; ++i) sides[i] = 0.6 + 0.4 * random.uniform();
  return make_box(sides * (diameter / sides.norm()));
}

ConvexPolyhedron rock_grain(std::uint64_t seed, double diameter) {
  std::vector<Vector3> points = irregular_rock({.seed = seed, .corners = 12, .irregularity = 0.3});
  double farthest = 0.0;
  for (const Vector3& point : points) farthest = std::max(farthest, point.norm());
  for (Vector3& point : points) point *= 0.5 * diameter / farthest;
  return make_convex_polyhedron(points);
}

}  // namespace

std::vector<ConvexPolyhedron> grain_shapes(const LooseGrains& grains) {
  SeededRandom random(grains.seed);
  std::vector<ConvexPolyhedron> shapes;
  for (int i = 0; i < grains.shapes; ++i) {
    const double diameter = grains.size * (grains.smallest + (1.0 - grains.smallest) * random.uniform());
    const std::uint64_t rock_seed = grains.seed * 1000003U + static_cast<std::uint64_t>(i);
    shapes.push_back(grains.shape == GrainShape::box ? box_grain(random, diameter) : rock_grain(rock_seed, diameter));
  }
  return shapes;
}

std::vector<Grain> build_loose_grains(const LooseGrains& grains) {
  SeededRandom random(grains.seed + pose_seed_offset);
  std::vector<Grain> result;
  const std::int64_t in_layer = std::int64_t{grains.along_x} * grains.along_y;
  for (int n = 0; n < grains.count; ++n) {
    const auto layer = static_cast<int>(n / in_layer), in = static_cast<int>(n % in_layer);
    const int row = in / grains.along_x, i = in % grains.along_x;
    Grain grain;
    grain.shape = static_cast<int>(random.uniform() * grains.shapes);
    grain.pose.x = grains.spacing * Vector3(i - 0.5 * (grains.along_x - 1), row - 0.5 * (grains.along_y - 1), layer + 0.5);
    grain.pose.q = random.rotation();
    result.push_back(grain);
  }
  return result;
}

}  // namespace scree
