#include "collision/polyhedra/shape_tables.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "collision/polyhedra/gjk_axis.hpp"
#include "engine/base/direction_index.hpp"
#include "engine/model/extent.hpp"

namespace scree::collision {
namespace {

void group_edges_by_direction(const ConvexPolyhedron& solid, ShapeTables& tables) {
  constexpr double tolerance = 1e-9;  // far above the round-off of turned directions
  DirectionIndex directions;
  for (const Vector3& direction : solid.edge_directions) directions.add(direction);
  const std::size_t n_directions = solid.edge_directions.size();
  tables.group_begin.assign(n_directions + 1, 0);
  for (const ConvexPolyhedron::Edge& edge : solid.edges) {
    const Vector3 along = (solid.vertices[static_cast<std::size_t>(edge.vertex_1)] -
                           solid.vertices[static_cast<std::size_t>(edge.vertex_0)])
                              .normalized();
    const std::int32_t nearest = std::max(directions.find(along, tolerance), 0);
    tables.edge_direction.push_back(nearest);
    tables.edge_sign.push_back(
        along.dot(solid.edge_directions[static_cast<std::size_t>(nearest)]) > 0.0 ? 1.0 : -1.0);
    ++tables.group_begin[static_cast<std::size_t>(nearest) + 1];
  }
  std::partial_sum(tables.group_begin.begin(), tables.group_begin.end(),
                   tables.group_begin.begin());
  std::vector<std::int32_t> at(tables.group_begin.begin(), tables.group_begin.end());
  tables.group_edges.resize(solid.edges.size());
  for (std::size_t e = 0; e < solid.edges.size(); ++e) {
    const auto k = static_cast<std::size_t>(tables.edge_direction[e]);
    tables.group_edges[static_cast<std::size_t>(at[k]++)] = static_cast<std::int32_t>(e);
  }
}

// Edges are sorted by their vertices.
void find_loop_edges(const ConvexPolyhedron& solid, ShapeTables& tables) {
  using Ends = std::pair<std::int32_t, std::int32_t>;
  const auto before = [](const ConvexPolyhedron::Edge& edge, const Ends& ends) {
    return Ends{edge.vertex_0, edge.vertex_1} < ends;
  };
  for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
    const auto loop = solid.face(f);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const std::int32_t u = loop[i], v = loop[(i + 1) % loop.size()];
      const auto found = std::lower_bound(solid.edges.begin(), solid.edges.end(),
                                          Ends{std::min(u, v), std::max(u, v)}, before);
      tables.loop_edges.push_back(static_cast<std::int32_t>(found - solid.edges.begin()));
    }
  }
}

void find_vertex_faces(const ConvexPolyhedron& solid, ShapeTables& tables) {
  tables.vertex_face_begin.assign(solid.vertices.size() + 1, 0);
  for (const std::int32_t v : solid.face_vertices)
    ++tables.vertex_face_begin[static_cast<std::size_t>(v) + 1];
  std::partial_sum(tables.vertex_face_begin.begin(), tables.vertex_face_begin.end(),
                   tables.vertex_face_begin.begin());
  std::vector<std::int32_t> at(tables.vertex_face_begin.begin(), tables.vertex_face_begin.end());
  tables.vertex_faces.resize(solid.face_vertices.size());
  for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
    for (const std::int32_t v : solid.face(f)) {
      tables.vertex_faces[static_cast<std::size_t>(at[static_cast<std::size_t>(v)]++)] = f;
    }
  }
}

// A convex body's vertices next above those of a face are neighbours of them.
void find_surroundings(const ConvexPolyhedron& solid, ShapeTables& tables) {
  const auto n_faces = static_cast<std::size_t>(solid.n_faces());
  tables.face_clearance.assign(n_faces, solid.size);
  tables.face_steepness.assign(n_faces, 1.0);
  const auto leave = [&](std::int32_t from, std::int32_t to, const ConvexPolyhedron::Edge& edge) {
    const auto v = static_cast<std::size_t>(from);
    const Vector3& end = solid.vertices[static_cast<std::size_t>(to)];
    const double length = (end - solid.vertices[v]).norm();
    for (std::int32_t i = tables.vertex_face_begin[v]; i < tables.vertex_face_begin[v + 1]; ++i) {
      const std::int32_t face = tables.vertex_faces[static_cast<std::size_t>(i)];
      if (face == edge.face_0 || face == edge.face_1) continue;
      const auto f = static_cast<std::size_t>(face);
      const double depth = solid.face_offset[f] - solid.face_normal[f].dot(end);
      tables.face_clearance[f] = std::min(tables.face_clearance[f], depth);
      tables.face_steepness[f] = std::min(tables.face_steepness[f], depth / length);
    }
  };
  for (const ConvexPolyhedron::Edge& edge : solid.edges) {
    leave(edge.vertex_0, edge.vertex_1, edge);
    leave(edge.vertex_1, edge.vertex_0, edge);
  }
}

}  // namespace

ShapeTables make_shape_tables(const Shape& shape) {
  ShapeTables tables;
  tables.thickness = thinnest_extent(shape);
  tables.kind = static_cast<PartKind>(shape.index());
  std::visit([&](const auto& s) { tables.size = s.diameter(), tables.rounding = s.rounding(); },
             shape);
  if (const auto* solid = std::get_if<ConvexPolyhedron>(&shape)) {
    group_edges_by_direction(*solid, tables);
    find_loop_edges(*solid, tables);
    find_vertex_faces(*solid, tables);
    find_surroundings(*solid, tables);
    tables.unit_hull = make_unit_hull(*solid);
  }
  return tables;
}

}  // namespace scree::collision
