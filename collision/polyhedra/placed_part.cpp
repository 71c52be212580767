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
  return std::visit(
      [](const auto& s) {
        return s.placed_points().size() + s.placed_normals().size() + s.placed_directions().size();
      },
      shape);
}

PlacedPart place(const Shape& shape, const ShapeTables& tables, const Vector3& x,
                 const Quaternion& q, std::span<Vector3> memory) {
  const Matrix3 R = q.toRotationMatrix();
  PlacedPart part;
  part.shape = &shape;
  part.tables = &tables;
  part.x = x;
  part.q = q;
  std::visit(
      [&](const auto& s) {
        part.points = turned(R, s.placed_points(), memory);
        part.normals = turned(R, s.placed_normals(), memory.subspan(part.points.size()));
        part.directions = turned(R, s.placed_directions(),
                                 memory.subspan(part.points.size() + part.normals.size()));
      },
      shape);
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
  bounds.low.array() -= part.rounding();
  bounds.high.array() += part.rounding();
  return bounds;
}

}  // namespace scree::collision
