#include "collision/shape_tables.hpp"

#include <algorithm>
#include <limits>

#include "collision/gjk_axis.hpp"

namespace scree::collision {
namespace {

void group_edges_by_direction(const ConvexPolyhedron& solid, ShapeTables& tables) {
  for (const ConvexPolyhedron::Edge& edge : solid.edges) {
    const Vector3 along = (solid.vertices[static_cast<std::size_t>(edge.vertex_1)] -
                           solid.vertices[static_cast<std::size_t>(edge.vertex_0)]).normalized();
    std::size_t nearest = 0;
    double best = -1.0;
    for (std::size_t k = 0; k < solid.edge_directions.size(); ++k) {
      const double alignment = std::abs(along.dot(solid.edge_directions[k]));
      const double across = along.cross(solid.edge_directions[k]).norm();
      const double score = alignment - across;
      if (score > best) best = score, nearest = k;
    }
    tables.edge_direction.push_back(static_cast<std::int32_t>(nearest));
    tables.edge_sign.push_back(along.dot(solid.edge_directions[nearest]) > 0.0 ? 1.0 : -1.0);
  }
  tables.group_begin.push_back(0);
  for (std::size_t k = 0; k < solid.edge_directions.size(); ++k) {
    for (std::size_t e = 0; e < solid.edges.size(); ++e) {
      if (tables.edge_direction[e] == static_cast<std::int32_t>(k)) {
        tables.group_edges.push_back(static_cast<std::int32_t>(e));
      }
    }
    tables.group_begin.push_back(static_cast<std::int32_t>(tables.group_edges.size()));
  }
}

void find_loop_edges(const ConvexPolyhedron& solid, ShapeTables& tables) {
  for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
    const auto loop = solid.face(f);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const std::int32_t u = std::min(loop[i], loop[(i + 1) % loop.size()]);
      const std::int32_t v = std::max(loop[i], loop[(i + 1) % loop.size()]);
      const auto found = std::find_if(solid.edges.begin(), solid.edges.end(), [&](const ConvexPolyhedron::Edge& e) {
        return e.vertex_0 == u && e.vertex_1 == v;
      });
      tables.loop_edges.push_back(static_cast<std::int32_t>(found - solid.edges.begin()));
    }
  }
}

void find_vertex_faces(const ConvexPolyhedron& solid, ShapeTables& tables) {
  tables.vertex_face_begin.push_back(0);
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(solid.vertices.size()); ++v) {
    for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
      const auto loop = solid.face(f);
      if (std::find(loop.begin(), loop.end(), v) != loop.end()) tables.vertex_faces.push_back(f);
    }
    tables.vertex_face_begin.push_back(static_cast<std::int32_t>(tables.vertex_faces.size()));
  }
}

double extent(const std::vector<Vector3>& points) {
  Vector3 low = points[0], high = points[0];
  for (const Vector3& p : points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  return (high - low).norm();
}

}  // namespace

ShapeTables make_shape_tables(const Shape& shape) {
  ShapeTables tables;
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    tables.kind = PartKind::sphere;
    tables.size = 2.0 * sphere->radius;
  } else if (const auto* set = std::get_if<PointSet>(&shape)) {
    tables.kind = PartKind::points;
    tables.size = std::max(extent(set->points), 2.0 * bounding_radius(shape));
  } else if (const auto* solid = std::get_if<ConvexPolyhedron>(&shape)) {
    tables.kind = PartKind::polyhedron;
    tables.size = solid->size;
    group_edges_by_direction(*solid, tables);
    find_loop_edges(*solid, tables);
    find_vertex_faces(*solid, tables);
    tables.unit_hull = make_unit_hull(*solid);
  } else if (const auto* wall = std::get_if<CylinderWall>(&shape)) {
    tables.kind = PartKind::cylinder_wall;
    tables.size = 2.0 * wall->radius;
  } else {
    tables.kind = PartKind::half_space;
    tables.size = std::numeric_limits<double>::infinity();
  }
  return tables;
}

}  // namespace scree::collision
