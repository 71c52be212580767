#include "collision/polyhedra/placed_part.hpp"

#include <limits>

namespace scree::collision {
namespace {

std::span<const Vector3> turned(const Matrix3& R, std::span<const Vector3> from,
                                std::span<Vector3> to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = R * from[i];
  return to.first(from.size());
}

}  // namespace

std::size_t placed_size(const Shape& shape) {
  if (const auto* solid = std::get_if<ConvexPolyhedron>(&shape)) {
    return solid->vertices.size() + solid->face_normal.size() + solid->edge_directions.size();
  }
  if (const auto* set = std::get_if<PointSet>(&shape)) return set->points.size();
  return std::holds_alternative<CylinderWall>(shape) ? 2 : 1;
}

PlacedPart place(const Shape& shape, const ShapeTables& tables, const Vector3& x,
                 const Quaternion& q, std::span<Vector3> memory) {
  const Matrix3 R = q.toRotationMatrix();
  PlacedPart part;
  part.shape = &shape;
  part.tables = &tables;
  part.x = x;
  part.q = q;
  if (const auto* solid = std::get_if<ConvexPolyhedron>(&shape)) {
    part.points = turned(R, solid->vertices, memory);
    part.normals = turned(R, solid->face_normal, memory.subspan(part.points.size()));
    part.directions =
        turned(R, solid->edge_directions, memory.subspan(part.points.size() + part.normals.size()));
  } else if (const auto* set = std::get_if<PointSet>(&shape)) {
    part.points = turned(R, set->points, memory);
  } else if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    part.points = turned(R, {&sphere->centre, 1}, memory);
  } else if (const auto* wall = std::get_if<CylinderWall>(&shape)) {
    part.points = turned(R, {&wall->point, 1}, memory);
    part.normals = turned(R, {&wall->axis, 1}, memory.subspan(1));
  } else {
    part.normals = turned(R, {&std::get_if<HalfSpace>(&shape)->normal, 1}, memory);
  }
  return part;
}

Bounds bounds_of(const PlacedPart& part) {
  Bounds bounds;
  if (is_wall(part.kind())) {
    bounds.high.setConstant(std::numeric_limits<double>::infinity());
    bounds.low = -bounds.high;
    return bounds;
  }
  bounds.low = bounds.high = part.points[0];
  for (const Vector3& p : part.points)
    bounds.low = bounds.low.cwiseMin(p), bounds.high = bounds.high.cwiseMax(p);
  if (part.kind() == PartKind::sphere) {
    bounds.low.array() -= part.sphere().radius;
    bounds.high.array() += part.sphere().radius;
  }
  return bounds;
}

}  // namespace scree::collision
