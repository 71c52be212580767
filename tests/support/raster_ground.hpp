// Terrains of given functions, for tests.
#pragma once

#include <limits>

#include "engine/model/shapes/terrain.hpp"
#include "tests/support/world.hpp"

namespace scree::test {

struct Grid {
  double x = 0.0, y = 0.0;  // [m] of the south-western node
  double cell = 1.0;
  std::int32_t columns = 2, rows = 2;
  Diagonal diagonal = Diagonal::smaller_step;
};

// Over [-half, half] in x and y, at least.
inline Grid grid_about(double half, double cell, Diagonal diagonal = Diagonal::smaller_step) {
  const auto n = static_cast<std::int32_t>(std::ceil(half / cell));
  return {-n * cell, -n * cell, cell, 2 * n + 1, 2 * n + 1, diagonal};
}

template <class Height>
Terrain terrain_of(const Grid& grid, Height height) {
  Raster raster;
  raster.x = grid.x, raster.y = grid.y;
  raster.dx = raster.dy = grid.cell;
  raster.columns = grid.columns, raster.rows = grid.rows;
  raster.diagonal = grid.diagonal;
  for (std::int32_t row = 0; row < grid.rows; ++row) {
    for (std::int32_t column = 0; column < grid.columns; ++column)
      raster.values.push_back(height(raster.x_of(column), raster.y_of(row)));
  }
  return make_terrain(make_terrain_raster(std::move(raster)));
}

inline void add_terrain(World& world, Terrain terrain) {
  BodyDefinition ground;
  ground.name = "ground";
  ground.kind = BodyKind::fixed;
  ground.shape = std::move(terrain);
  world.add(ground, Pose{});
}

// How far [m] the deepest point of a body's corners, or of a ball, is below the ground; also the
// nodes of the ground in the body count.
inline double depth_in_ground(const World& world, std::size_t body, const Raster& raster) {
  double deepest = 0.0;
  const Vector3& x = world.state.x[body];
  const auto part = static_cast<std::size_t>(
      world.model.part_shape[static_cast<std::size_t>(world.model.part_begin[body])]);
  const Shape& shape = world.model.shapes[part];
  const double radius = world.model.radius[body];
  const auto* solid = std::get_if<ConvexPolyhedron>(&shape);
  if (solid != nullptr) {
    for (const Vector3& corner : solid->vertices) {
      const Vector3 p = world.state.q[body] * corner + x;
      const Ground ground = ground_at(raster, p.x(), p.y());
      if (ground.known()) deepest = std::max(deepest, (ground.height - p.z()) * ground.normal.z());
    }
  }
  for (std::int32_t i = 0; i < raster.rows; ++i) {
    if (std::abs(raster.y_of(i) - x.y()) > radius) continue;
    for (std::int32_t j = 0; j < raster.columns; ++j) {
      if (std::abs(raster.x_of(j) - x.x()) > radius) continue;
      const Vector3 node(raster.x_of(j), raster.y_of(i), raster.at(j, i));
      if (solid == nullptr) {
        deepest = std::max(deepest, radius - (node - x).norm());
        continue;
      }
      const Vector3 at = world.state.q[body].conjugate() * (node - x);
      double height = -std::numeric_limits<double>::infinity();
      for (std::size_t f = 0; f < solid->face_normal.size(); ++f)
        height = std::max(height, solid->face_normal[f].dot(at) - solid->face_offset[f]);
      deepest = std::max(deepest, -height);
    }
  }
  return deepest;
}

}  // namespace scree::test
