#include "collision/pairs/further_contacts.hpp"

#include <algorithm>
#include <cmath>

namespace scree::collision {
namespace {

class FurtherSearch {
 public:
  FurtherSearch(const PairQuery& query, const FaceView& view, bool from_a, double lowest,
                PairWork& work)
      : query_(query),
        view_(view),
        solid_(view.incident.solid()),
        from_a_(from_a),
        work_(work),
        offset_(view.reference.solid().face_offset[index(view.face)]),
        lowest_(lowest),
        flush_(face_view::flush_distance(query, view)) {}

  void run() {
    if (!anything_left()) return;
    list_near_vertices();
    project_rim();
    for (const std::int32_t v : work_.near_vertices) {
      if (!in_facing_face(v) && on_lower_side(v)) add_corner(v);
      add_edges(v);
    }
    if (work_.near_vertices.size() > 0) add_rim_corners();
  }

 private:
  const Vector3& point(std::int32_t v) const { return view_.incident.points[index(v)]; }
  double height(std::int32_t v) const { return view_.n.dot(point(v) + view_.d) - offset_; }
  Vector2 place(const Vector3& r) const { return {view_.t.dot(r), view_.s.dot(r)}; }
  double slope(std::int32_t face) const { return view_.n.dot(view_.incident.normals[index(face)]); }

  std::span<const std::int32_t> faces_about(std::int32_t v) const {
    const ShapeTables& tables = *view_.incident.tables;
    const auto begin = index(tables.vertex_face_begin[index(v)]),
               end = index(tables.vertex_face_begin[index(v) + 1]);
    return {tables.vertex_faces.data() + begin, end - begin};
  }
  bool in_facing_face(std::int32_t v) const {
    const auto faces = faces_about(v);
    return std::find(faces.begin(), faces.end(), view_.facing) != faces.end();
  }
  bool on_lower_side(std::int32_t v) const {
    const auto faces = faces_about(v);
    return std::any_of(faces.begin(), faces.end(), [&](std::int32_t f) { return slope(f) < 0.0; });
  }

  // Whether anything but the facing face may be within reach. Where edges leave that face steeply
  // (30 degrees), what they do within reach happens at its corners, and the next vertices are at
  // least its clearance higher, but for the tilt.
  bool anything_left() const {
    constexpr double steep = 0.5;
    const ShapeTables& tables = *view_.incident.tables;
    const double cosine = -slope(view_.facing);
    if (tables.face_steepness[index(view_.facing)] < steep || cosine <= 0.0) return true;
    const double sine = std::sqrt(std::max(1.0 - cosine * cosine, 0.0));
    const double clearance = tables.face_clearance[index(view_.facing)];
    return lowest_ + clearance * cosine - view_.incident.size() * sine <= query_.reach;
  }

  void list_near_vertices() {
    work_.near_vertices.clear();
    for (std::size_t i = 0; i < view_.incident.points.size(); ++i) {
      const auto v = static_cast<std::int32_t>(i);
      if (height(v) <= query_.reach) work_.near_vertices.push_back(v);
    }
  }

  void project_rim() {
    const auto loop = view_.reference.solid().face(view_.face);
    work_.rim.resize(loop.size());
    for (std::size_t i = 0; i < loop.size(); ++i)
      work_.rim[i] = place(view_.reference.points[index(loop[i])]);
  }
  const Vector2& rim(std::size_t i) const { return work_.rim[i < work_.rim.size() ? i : 0]; }

  bool over_face(const Vector2& at) const {
    for (std::size_t i = 0; i < work_.rim.size(); ++i) {
      const Vector2 along = rim(i + 1) - rim(i);
      if (cross(along, at - rim(i)) < -flush_ * along.norm()) return false;
    }
    return true;
  }

  // `on_reference`, `on_incident`: about the reference's centre.
  void add(Feature reference, Feature incident, const Vector3& on_incident, double gap) {
    PairContact contact;
    contact.feature_a = reference, contact.feature_b = incident;
    contact.gap = gap;
    contact.normal = view_.n;
    contact.point_b = on_incident;
    contact.point_a = on_incident - gap * view_.n;
    if (!from_a_) mirror_contact(contact, view_.d);
    work_.contacts.push_back(contact);
  }

  void add_corner(std::int32_t v) {
    const Vector3 at = point(v) + view_.d;
    if (over_face(place(at))) add(face_feature(view_.face), vertex_feature(v), at, height(v));
  }

