// What detection needs of a polyhedron beyond its topology, made once per shape.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/model/shapes/shapes.hpp"

class btConvexHullShape;

namespace scree::collision {

// The place of the kind in the list of shapes; only those that code asks for by name have one here.
enum class PartKind : std::uint8_t {
  sphere,
  polyhedron,
  half_space,
  points,
  cylinder_wall,
  capsule,
  terrain
};

// Without bounds: stays outside of the tree of boxes and is held against each of them.
constexpr bool is_wall(PartKind kind) {
  return kind == PartKind::half_space || kind == PartKind::cylinder_wall ||
         kind == PartKind::terrain;
}

struct ShapeTables {
  PartKind kind = PartKind::sphere;
  double size =
      0.0;  // [m] diameter; infinite for a half-space, that of the vessel for a cylinder wall

  double rounding = 0.0;   // [m] of the surface from the hull of the placed points
  double thickness = 0.0;  // [m] thinnest_extent of the shape

  // Edges grouped by direction: edge e runs along edge_sign[e] *
  // edge_directions[edge_direction[e]].
  std::vector<std::int32_t> edge_direction;  // [n_edges]
  std::vector<double> edge_sign;             // [n_edges] +1 or -1
  std::vector<std::int32_t> group_begin;     // [n_directions + 1] into group_edges
  std::vector<std::int32_t> group_edges;     // [n_edges]

  std::vector<std::int32_t> loop_edges;  // parallel to face_vertices: the edge that starts there
  std::vector<std::int32_t> vertex_face_begin;  // [n_vertices + 1] into vertex_faces
  std::vector<std::int32_t> vertex_faces;       // faces around each vertex

  // What the body is like about each of its faces, to see at once that nothing else of it comes
  // near what the face lies on.
  std::vector<double>
      face_clearance;  // [m] least depth below the face of a vertex that is not its own
  std::vector<double>
      face_steepness;  // least sine of the angle between the face and an edge that leaves it

  std::shared_ptr<btConvexHullShape>
      unit_hull;  // vertices / size, for polyhedra of many faces only
};

ShapeTables make_shape_tables(const Shape& shape);

}  // namespace scree::collision
