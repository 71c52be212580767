#include "collision/pairs/polyhedron_polyhedron.hpp"

#include <algorithm>
#include <cmath>

#include "collision/pairs/face_manifold.hpp"
#include "collision/pairs/further_contacts.hpp"
#include "collision/pairs/shared_edge.hpp"
#include "collision/polyhedra/gjk_axis.hpp"
#include "collision/polyhedra/tolerances.hpp"

namespace scree::collision {
namespace {

// Tries to show that the pair is farther apart than its reach: a known axis, then Bullet's. Exact
// separation along any direction bounds the distance from below, and no contact has a gap smaller
// than the distance.
bool culled(const PairQuery& query, double cutoff, CullingHint& hint) {
  const Vector3 d = query.d();
  if (!hint.axis.isZero(0.0) && separation_along(query.a, query.b, d, hint.axis) > cutoff)
    return true;
  if (hint.in_contact || !query.a.tables->unit_hull || !query.b.tables->unit_hull) return false;
  const Vector3 proposed = gjk_axis(query.a, query.b, d);
  if (proposed.isZero(0.0) || separation_along(query.a, query.b, d, proposed) <= cutoff)
    return false;
  hint.axis = proposed;
  return true;
}

bool same_way(const Axis& one, const Vector3& normal) {
  return std::abs(one.normal.dot(normal)) > same_direction;
}

// Does a face other than those along `axis` separate at least by `limit`?
bool another_face_separates(const PairQuery& query, const Axis& axis, const AxisTable& table,
                            double limit) {
  const auto any = [&](const std::vector<double>& separations, std::span<const Vector3> normals) {
    for (std::size_t f = 0; f < separations.size(); ++f) {
      if (separations[f] >= limit && !same_way(axis, normals[f])) return true;
    }
    return false;
  };
  return any(table.faces_a.separation, query.a.normals) ||
         any(table.faces_b.separation, query.b.normals);
}

// Separation along the features of an axis one step ahead.
double separation_ahead(const PairQuery& ahead, const Axis& axis, const AxisTable& table) {
  if (axis.kind == AxisKind::face_a)
    return table.faces_a.separation[static_cast<std::size_t>(axis.index_a)];
  if (axis.kind == AxisKind::face_b)
    return table.faces_b.separation[static_cast<std::size_t>(axis.index_b)];
  const Vector3 n = edge_pair_normal(ahead.a, axis.index_a, ahead.b, axis.index_b);
  return n.isZero(0.0) ? axis.separation : separation_along(ahead.a, ahead.b, ahead.d(), n);
}

// Where a separation is after `horizon` steps like the next one.
double extrapolated(double now, double ahead) { return now + horizon * (ahead - now); }

// The face off the direction of `axis` that separates most at the horizon, among those where the
// bodies overlap by no more than a shallow step, now and one step ahead. Separation -infinity:
// there is none.
Axis rival_face(const PairQuery& query, const Axis& axis, const PairWork& work) {
  const double shallow = -shallow_step * query.smaller_size;
  Axis rival;
  double best = -never;
  const auto search = [&](AxisKind kind, const std::vector<double>& now,
                          const std::vector<double>& ahead, std::span<const Vector3> normals) {
    for (std::size_t f = 0; f < now.size(); ++f) {
      const double later = extrapolated(now[f], ahead[f]);
      if (now[f] < shallow || ahead[f] < shallow || later <= best || same_way(axis, normals[f]))
        continue;
      best = later;
      rival = face_axis(query.a, query.b, kind, static_cast<std::int32_t>(f), work.axes);
    }
  };
  search(AxisKind::face_a, work.axes.faces_a.separation, work.axes_ahead.faces_a.separation,
         query.a.normals);
  search(AxisKind::face_b, work.axes.faces_b.separation, work.axes_ahead.faces_b.separation,
         query.b.normals);
  rival.separation = best;
  return rival;
}

// No invented contacts. A body that slides across flush neighbours comes up to the next one's side,
// but it is going to lie on top of it: there is a rival axis along which the two overlap by a
// shallow step at most, and along which they close less. Then the side is passed over: no contact
// while apart, the rival's contact when both overlap. A higher step is a ledge that is really hit.
// Returns false when there is no contact; may replace `axis`.
bool settle_axis(const PairQuery& query, const Ahead& poses, PairWork& work, Axis& axis) {
  const double shallow = -shallow_step * query.smaller_size;
  if (axis.separation < shallow || !another_face_separates(query, axis, work.axes, shallow))
    return true;
  const PairQuery ahead = place_ahead(query, poses, work.placed_ahead);
  find_face_separations(ahead.a, ahead.b, ahead.d(), work.axes_ahead);
  const double next = separation_ahead(ahead, axis, work.axes_ahead);
  if (next >= axis.separation - query.eps) return true;  // does not close
  const Axis rival = rival_face(query, axis, work);
  if (rival.separation <= extrapolated(axis.separation, next) + query.eps) return true;
  if (axis.separation > query.eps) return false;
  axis = rival.kind == AxisKind::face_a
             ? face_axis(query.a, query.b, rival.kind, rival.index_a, work.axes)
             : face_axis(query.a, query.b, rival.kind, rival.index_b, work.axes);
  return true;
}

// What else lies within reach of the axis' face, and of the face that looks at it where the two are
// nearly parallel.
void add_all_within_reach(const PairQuery& query, const FaceView& view, const Axis& axis,
                          PairWork& work) {
  const bool from_a = axis.kind == AxisKind::face_a;
  add_further_contacts(query, view, from_a, axis.separation, work);
  const bool nearly_parallel =
      -view.n.dot(view.incident.normals[index(view.facing)]) >= same_direction;
  if (!nearly_parallel) return;
  const auto& separations = from_a ? work.axes.faces_b.separation : work.axes.faces_a.separation;
  add_further_contacts(query, face_view::exchanged(view), !from_a, separations[index(view.facing)],
                       work);
}

// Width [m] of contacts across the direction of the two that are farthest apart, nearly.
double width_of(const std::vector<PairContact>& contacts) {
  const auto farthest_from = [&](const Vector3& from) {
    const PairContact* best = contacts.data();
    for (const PairContact& contact : contacts) {
      if ((contact.point_a - from).squaredNorm() > (best->point_a - from).squaredNorm())
        best = &contact;
    }
    return best->point_a;
  };
  if (contacts.size() < 3) return 0.0;
  const Vector3 from = farthest_from(contacts[0].point_a), along = farthest_from(from) - from;
  const Vector3 across = contacts[0].normal.cross(along);
  if (across.isZero(0.0)) return 0.0;
  double low = 0.0, high = 0.0;
  for (const PairContact& contact : contacts) {
    const double place = across.normalized().dot(contact.point_a - from);
    low = std::min(low, place), high = std::max(high, place);
  }
  return high - low;
}

// Contacts of a face axis; `separation` is the largest over all axes. Too narrow to carry anything,
// they are none while another axis separates or touches; bodies that really overlap always touch
// somewhere.
void face_contacts(const PairQuery& query, const Axis& axis, double separation, PairWork& work) {
  const FaceView view = face_view::from_axis(query, axis);
  const bool from_a = axis.kind == AxisKind::face_a;
  const ManifoldSummary summary = face_manifold(query, view, from_a, work);
  const double narrow = std::max(narrow_polygon * query.smaller_size, 4.0 * summary.flush);
  const std::size_t n_facing = work.contacts.size();
  add_all_within_reach(query, view, axis, work);
  if (summary.width > narrow ||
      (work.contacts.size() > n_facing && width_of(work.contacts) > narrow))
    return;
  const bool apart = separation > query.eps;
  const bool overlaps_elsewhere = !another_face_separates(query, axis, work.axes, -narrow);
  if (!apart && overlaps_elsewhere) {
    if (work.overlap.corners.empty() && work.contacts.empty())
      deepest_vertex_contact(view, from_a, work);
    return;
  }
  if (!apart || summary.width <= 4.0 * query.eps || !overlaps_elsewhere) work.contacts.clear();
}

// Closest points of the lines of two edges. Contact when both lie on their edges; with `clamped`
// the points are moved to the ends of the edges if need be, so there always is one.
bool edge_contact(const PairQuery& query, const Axis& axis, bool clamped, PairWork& work) {
  const auto end = [](const PlacedPart& part, std::int32_t vertex) -> const Vector3& {
    return part.points[static_cast<std::size_t>(vertex)];
  };
  const ConvexPolyhedron::Edge& edge_a =
      query.a.solid().edges[static_cast<std::size_t>(axis.index_a)];
  const ConvexPolyhedron::Edge& edge_b =
      query.b.solid().edges[static_cast<std::size_t>(axis.index_b)];
  const Vector3 from_a = end(query.a, edge_a.vertex_0),
                from_b = end(query.b, edge_b.vertex_0) + query.d();
  const Vector3 along_a = end(query.a, edge_a.vertex_1) - from_a;
  const Vector3 along_b = end(query.b, edge_b.vertex_1) + query.d() - from_b;
  const Vector3 between = from_b - from_a;
  const Vector3 cross = along_a.cross(along_b);
  const double square = cross.squaredNorm();
  double share_a = between.cross(along_b).dot(cross) / square;
  double share_b = between.cross(along_a).dot(cross) / square;
  const double slack_a = query.eps / along_a.norm(), slack_b = query.eps / along_b.norm();
  const bool on_both = share_a >= -slack_a && share_a <= 1.0 + slack_a && share_b >= -slack_b &&
                       share_b <= 1.0 + slack_b;
  if (!on_both && !clamped) return false;
  share_a = std::clamp(share_a, -slack_a, 1.0 + slack_a);
  share_b = std::clamp(share_b, -slack_b, 1.0 + slack_b);
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

// The best face takes the place of the edges when it says the same, and makes the contacts: so
// blocks that lie flush keep all their corners when they tilt a little.
bool face_says_the_same(const PairQuery& query, const Axis& edges, const Axis& face,
                        PairWork& work) {
  if (edges.normal.cross(face.normal).norm() > face_for_edges ||
      edges.normal.dot(face.normal) < 0.0)
    return false;
  const FaceView view = face_view::from_axis(query, face);
  const ManifoldSummary summary = face_manifold(query, view, face.kind == AxisKind::face_a, work);
  const bool same =
      summary.width > std::max(narrow_polygon * query.smaller_size, 4.0 * summary.flush) &&
      std::abs(summary.smallest_gap - edges.separation) <= query.eps;
  if (same) add_all_within_reach(query, view, face, work);
  return same;
}

// The face of one body whose normal is closest to that of an axis.
Axis face_nearest_to(const PairQuery& query, const Axis& axis, AxisKind kind,
                     const AxisTable& table) {
  const bool of_a = kind == AxisKind::face_a;
  const std::span<const Vector3> normals = of_a ? query.a.normals : query.b.normals;
  const double sign = of_a ? 1.0 : -1.0;
  std::size_t nearest = 0;
  for (std::size_t f = 1; f < normals.size(); ++f) {
    if (sign * normals[f].dot(axis.normal) > sign * normals[nearest].dot(axis.normal)) nearest = f;
  }
  return face_axis(query.a, query.b, kind, static_cast<std::int32_t>(nearest), table);
}

// Neighbours that share an edge or a corner only: faces of two directions part them, but for the
// drift that flush corners are allowed. Such a pair carries nothing, however the round-off of its
// drift falls.
bool share_a_corner_only(const PairQuery& query, const Axis& edges, const Axis& face,
                         const AxisTable& table) {
  const double drift = -4.0 * flush_corners * query.smaller_size;
  if (face.separation < drift || !another_face_separates(query, face, table, drift)) return false;
  // Edges along each other of bodies that are no blocks of a pattern do carry.
  const auto direction = [](const PlacedPart& part, std::int32_t edge) -> const Vector3& {
    const std::int32_t k = part.tables->edge_direction[static_cast<std::size_t>(edge)];
    return part.directions[static_cast<std::size_t>(k)];
  };
  const Vector3 cross = direction(query.a, edges.index_a).cross(direction(query.b, edges.index_b));
  return cross.norm() > face_for_edges || are_flush_neighbours(query, table, drift);
}

// Where two edges cross near a face of one of them, that is one end of what touches: an edge that
// lies across the face crosses its rim twice, two nearly flush faces touch along a polygon. The
// other ends are corners of the face's manifold, with their own gaps; the crossing keeps the normal
// of its edges. Along the normal of a face that leans by an angle t from it, another corner can be
// deeper than the crossing by 1 / cos t at most; such a one says nothing new.
void add_other_ends(const PairQuery& query, const Axis& edges, const Axis& face, PairWork& work) {
  if (work.contacts.empty() || face.normal.dot(edges.normal) < same_direction) return;
  const PairContact crossing = work.contacts.front();
  const FaceView view = face_view::from_axis(query, face);
  face_manifold(query, view, face.kind == AxisKind::face_a, work);
  add_all_within_reach(query, view, face, work);
  std::erase_if(work.contacts, [&](const PairContact& contact) {
    const bool same =
        contact.feature_a == crossing.feature_a && contact.feature_b == crossing.feature_b;
    return same || contact.gap < crossing.gap - query.eps;
  });
  work.contacts.push_back(crossing);
}

void edge_contacts(const PairQuery& query, const Axis& edges, PairWork& work) {
  const Axis face_a = face_nearest_to(query, edges, AxisKind::face_a, work.axes);
  const Axis face_b = face_nearest_to(query, edges, AxisKind::face_b, work.axes);
  const bool a_first = face_a.separation >= face_b.separation;
  if (share_a_corner_only(query, edges, a_first ? face_a : face_b, work.axes)) return;
  for (const Axis& face : {a_first ? face_a : face_b, a_first ? face_b : face_a}) {
    if (face_says_the_same(query, edges, face, work)) return;
  }
  work.contacts.clear();
  if (edge_contact(query, edges, false, work)) {
    const double lean = face_a.normal.dot(edges.normal) - face_b.normal.dot(edges.normal);
    const bool a_nearer = std::abs(lean) > same_place ? lean > 0.0 : a_first;
    return add_other_ends(query, edges, a_nearer ? face_a : face_b, work);
  }
  // Apart along these edges, but the closest points are elsewhere: a face would claim a penetration
  // that is not there.
  if (edges.separation > query.eps) return;
  AxisTable& table = work.axes;
  table.edges = Axis{};
  const Axis face = choose_axis(query.a, query.b, query.d(), query.eps, table);
  if (face.separation < edges.separation - shallow_step * query.smaller_size) {
    edge_contact(query, edges, true, work);
    return;
  }
  face_contacts(query, face, edges.separation, work);
}

}  // namespace

Axis axis_beside_hidden(const PairQuery& query, const std::vector<Vector3>& hidden,
                        PairWork& work) {
  work.contacts.clear();
  work.axes.barred = hidden;
  find_axes(query.a, query.b, query.d(), never, query.eps, work.axes);
  work.axes.barred.clear();
  const Axis axis = choose_axis(query.a, query.b, query.d(), query.eps, work.axes);
  if (axis.kind == AxisKind::edges) edge_contact(query, axis, false, work);
  return axis;
}

void polyhedron_polyhedron(const PairQuery& query, const Ahead& ahead, CullingHint& hint,
                           PairWork& work) {
  work.contacts.clear();
  const double cutoff = query.reach + culling_margin * (query.a.size() + query.b.size());
  const bool is_culled = culled(query, cutoff, hint);
  hint.in_contact = false;
  if (is_culled) return;
  const Vector3 d = query.d();
  const Axis apart = find_axes(query.a, query.b, d, cutoff, query.eps, work.axes);
  if (apart.separation > cutoff) {
    hint.axis = apart.normal;
    return;
  }
  Axis axis = choose_axis(query.a, query.b, d, query.eps, work.axes);
  if (!shared_edge_contacts(query, work)) {
    if (!settle_axis(query, ahead, work, axis)) return;
    if (axis.kind == AxisKind::edges) {
      edge_contacts(query, axis, work);
    } else {
      face_contacts(query, axis, axis.separation, work);
    }
  }
  hint.in_contact = !work.contacts.empty();
}

}  // namespace scree::collision
