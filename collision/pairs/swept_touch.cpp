#include "collision/pairs/swept_touch.hpp"

#include <algorithm>
#include <cmath>

#include "collision/pairs/closest_point.hpp"
#include "collision/pairs/narrow_phase.hpp"
#include "collision/polyhedra/tolerances.hpp"

namespace scree::collision {
namespace {

constexpr int most_advances = 200;

// A direction from a to b along which the two are apart by `gap`.
struct Separation {
  double gap = never;
  Vector3 normal = Vector3::Zero();
};

Separation mirrored(const Separation& s) { return {s.gap, -s.normal}; }

Separation of_sphere(const PairQuery& q) {  // a is the ball
  const double radius = q.a.sphere().radius;
  const Vector3& centre = q.a.points[0];
  if (q.b.kind() == PartKind::sphere) {
    const Vector3 between = q.b.points[0] + q.d() - centre;
    const double distance = between.norm();
    if (distance == 0.0) return {-radius, Vector3::UnitZ()};
    return {distance - radius - q.b.sphere().radius, between / distance};
  }
  if (q.b.kind() == PartKind::polyhedron) {
    const SurfacePoint nearest = closest_point(q.b, centre - q.d(), 0.0);
    return {nearest.distance - radius, -nearest.normal};
  }
  const Vector3& n = q.b.normals[0];
  return {n.dot(centre - q.d()) - q.b.offset() - radius, -n};
}

Separation of_polyhedron(const PairQuery& q, PairWork& work) {  // a is the polyhedron
  if (q.b.kind() == PartKind::half_space) {
    const Vector3& n = q.b.normals[0];
    double low = never;
    for (const Vector3& point : q.a.points) low = std::min(low, n.dot(point));
    return {low - n.dot(q.d()) - q.b.offset(), -n};
  }
  find_axes(q.a, q.b, q.d(), never, q.eps, work.axes);
  const Axis axis = choose_axis(q.a, q.b, q.d(), q.eps, work.axes);
  return {axis.separation, axis.normal};
}

bool is_ball(const PlacedPart& part) { return part.kind() == PartKind::sphere; }
bool is_solid(const PlacedPart& part) { return part.kind() == PartKind::polyhedron; }
bool is_flat(const PlacedPart& part) { return part.kind() == PartKind::half_space; }
bool is_terrain(const PlacedPart& part) { return part.kind() == PartKind::terrain; }
bool is_rounded(const PlacedPart& part) { return part.rounding() > 0.0 && !is_ball(part); }

// Of any pair in its pose: its nearest contact, as no contact is passed over by what stands still.
Separation of_contacts(const PairQuery& query, PairWork& work) {
  PairQuery whole = query;
  // What is farther from a terrain does not come to it in this step.
  if (!is_terrain(query.a) && !is_terrain(query.b)) whole.reach = never;
  work.kept_contacts.swap(work.contacts);
  CullingHint no_hint;
  narrow_phase(whole, {query.a.x, query.b.x, query.a.q, query.b.q}, no_hint, work);
  Separation least;
  for (const PairContact& contact : work.contacts) {
    if (contact.gap < least.gap) least = {contact.gap, contact.normal};
  }
  work.kept_contacts.swap(work.contacts);
  return least;
}

Separation separation_of(const PairQuery& query, PairWork& work) {
  PairQuery swapped = query;
  std::swap(swapped.a, swapped.b);
  if (is_rounded(query.a) || is_rounded(query.b) || is_terrain(query.a) || is_terrain(query.b))
    return of_contacts(query, work);
  if (is_ball(query.a)) return of_sphere(query);
  if (is_ball(query.b)) return mirrored(of_sphere(swapped));
  if (is_solid(query.a)) return of_polyhedron(query, work);
  return mirrored(of_polyhedron(swapped, work));
}

bool can_sweep(const PlacedPart& part) {
  return is_ball(part) || is_solid(part) || is_flat(part) || is_rounded(part) || is_terrain(part);
}

double turn_between(const Quaternion& from, const Quaternion& to) {
  const Quaternion turn = from.conjugate() * to;
  return 2.0 * std::atan2(turn.vec().norm(), std::abs(turn.w()));
}

// [rad] in world axes.
Vector3 turn_vector(const Quaternion& from, const Quaternion& to) {
  const Quaternion turn = to * from.conjugate();
  const double sine = turn.vec().norm();
  if (sine == 0.0) return Vector3::Zero();
  const double angle = std::copysign(turn_between(from, to), turn.w());
  return angle / sine * turn.vec();
}

// How far turns move the surface at most [m].
double turned_way(const PairQuery& query, const Ahead& ahead) {
  const double angle_a = turn_between(query.a.q, ahead.q_a),
               angle_b = turn_between(query.b.q, ahead.q_b);
  const auto arm = [&](const PlacedPart& part, const PlacedPart& other) {
    if (is_ball(part)) return part.points[0].norm();
    if (is_solid(part) || is_rounded(part)) {
      double farthest = 0.0;
      for (const Vector3& point : part.points) farthest = std::max(farthest, point.squaredNorm());
      return std::sqrt(farthest);
    }
    return query.d().norm() + other.size() + query.reach;  // of a half-space that turns
  };
  return (angle_a > 0.0 ? angle_a * arm(query.a, query.b) : 0.0) +
         (angle_b > 0.0 ? angle_b * arm(query.b, query.a) : 0.0);
}

Vector3 relative_way(const PairQuery& query, const Ahead& ahead) {
  return (ahead.x_b - query.b.x) - (ahead.x_a - query.a.x);
}

}  // namespace

PairQuery at_share(const PairQuery& query, const Ahead& ahead, double share, PairWork& work) {
  const Pose a = pose_between({query.a.x, query.a.q}, {ahead.x_a, ahead.q_a}, share);
  const Pose b = pose_between({query.b.x, query.b.q}, {ahead.x_b, ahead.q_b}, share);
  return place_ahead(query, {a.x, b.x, a.q, b.q}, work.placed_swept);
}

namespace {

// Gap [m] along the fixed direction n; of a half-space only along its own normal, else never known.
double gap_along(const PairQuery& query, const Vector3& n) {
  const auto farthest = [](const PlacedPart& part, const Vector3& along) {
    if (part.kind() == PartKind::half_space)
      return (part.normals[0] - along).norm() <= 1e-15 ? part.offset() : never;
    double most = -never;
    for (const Vector3& point : part.points) most = std::max(most, along.dot(point));
    return most + part.rounding();
  };
  return n.dot(query.d()) - farthest(query.a, n) - farthest(query.b, -n);
}

// How far the surface of a part that turns strays at most from straight ways [m]: an arc of the
// angle t and the radius r lies within r t^2 / 8 of its chord.
double bent_way(const PairQuery& query, const Ahead& ahead) {
  const auto bend = [](const PlacedPart& part, double angle) {
    double farthest = 0.0;
    for (const Vector3& point : part.points) farthest = std::max(farthest, point.squaredNorm());
    return angle > 0.0 ? 0.125 * angle * angle * std::sqrt(farthest) : 0.0;
  };
  return bend(query.a, turn_between(query.a.q, ahead.q_a)) +
         bend(query.b, turn_between(query.b.q, ahead.q_b));
}

// Share of the step at which the two touch; 1: they do not.
double first_touch(const PairQuery& query, const Ahead& ahead, PairWork& work) {
  const double touching =
      1e-10 * query.smaller_size + position_rounding * query.d().cwiseAbs().maxCoeff();
  const double turned = turned_way(query, ahead), bent = bent_way(query, ahead);
  const Vector3 way = relative_way(query, ahead);
  const PairQuery end = place_ahead(query, ahead, work.placed_ahead);
  const bool on_terrain = is_terrain(query.a) || is_terrain(query.b);
  Separation apart = separation_of(query, work);
  if (apart.gap <= touching) return 1.0;
  double share = 0.0;
  for (int i = 0; i < most_advances; ++i) {
    if (on_terrain) {
      // Which of its parts is met first is not known from where the pair is now.
      share += apart.gap / (way.norm() + turned);
      if (share >= 1.0) return 1.0;
      apart = separation_of(at_share(query, ahead, share, work), work);
      if (apart.gap <= touching) return share;
      continue;
    }
    const double rest = 1.0 - share, bend = bent * rest * rest;
    const double last = gap_along(end, apart.normal);
    if (std::min(apart.gap, last) - bend > touching) return 1.0;
    const double closing =
        std::min(turned - apart.normal.dot(way), (apart.gap - last + 4.0 * bend) / rest);
    if (closing <= 0.0) return 1.0;
    share += apart.gap / closing;
    if (share >= 1.0) return 1.0;
    apart = separation_of(at_share(query, ahead, share, work), work);
    if (apart.gap <= touching) return share;
  }
  return share;
}

}  // namespace

bool is_fast(const PairQuery& query, const Ahead& ahead, double share) {
  const double limit = share * std::min(query.a.tables->thickness, query.b.tables->thickness);
  if (relative_way(query, ahead).squaredNorm() > limit * limit) return true;
  const bool turns =
      query.a.q.coeffs() != ahead.q_a.coeffs() || query.b.q.coeffs() != ahead.q_b.coeffs();
  return turns && relative_way(query, ahead).norm() + turned_way(query, ahead) > limit;
}

void swept_contacts(const PairQuery& query, const Ahead& ahead, PairWork& work) {
  if (!can_sweep(query.a) || !can_sweep(query.b)) return;
  const double share = first_touch(query, ahead, work);
  if (share >= 1.0) return;
  const PairQuery touching = at_share(query, ahead, share, work);
  work.kept_contacts.swap(work.contacts);
  CullingHint no_hint;
  narrow_phase(touching, {touching.a.x, touching.b.x, touching.a.q, touching.b.q}, no_hint, work);
  if (work.contacts.empty()) {
    work.contacts.swap(work.kept_contacts);
    return;
  }
  tell_from_start(query, touching, ahead, share, work.contacts);
}

void sweep_from(const PairQuery& query, const Ahead& from, const Ahead& ahead, double share,
                PairWork& work) {
  PairQuery first = query;
  first.a.x = from.x_a, first.a.q = from.q_a, first.b.x = from.x_b, first.b.q = from.q_b;
  if (is_fast(first, ahead, share))
    swept_contacts(place_ahead(query, from, work.placed_start), ahead, work);
}

void tell_from_start(const PairQuery& query, const PairQuery& touching, const Ahead& ahead,
                     double share, std::vector<PairContact>& contacts) {
  const Vector3 way = relative_way(query, ahead), turn_a = turn_vector(query.a.q, ahead.q_a),
                turn_b = turn_vector(query.b.q, ahead.q_b);
  for (PairContact& contact : contacts) {
    const Vector3 point_way =
        way + turn_b.cross(contact.point_b - touching.d()) - turn_a.cross(contact.point_a);
    contact.gap -= share * std::min(contact.normal.dot(point_way), 0.0);
    contact.point_b += query.d() - touching.d();
    contact.touch = share;
  }
}

}  // namespace scree::collision
