#include "collision/polyhedron_polyhedron.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/face_manifold.hpp"
#include "collision/gjk_axis.hpp"
#include "collision/tolerances.hpp"

namespace scree::collision {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// Tries to show that the pair is farther apart than its reach: a known axis, then Bullet's. Exact separation along
// any direction bounds the distance from below, and no contact has a gap smaller than the distance.
bool culled(const PairQuery& query, double cutoff, Vector3& axis) {
  const Vector3 d = query.d();
  if (!axis.isZero(0.0) && separation_along(query.a, query.b, d, axis) > cutoff) return true;
  if (!query.a.tables->unit_hull || !query.b.tables->unit_hull) return false;
  const Vector3 proposed = gjk_axis(query.a, query.b, d);
  if (proposed.isZero(0.0) || separation_along(query.a, query.b, d, proposed) <= cutoff) return false;
  axis = proposed;
  return true;
}

// Separation along the same features one step ahead.
double separation_ahead(const PairQuery& ahead, const Axis& axis, const AxisTable& table) {
  if (axis.kind == AxisKind::face_a) return table.faces_a[static_cast<std::size_t>(axis.index_a)];
  if (axis.kind == AxisKind::face_b) return table.faces_b[static_cast<std::size_t>(axis.index_b)];
  const Vector3 n = edge_pair_normal(ahead.a, axis.index_a, ahead.b, axis.index_b);
  return n.isZero(0.0) ? -never : separation_along(ahead.a, ahead.b, ahead.d(), n);
}

bool same_way(const Axis& one, const Axis& other) {
  return std::abs(one.normal.dot(other.normal)) > same_direction;
}

// The faces, other than those along `axis`, that separate at least by `limit`?
bool another_face_separates(const PairQuery& query, const Axis& axis, const AxisTable& table, double limit) {
  const auto any = [&](const std::vector<double>& separations, std::span<const Vector3> normals) {
    for (std::size_t f = 0; f < separations.size(); ++f) {
      if (separations[f] >= limit && std::abs(normals[f].dot(axis.normal)) <= same_direction) return true;
    }
    return false;
  };
  return any(table.faces_a, query.a.normals) || any(table.faces_b, query.b.normals);
}

// The face of one body whose normal is closest to that of an axis.
Axis face_nearest_to(const PairQuery& query, const Axis& axis, AxisKind kind, const AxisTable& table) {
  const bool of_a = kind == AxisKind::face_a;
  const std::span<const Vector3> normals = of_a ? query.a.normals : query.b.normals;
  const double sign = of_a ? 1.0 : -1.0;
  std::size_t nearest = 0;
  for (std::size_t f = 1; f < normals.size(); ++f) {
    if (sign * normals[f].dot(axis.normal) > sign * normals[nearest].dot(axis.normal)) nearest = f;
  }
  return face_axis(query.a, query.b, kind, static_cast<std::int32_t>(nearest), table);
}

// The face that stands for an axis found one step ahead, with its separation now.
Axis face_now(const PairQuery& query, const Axis& ahead, const AxisTable& table) {
  const Axis face_a = face_nearest_to(query, ahead, AxisKind::face_a, table);
  const Axis face_b = face_nearest_to(query, ahead, AxisKind::face_b, table);
  if (ahead.kind == AxisKind::face_a) return face_axis(query.a, query.b, ahead.kind, ahead.index_a, table);
  if (ahead.kind == AxisKind::face_b) return face_axis(query.a, query.b, ahead.kind, ahead.index_b, table);
  return face_a.separation >= face_b.separation ? face_a : face_b;
}

enum class Verdict { confirmed, passed_over };

// No invented contacts. A body that slides across coplanar neighbours comes up to the next one's side, but one step
// ahead it lies on top of it: there another axis separates more, and the step between the two surfaces is no more
// than shallow. Then the side is passed over; `better` is the axis that holds ahead. A step higher than shallow is
// a ledge that is really hit.
Verdict confirm(const PairQuery& query, const Ahead& poses, const Axis& axis, PairWork& work, Axis& better) {
  const PairQuery ahead = place_ahead(query, poses, work.placed_ahead);
  find_axes(ahead.a, ahead.b, ahead.d(), never, query.eps, work.axes_ahead);
  better = choose_axis(ahead.a, ahead.b, ahead.d(), query.eps, work.axes_ahead);
  if (same_way(axis, better)) return Verdict::confirmed;
  if (separation_ahead(ahead, axis, work.axes_ahead) >= better.separation - query.eps) return Verdict::confirmed;
  return better.separation < -shallow_step * query.smaller_size ? Verdict::confirmed : Verdict::passed_over;
}

// Settles which axis makes the contact, or that none does. Apart: the axis must be confirmed. Overlapping by a shallow
// step along two axes at once: the one that holds ahead.
bool settle_axis(const PairQuery& query, const Ahead& poses, PairWork& work, Axis& axis) {
  const double shallow = -shallow_step * query.smaller_size;
  const bool apart = axis.separation > query.eps;
  if (axis.separation < shallow) return true;
  if (!apart && !another_face_separates(query, axis, work.axes, shallow)) return true;
  Axis better;
  if (confirm(query, poses, axis, work, better) == Verdict::confirmed) return true;
  if (apart) return false;
  const Axis held = face_now(query, better, work.axes);
  if (held.separation < shallow) return true;
  axis = held;
  return true;
}

// Contacts of a face axis. A polygon too narrow to carry anything makes none while another axis separates or touches;
// bodies that really overlap always touch somewhere.
void face_contacts(const PairQuery& query, const Axis& axis, PairWork& work) {
  const double narrow = std::max(narrow_polygon * query.smaller_size, 4.0 * query.eps);
  const ManifoldSummary summary = face_manifold(query, axis, work);
  if (summary.width > narrow) return;
  const bool apart = axis.separation > query.eps;
  const bool overlaps_elsewhere = !another_face_separates(query, axis, work.axes, -narrow);
  if (!apart && overlaps_elsewhere) {
    if (work.overlap.corners.empty()) deepest_vertex_contact(query, axis, work);
    return;
  }
  if (!apart || summary.width <= 4.0 * query.eps || !overlaps_elsewhere) work.contacts.clear();
}

// Closest points of the lines of two edges; contact when both lie on their edges, or when the bodies overlap.
bool edge_contact(const PairQuery& query, const Axis& axis, PairWork& work) {
  const auto end = [](const PlacedPart& part, std::int32_t vertex) -> const Vector3& {
    return part.points[static_cast<std::size_t>(vertex)];
  };
  const ConvexPolyhedron::Edge& edge_a = query.a.solid().edges[static_cast<std::size_t>(axis.index_a)];
  const ConvexPolyhedron::Edge& edge_b = query.b.solid().edges[static_cast<std::size_t>(axis.index_b)];
  const Vector3 from_a = end(query.a, edge_a.vertex_0), from_b = end(query.b, edge_b.vertex_0) + query.d();
  const Vector3 along_a = end(query.a, edge_a.vertex_1) - from_a;
  const Vector3 along_b = end(query.b, edge_b.vertex_1) + query.d() - from_b;
  const Vector3 between = from_b - from_a;
  const Vector3 cross = along_a.cross(along_b);
  const double square = cross.squaredNorm();
  double share_a = between.cross(along_b).dot(cross) / square;
  double share_b = between.cross(along_a).dot(cross) / square;
  const double slack_a = query.eps / along_a.norm(), slack_b = query.eps / along_b.norm();
  const bool on_both = share_a >= -slack_a && share_a <= 1.0 + slack_a && share_b >= -slack_b && share_b <= 1.0 + slack_b;
  if (!on_both) return false;
  PairContact contact;
  contact.feature_a = edge_feature(axis.index_a);
  contact.feature_b = edge_feature(axis.index_b);
  contact.normal = axis.normal;
  contact.point_a = from_a + share_a * along_a;
  contact.point_b = from_b + share_b * along_b;
  contact.gap = axis.normal.dot(contact.point_b - contact.point_a);
  work.contacts.clear();
  if (contact.gap <= query.reach) work.contacts.push_back(contact);
  return true;
}

// The best face takes the place of the edges when it says the same: so blocks that lie flush keep all their corners
// when they tilt a little.
bool face_says_the_same(const PairQuery& query, const Axis& edges, const Axis& face, PairWork& work) {
  if (edges.normal.cross(face.normal).norm() > face_for_edges || edges.normal.dot(face.normal) < 0.0) return false;
  const ManifoldSummary summary = face_manifold(query, face, work);
  return summary.width > narrow_polygon * query.smaller_size &&
         std::abs(summary.smallest_gap - edges.separation) <= query.eps;
}

void edge_contacts(const PairQuery& query, const Axis& edges, PairWork& work) {
  const Axis face_a = face_nearest_to(query, edges, AxisKind::face_a, work.axes);
  const Axis face_b = face_nearest_to(query, edges, AxisKind::face_b, work.axes);
  const bool a_first = face_a.separation >= face_b.separation;
  if (face_says_the_same(query, edges, a_first ? face_a : face_b, work)) return;
  if (face_says_the_same(query, edges, a_first ? face_b : face_a, work)) return;
  if (edge_contact(query, edges, work)) return;
  AxisTable& table = work.axes;
  table.edges = Axis{};
  face_contacts(query, choose_axis(query.a, query.b, query.d(), query.eps, table), work);
}

}  // namespace

void polyhedron_polyhedron(const PairQuery& query, const Ahead& ahead, Vector3& culling_axis, PairWork& work) {
  work.contacts.clear();
  const double cutoff = query.reach + culling_margin * (query.a.size() + query.b.size());
  if (culled(query, cutoff, culling_axis)) return;
  const Vector3 d = query.d();
  const Axis apart = find_axes(query.a, query.b, d, cutoff, query.eps, work.axes);
  if (apart.separation > cutoff) {
    culling_axis = apart.normal;
    return;
  }
  Axis axis = choose_axis(query.a, query.b, d, query.eps, work.axes);
  if (!settle_axis(query, ahead, work, axis)) return;
  if (axis.kind == AxisKind::edges) {
    edge_contacts(query, axis, work);
  } else {
    face_contacts(query, axis, work);
  }
}

}  // namespace scree::collision
