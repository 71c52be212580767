#include "collision/pairs/closest_point.hpp"

#include <algorithm>
#include <limits>

#include "collision/pairs/pair_contacts.hpp"
#include "collision/polyhedra/tolerances.hpp"
#include "engine/base/index.hpp"

namespace scree::collision {
namespace {

std::int32_t highest_face(const PlacedPart& part, const Vector3& at, double eps) {
  const std::vector<double>& areas = part.solid().face_area;
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < part.normals.size(); ++f)
    highest = std::max(highest, height_over(part, f, at));
  std::int32_t best = -1;
  for (std::size_t f = 0; f < part.normals.size(); ++f) {
    if (height_over(part, f, at) < highest - eps) continue;
    if (best < 0 || areas[f] > areas[index(best)] * (1.0 + same_place))
      best = static_cast<std::int32_t>(f);
  }
  return best;
}

SurfacePoint on_face(const PlacedPart& part, std::int32_t f, const Vector3& at) {
  const double height = height_over(part, index(f), at);
  const Vector3& n = part.normals[index(f)];
  return {face_feature(f), at - height * n, n, height};
}

// The point of one edge nearest to `at`; feature is the edge or the vertex at its end.
SurfacePoint on_edge(const PlacedPart& part, std::int32_t e, const Vector3& at, double eps) {
  const ConvexPolyhedron::Edge& edge = part.solid().edges[index(e)];
  const Vector3& from = part.points[index(edge.vertex_0)];
  const Vector3& to = part.points[index(edge.vertex_1)];
  const Vector3 along = to - from;
  const double length = along.norm();
  const double reached = along.dot(at - from) / length;
  SurfacePoint result;
  result.feature = reached <= eps            ? vertex_feature(edge.vertex_0)
                   : reached >= length - eps ? vertex_feature(edge.vertex_1)
                                             : edge_feature(e);
  result.point = reached <= eps            ? from
                 : reached >= length - eps ? to
                                           : Vector3(from + reached / length * along);
  const Vector3 away = at - result.point;
  result.distance = away.norm();
  result.normal = away / result.distance;
  return result;
}

// Inside the prism over face f, at least `eps` from leaving it?
bool over_face(const PlacedPart& part, std::int32_t f, const Vector3& at, double eps) {
  const auto loop = part.solid().face(f);
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vector3& from = part.points[index(loop[i])];
    const Vector3 along = part.points[index(loop[i + 1 < loop.size() ? i + 1 : 0])] - from;
    const double inside = part.normals[index(f)].cross(along).dot(at - from);
    if (inside < -eps * along.norm()) return false;
  }
  return true;
}

}  // namespace

SurfacePoint closest_point(const PlacedPart& part, const Vector3& at, double eps) {
  const std::int32_t highest = highest_face(part, at, eps);
  if (height_over(part, index(highest), at) <= eps) return on_face(part, highest, at);

  SurfacePoint best;
  best.distance = std::numeric_limits<double>::infinity();
  const ConvexPolyhedron& solid = part.solid();
  for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
    if (height_over(part, index(f), at) <= 0.0) continue;
    if (over_face(part, f, at, eps)) return on_face(part, f, at);
    for (std::int32_t i = solid.face_begin[index(f)]; i < solid.face_begin[index(f) + 1]; ++i) {
      const SurfacePoint candidate = on_edge(part, part.tables->loop_edges[index(i)], at, eps);
      if (candidate.distance < best.distance) best = candidate;
    }
  }
  return best;
}

}  // namespace scree::collision
