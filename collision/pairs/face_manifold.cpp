#include "collision/pairs/face_manifold.hpp"

#include <algorithm>
#include <limits>

#include "collision/pairs/face_view.hpp"
#include "collision/polyhedra/tolerances.hpp"

namespace scree::collision {
namespace {

void project(const FaceView& view, OverlapPolygon& overlap) {
  const auto loop_p = view.reference.solid().face(view.face);
  overlap.p.resize(loop_p.size());
  for (std::size_t i = 0; i < loop_p.size(); ++i) {
    const Vector3& v = view.reference.points[index(loop_p[i])];
    overlap.p[i] = {view.t.dot(v), view.s.dot(v)};
  }
  const auto loop_q = view.incident.solid().face(view.facing);
  const Vector2 shift(view.t.dot(view.d), view.s.dot(view.d));
  overlap.q.resize(loop_q.size());
  for (std::size_t j = 0; j < loop_q.size(); ++j) {
    const Vector3& v = view.incident.points[index(loop_q[j])];
    overlap.q[j] = {view.t.dot(v) + shift.x(), view.s.dot(v) + shift.y()};
  }
}

// One corner lifted to both faces along n, named from the reference's side; points relative to the
// reference's centre.
PairContact lift(const FaceView& view, const OverlapCorner& corner) {
  const ConvexPolyhedron& solid = view.reference.solid();
  const ConvexPolyhedron& other = view.incident.solid();
  const std::int32_t begin_p = solid.face_begin[index(view.face)];
  const std::int32_t begin_q = other.face_begin[index(view.facing)];
  const double offset = solid.face_offset[index(view.face)];
  PairContact contact;
  contact.feature_a = face_feature(view.face);
  contact.feature_b = face_feature(view.facing);
  if (corner.edge_p >= 0) {
    contact.feature_a =
        edge_feature(view.reference.tables->loop_edges[index(begin_p + corner.edge_p)]);
    contact.feature_b =
        edge_feature(view.incident.tables->loop_edges[index(begin_q + corner.edge_q)]);
  }
  if (corner.vertex_p >= 0)
    contact.feature_a = vertex_feature(solid.face_vertices[index(begin_p + corner.vertex_p)]);
  if (corner.vertex_q >= 0) {
    const std::int32_t v = other.face_vertices[index(begin_q + corner.vertex_q)];
    contact.feature_b = vertex_feature(v);
    contact.point_b = view.incident.points[index(v)] + view.d;
    contact.gap = view.n.dot(contact.point_b) - offset;
    contact.point_a = contact.point_b - contact.gap * view.n;
  } else {
    contact.point_a = corner.at.x() * view.t + corner.at.y() * view.s + offset * view.n;
    const Vector3& m = view.incident.normals[index(view.facing)];
    contact.gap =
        (other.face_offset[index(view.facing)] - m.dot(contact.point_a - view.d)) / m.dot(view.n);
    contact.point_b = contact.point_a + contact.gap * view.n;
  }
  contact.normal = view.n;
  return contact;
}

}  // namespace

ManifoldSummary face_manifold(const PairQuery& query, const FaceView& view, bool from_a,
                              PairWork& work) {
  project(view, work.overlap);
  const double flush = face_view::flush_distance(query, view);
  find_overlap(flush, work.overlap);
  work.contacts.clear();
  ManifoldSummary summary{work.overlap.width, std::numeric_limits<double>::infinity(), flush};
  for (const OverlapCorner& corner : work.overlap.corners) {
    const PairContact contact = lift(view, corner);
    summary.smallest_gap = std::min(summary.smallest_gap, contact.gap);
    if (contact.gap <= query.reach) work.contacts.push_back(contact);
  }
  if (!from_a) mirror_contacts(work.contacts, view.d);
  return summary;
}

void deepest_vertex_contact(const FaceView& view, bool from_a, PairWork& work) {
  const std::int32_t v = face_view::deepest_vertex(view.incident, view.n);
  PairContact contact;
  contact.feature_a = face_feature(view.face);
  contact.feature_b = vertex_feature(v);
  contact.point_b = view.incident.points[index(v)] + view.d;
  contact.gap = view.n.dot(contact.point_b) - view.reference.solid().face_offset[index(view.face)];
  contact.point_a = contact.point_b - contact.gap * view.n;
  contact.normal = view.n;
  work.contacts.assign(1, contact);
  if (!from_a) mirror_contacts(work.contacts, view.d);
}

}  // namespace scree::collision
