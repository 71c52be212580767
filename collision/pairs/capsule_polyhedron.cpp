#include "collision/pairs/capsule_polyhedron.hpp"

#include <limits>

#include "collision/pairs/passed_over.hpp"
#include "collision/pairs/segment.hpp"
#include "engine/base/index.hpp"

namespace scree::collision {
namespace {

// Adds the contact of the core's point `at` (about b's centre) with `surface`, whose outward normal
// is n: `distance` is signed.
void add_contact(const PairQuery& query, const Vector3& at, const Vector3& surface,
                 const Vector3& n, double distance, Feature feature_a, Feature feature_b,
                 PairWork& work) {
  PairContact contact;
  contact.feature_a = feature_a;
  contact.feature_b = feature_b;
  contact.normal = -n;
  contact.gap = distance - query.a.rounding();
  if (contact.gap > query.reach) return;
  contact.point_a = at - query.a.rounding() * n + query.d();
  contact.point_b = surface + query.d();
  work.contacts.push_back(contact);
}

void end_contacts(const PairQuery& query, const Ahead& ahead, const Segment& core, PairWork& work) {
  const double radius = query.a.rounding();
  for (std::int32_t i = 0; i < 2; ++i) {
    const Vector3 at = core.at(i);
    const SurfacePoint nearest = closest_point(query.b, at, query.eps);
    if (nearest.distance - radius > query.reach) continue;
    const FuturePlace future = future_place(query, ahead, at + query.d());
    if (passed_over(query, nearest, at, future, radius)) continue;
    add_contact(query, at, nearest.point, nearest.normal, nearest.distance, vertex_feature(i),
                nearest.feature, work);
  }
}

// Into the face from an edge of it, unit.
Vector3 into_face(const PlacedPart& part, const ConvexPolyhedron::Edge& edge, std::int32_t face) {
  const Vector3 along = part.points[index(edge.vertex_1)] - part.points[index(edge.vertex_0)];
  const Vector3 across = part.normals[index(face)].cross(along).normalized();
  // face_0 runs along the edge from vertex_0 to vertex_1, the other one against it.
  return face == edge.face_0 ? across : Vector3(-across);
}

void edge_contacts(const PairQuery& query, const Segment& core, PairWork& work) {
  const PlacedPart& part = query.b;
  const ConvexPolyhedron& solid = part.solid();
  for (std::size_t e = 0; e < solid.edges.size(); ++e) {
    const ConvexPolyhedron::Edge& edge = solid.edges[e];
    const Segment line{part.points[index(edge.vertex_0)], part.points[index(edge.vertex_1)]};
    const LinesNearest nearest = nearest_of_lines(core, line);
    if (!nearest.inside(core, line, query.eps)) continue;
    const Vector3 at = core.at(nearest.share_one), place = line.at(nearest.share_other);
    const Vector3 away = at - place;
    const double distance = away.norm();
    if (distance == 0.0 || distance - query.a.rounding() > query.reach) continue;
    const Vector3 n = away / distance;
    if (n.dot(into_face(part, edge, edge.face_0)) > looks_away ||
        n.dot(into_face(part, edge, edge.face_1)) > looks_away)
      continue;
    add_contact(query, at, place, n, distance, surface_feature(),
                edge_feature(static_cast<std::int32_t>(e)), work);
  }
}

// Whether the corner looks along n: no edge leaves it that way.
bool corner_looks(const PlacedPart& part, std::int32_t v, const Vector3& n) {
  for (const ConvexPolyhedron::Edge& edge : part.solid().edges) {
    if (edge.vertex_0 != v && edge.vertex_1 != v) continue;
    const Vector3 along = part.points[index(edge.vertex_1)] - part.points[index(edge.vertex_0)];
    const double slope = n.dot(along) / along.norm();
    if ((edge.vertex_0 == v ? slope : -slope) > looks_away) return false;
  }
  return true;
}

void corner_contacts(const PairQuery& query, const Segment& core, PairWork& work) {
  const double margin = query.eps / core.length();
  for (std::size_t v = 0; v < query.b.points.size(); ++v) {
    const double share = core.share_of(query.b.points[v]);
    if (share <= margin || share >= 1.0 - margin) continue;
    const Vector3 at = core.at(share), away = at - query.b.points[v];
    const double distance = away.norm();
    if (distance == 0.0 || distance - query.a.rounding() > query.reach) continue;
    const auto corner = static_cast<std::int32_t>(v);
    if (!corner_looks(query.b, corner, away / distance)) continue;
    add_contact(query, at, query.b.points[v], away / distance, distance, surface_feature(),
                vertex_feature(corner), work);
  }
}

// Shares of the core that lie within the planes of all faces but `open`; first > last: none.
struct Part {
  double first = 0.0, last = 1.0;
};

Part within(const PlacedPart& part, const Segment& core, std::size_t open) {
  Part inside;
  for (std::size_t f = 0; f < part.normals.size(); ++f) {
    if (f == open) continue;
    const double from = height_over(part, f, core.from), to = height_over(part, f, core.to);
    if (from <= 0.0 && to <= 0.0) continue;
    if (from > 0.0 && to > 0.0) return {1.0, 0.0};
    const double crossing = from / (from - to);
    if (from > 0.0)
      inside.first = std::max(inside.first, crossing);
    else
      inside.last = std::min(inside.last, crossing);
  }
  return inside;
}

// The direction along which the core is nearest to leaving the solid, and how deep it is there.
struct WayOut {
  double height = -std::numeric_limits<double>::infinity();  // [m] < 0
  Vector3 n = Vector3::Zero();
  std::int32_t face = -1, edge = -1;
};

WayOut way_out(const PairQuery& query, const Segment& core) {
  const PlacedPart& part = query.b;
  const ConvexPolyhedron& solid = part.solid();
  WayOut best;
  for (std::size_t f = 0; f < part.normals.size(); ++f) {
    const double low = std::min(height_over(part, f, core.from), height_over(part, f, core.to));
    if (low > best.height) best = {low, part.normals[f], static_cast<std::int32_t>(f), -1};
  }
  for (std::size_t e = 0; e < solid.edges.size(); ++e) {
    const ConvexPolyhedron::Edge& edge = solid.edges[e];
    const Vector3& from = part.points[index(edge.vertex_0)];
    Vector3 n = core.along().cross(part.points[index(edge.vertex_1)] - from);
    if (n.norm() < 1e-6 * core.length() * (part.points[index(edge.vertex_1)] - from).norm())
      continue;
    n.normalize();
    if (n.dot(part.normals[index(edge.face_0)] + part.normals[index(edge.face_1)]) < 0.0) n = -n;
    // The edge must be what the solid has farthest that way.
    if (n.dot(into_face(part, edge, edge.face_0)) > 0.0 ||
        n.dot(into_face(part, edge, edge.face_1)) > 0.0)
      continue;
    const double height = n.dot(core.from - from);
    if (height > best.height + query.eps) best = {height, n, -1, static_cast<std::int32_t>(e)};
  }
  return best;
}

// The core itself is in the solid: deeper than the radius.
void sunk_contacts(const PairQuery& query, const Segment& core, PairWork& work) {
  const WayOut out = way_out(query, core);
  if (out.edge >= 0) {
    const ConvexPolyhedron::Edge& edge = query.b.solid().edges[index(out.edge)];
    const Segment line{query.b.points[index(edge.vertex_0)], query.b.points[index(edge.vertex_1)]};
    const LinesNearest nearest = nearest_of_lines(core, line);
    const Vector3 place = line.at(std::clamp(nearest.share_other, 0.0, 1.0));
    add_contact(query, core.at(std::clamp(nearest.share_one, 0.0, 1.0)), place, out.n, out.height,
                surface_feature(), edge_feature(out.edge), work);
    return;
  }
  const Part over = within(query.b, core, index(out.face));
  std::int32_t i = 0;
  for (const double share : {over.first, over.last}) {
    const Vector3 at = core.at(share);
    const double height = height_over(query.b, index(out.face), at);
    add_contact(query, at, at - height * out.n, out.n, height, vertex_feature(i++),
                face_feature(out.face), work);
  }
}

}  // namespace

void capsule_polyhedron(const PairQuery& query, const Ahead& ahead, CullingHint&, PairWork& work) {
  work.contacts.clear();
  const Segment core = core_of(query.a, query.d());
  const Part inside = within(query.b, core, query.b.normals.size());
  if (inside.first < inside.last) return sunk_contacts(query, core, work);
  end_contacts(query, ahead, core, work);
  edge_contacts(query, core, work);
  corner_contacts(query, core, work);
}

}  // namespace scree::collision
