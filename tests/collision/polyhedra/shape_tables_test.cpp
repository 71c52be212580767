// What tables of a polyhedron say of the surroundings of its faces, against all its corners.
#include "collision/polyhedra/shape_tables.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

namespace scree::collision {
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

TEST_CASE("Tables of a cone of many corners are made in the time of few", "[collision][unit]") {
  std::vector<Vector3> points{Vector3(0.0, 0.0, 1.0)};
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / n;
    points.emplace_back(std::cos(angle), std::sin(angle), 0.0);
  }
  const ConvexPolyhedron solid = make_convex_polyhedron(points);
  const auto begin = std::chrono::steady_clock::now();
  const ShapeTables tables = make_shape_tables(solid);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  CHECK(tables.face_clearance.size() == static_cast<std::size_t>(solid.n_faces()));
  // All edges for each face are 4e8 looks, some 3 s; the groups need a hundredth.
  CHECK(spent.count() < 1.5);
}

}  // namespace scree::collision
