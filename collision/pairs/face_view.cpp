#include "collision/pairs/face_view.hpp"

#include <algorithm>
#include <limits>

#include "collision/polyhedra/tolerances.hpp"

namespace scree::collision::face_view {
namespace {

// Of the faces around the deepest vertex, the one most opposed to n: its polygon holds the deepest
// point.
std::int32_t facing_face(const PlacedPart& part, const Vector3& n) {
  const ShapeTables& tables = *part.tables;
  const std::size_t v = index(deepest_vertex(part, n));
  std::int32_t best = -1;
  double opposed = std::numeric_limits<double>::infinity();
  for (std::int32_t i = tables.vertex_face_begin[v]; i < tables.vertex_face_begin[v + 1]; ++i) {
    const std::int32_t f = tables.vertex_faces[index(i)];
    const double alignment = n.dot(part.normals[index(f)]);
    if (alignment < opposed) opposed = alignment, best = f;
  }
  return best;
}

void set_basis(FaceView& view) {
  view.n = view.reference.normals[index(view.face)];
  view.t = view.n.unitOrthogonal();
  view.s = view.n.cross(view.t);
}

}  // namespace

std::int32_t deepest_vertex(const PlacedPart& part, const Vector3& n) {
  std::size_t deepest = 0;
  double depth = n.dot(part.points[0]);
  for (std::size_t v = 1; v < part.points.size(); ++v) {
    const double height = n.dot(part.points[v]);
    if (height < depth) depth = height, deepest = v;
  }
  return static_cast<std::int32_t>(deepest);
}

FaceView from_axis(const PairQuery& query, const Axis& axis) {
  const bool from_a = axis.kind == AxisKind::face_a;
  const PlacedPart& reference = from_a ? query.a : query.b;
  const PlacedPart& incident = from_a ? query.b : query.a;
  FaceView view{reference,
                incident,
                from_a ? query.d() : Vector3(-query.d()),
                from_a ? axis.index_a : axis.index_b,
                Vector3::Zero(),
                Vector3::Zero(),
                Vector3::Zero()};
  set_basis(view);
  view.facing = facing_face(incident, view.n);
  return view;
}

FaceView exchanged(const FaceView& view) {
  FaceView other{view.incident,   view.reference,  -view.d,         view.facing,
                 Vector3::Zero(), Vector3::Zero(), Vector3::Zero(), view.face};
  set_basis(other);
  return other;
}

double flush_distance(const PairQuery& query, const FaceView& view) {
  const double tilt = view.n.cross(view.incident.normals[index(view.facing)]).norm();
  // The rounding of positions far from the origin moves corners by as much and no more, at any
  // tilt.
  const double most =
      flush_corners * query.smaller_size + (query.eps - same_place * query.smaller_size);
  return std::min(query.eps / std::max(tilt, same_place), most);
}

}  // namespace scree::collision::face_view