  // Edges that begin at v in one of the loops about it, each once, but those of the facing face.
  void add_edges(std::int32_t v) {
    for (const std::int32_t f : faces_about(v)) {
      const auto loop = solid_.face(f);
      const auto at =
          static_cast<std::size_t>(std::find(loop.begin(), loop.end(), v) - loop.begin());
      const std::int32_t w = loop[at + 1 < loop.size() ? at + 1 : 0];
      const std::int32_t e =
          view_.incident.tables->loop_edges[index(solid_.face_begin[index(f)]) + at];
      const ConvexPolyhedron::Edge& edge = solid_.edges[index(e)];
      if (edge.face_0 == view_.facing || edge.face_1 == view_.facing) continue;
      if (slope(edge.face_0) >= 0.0 && slope(edge.face_1) >= 0.0) continue;
      const bool seen_from_other_end = w < v && height(w) <= query_.reach;
      if (!seen_from_other_end) add_crossings(e, edge);
    }
  }

  void add_crossings(std::int32_t e, const ConvexPolyhedron::Edge& edge) {
    const Vector3 from = point(edge.vertex_0) + view_.d,
                  along = point(edge.vertex_1) + view_.d - from;
    const Vector2 start = place(from), way = place(along);
    const double way_length = way.norm();
    if (way_length <= flush_) return;
    const auto loop_begin = index(view_.reference.solid().face_begin[index(view_.face)]);
    for (std::size_t i = 0; i < work_.rim.size(); ++i) {
      const Vector2 rim_way = rim(i + 1) - rim(i);
      const double limit = flush_ * rim_way.norm(), way_limit = flush_ * way_length;
      const double side_0 = cross(rim_way, start - rim(i)),
                   side_1 = cross(rim_way, start + way - rim(i));
      const double rim_0 = cross(way, rim(i) - start), rim_1 = cross(way, rim(i + 1) - start);
      const bool crosses = std::min(side_0, side_1) < -limit && std::max(side_0, side_1) > limit &&
                           std::min(rim_0, rim_1) < -way_limit &&
                           std::max(rim_0, rim_1) > way_limit;
      if (!crosses) continue;
      const Vector3 at = from + side_0 / (side_0 - side_1) * along;
      const double gap = view_.n.dot(at) - offset_;
      if (gap > query_.reach) continue;
      add(edge_feature(view_.reference.tables->loop_edges[loop_begin + i]), edge_feature(e), at,
          gap);
    }
  }

  // Corners of the reference's face under faces of the incident body that have a corner within
  // reach.
  void add_rim_corners() {
    work_.near_faces.clear();
    for (const std::int32_t v : work_.near_vertices) {
      for (const std::int32_t f : faces_about(v)) {
        if (f == view_.facing || slope(f) >= 0.0) continue;
        if (std::find(work_.near_faces.begin(), work_.near_faces.end(), f) ==
            work_.near_faces.end()) {
          work_.near_faces.push_back(f);
        }
      }
    }
    const auto loop = view_.reference.solid().face(view_.face);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      if (named(vertex_feature(loop[i]))) continue;
      for (const std::int32_t f : work_.near_faces) {
        if (add_rim_corner(loop[i], work_.rim[i], f)) break;
      }
    }
  }

  bool named(Feature feature) const {
    return std::any_of(work_.contacts.begin(), work_.contacts.end(),
                       [&](const PairContact& contact) {
                         return (from_a_ ? contact.feature_a : contact.feature_b) == feature;
                       });
  }

  // Only strictly inside: what lies on an edge is a crossing or a corner.
  bool add_rim_corner(std::int32_t v, const Vector2& at, std::int32_t f) {
    const auto loop = solid_.face(f);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vector2 from = place(point(loop[i]) + view_.d);
      const Vector2 along = place(point(loop[i + 1 < loop.size() ? i + 1 : 0]) + view_.d) - from;
      if (-cross(along, at - from) <= flush_ * along.norm()) return false;
    }
    const Vector3& corner = view_.reference.points[index(v)];
    const double above =
        solid_.face_offset[index(f)] - view_.incident.normals[index(f)].dot(corner - view_.d);
    const double gap = above / slope(f);
    if (!(gap <= query_.reach)) return false;
    add(vertex_feature(v), face_feature(f), corner + gap * view_.n, gap);
    return true;
  }

  const PairQuery& query_;
  const FaceView& view_;
  const ConvexPolyhedron& solid_;
  bool from_a_;
  PairWork& work_;
  double offset_, lowest_, flush_;
};

}  // namespace

void add_further_contacts(const PairQuery& query, const FaceView& view, bool from_a, double lowest,
                          PairWork& work) {
  FurtherSearch(query, view, from_a, lowest, work).run();
}

}  // namespace scree::collision
