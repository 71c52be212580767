// What tables of a polyhedron say of the surroundings of its faces, against all its corners.
#include "collision/polyhedra/shape_tables.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

namespace scree::collision::shape_tables_test {
namespace {

// A cone of n corners about its foot and a tip, its foot neither round nor even.
ConvexPolyhedron bent_cone(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<Vector3> points{Vector3(0.1, -0.2, 1.3)};
  for (int i = 0; i < n; ++i) {
    const double angle = 2.0 * std::numbers::pi * (i + 0.4 * uniform(random)) / n;
    points.emplace_back(1.5 * std::cos(angle), std::sin(angle), 0.05 * uniform(random));
  }
  return make_convex_polyhedron(points);
}

struct Surroundings {
  double clearance, steepness;
};

// By the definitions: over the edges that leave the face at one of its corners.
Surroundings of_all_edges(const ConvexPolyhedron& solid, std::int32_t face) {
  Surroundings least{solid.size, 1.0};
  const auto f = static_cast<std::size_t>(face);
  const auto loop = solid.face(face);
  const auto at = [&](std::int32_t v) { return solid.vertices[static_cast<std::size_t>(v)]; };
  for (const ConvexPolyhedron::Edge& edge : solid.edges) {
    if (edge.face_0 == face || edge.face_1 == face) continue;
    for (const auto& [from, to] :
         {std::pair(edge.vertex_0, edge.vertex_1), std::pair(edge.vertex_1, edge.vertex_0)}) {
      if (std::ranges::find(loop, from) == loop.end()) continue;
      const double depth = solid.face_offset[f] - solid.face_normal[f].dot(at(to));
      least.clearance = std::min(least.clearance, depth);
      least.steepness = std::min(least.steepness, depth / (at(to) - at(from)).norm());
    }
  }
  return least;
}

}  // namespace

TEST_CASE("Surroundings of faces are those of all edges, however many meet in a corner",
          "[collision][oracle]") {
  for (const int n : {3, 7, 8, 9, 40, 333}) {
    const ConvexPolyhedron solid = bent_cone(n, static_cast<unsigned>(n));
    const ShapeTables tables = make_shape_tables(solid);
    REQUIRE(solid.n_faces() >= 4);
    for (std::int32_t face = 0; face < solid.n_faces(); ++face) {
      INFO(n << " corners, face " << face);
      const Surroundings least = of_all_edges(solid, face);
      // The same numbers, not near ones: both are the least of the same.
      CHECK(tables.face_clearance[static_cast<std::size_t>(face)] == least.clearance);
      CHECK(tables.face_steepness[static_cast<std::size_t>(face)] == least.steepness);
    }
  }
}

namespace {

// [s] of processor time that the tables of a cone of n corners take, least of three.
double seconds_of_cone(int n) {
  std::vector<Vector3> points{Vector3(0.0, 0.0, 1.0)};
  for (int i = 0; i < n; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / n;
    points.emplace_back(std::cos(angle), std::sin(angle), 0.0);
  }
  const ConvexPolyhedron solid = make_convex_polyhedron(points);
  double least = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 3; ++repeat) {
    const std::clock_t begin = std::clock();
    const ShapeTables tables = make_shape_tables(solid);
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    CHECK(tables.face_clearance.size() == static_cast<std::size_t>(solid.n_faces()));
  }
  return least;
}

}  // namespace

// Looks at all edges for each face would be 16 times as many for four times as many corners; groups
// of edges take 7 times. Processor time, which other work on the machine does not stretch.
TEST_CASE("Tables of a cone of many corners cost as few do, each", "[collision][unit]") {
  const double few = seconds_of_cone(10000), many = seconds_of_cone(40000);
  CHECK(many < 11.0 * few);
}

}  // namespace scree::collision::shape_tables_test
