// Joined faces at their edges: which planes a toucher lies on, and where it lies across an edge.
#include <algorithm>
#include <cmath>

#include "collision/joined_faces_step.hpp"
#include "collision/pairs/covering_face.hpp"
#include "collision/pairs/polyhedron_polyhedron.hpp"

namespace scree::collision {

// Adds the directions, from a to b, in which faces of the owner about a touched place look into
// other parts, if the normal has a part along them: the surface of all parts has no such normal.
// Returns whether there are any.
bool JoinedFaces::list_hidden(const Step& step, Group group, const Member& member,
                              const TouchedPlace& place) {
  const auto add = [&](const Vector3& direction) {
    const bool known = std::any_of(hidden_.begin(), hidden_.end(), [&](const Vector3& other) {
      return same_way(other, direction);
    });
    if (!known && hidden_.size() < most_hidden) hidden_.push_back(direction);
  };
  bool any = false;
  for (std::size_t f = 0; f < place.owner.normals.size(); ++f) {
    const Vector3& m = place.owner.normals[f];
    if (m.dot(place.n) <= same_place || !is_on_face(place.owner, f, place)) continue;
    const bool hidden = std::any_of(group.begin(), group.end(), [&](const Member& other) {
      return other.pair != member.pair && hides(step.owner(other), m, place);
    });
    if (!hidden) continue;
    any = true;
    add(step.owns_a(member) ? m : Vector3(-m));
  }
  return any;
}

TouchedPlace JoinedFaces::touched_place(const Step& step, const Member& member,
                                        const PairQuery& query, const PairContact& contact) {
  const bool owns_a = step.owns_a(member);
  const Vector3& point = owns_a ? contact.point_a : contact.point_b;
  return {step.owner(member),
          step.toucher(member),
          query.a.x + point - step.way_to_toucher(member),
          owns_a ? contact.normal : Vector3(-contact.normal),
          contact.gap,
          steps_of(query.a, query.b)};
}

// Drops planes that the toucher is sunk in deeper than an unevenness, and that no pair has as its
// own axis: what an impact carried into a face is sunk in it for at least one of the parts.
void JoinedFaces::drop_deep_planes(const Step& step, Group group) {
  constexpr double nearly = 1e-3;  // [rad]
  const PlacedPart& toucher = step.toucher(group[0]);
  const double tolerance = step.steps(group);
  deep_planes_.clear();
  std::erase_if(planes_, [&](const Plane& plane) {
    if (sunk_below(toucher, plane.m, plane.q) <= tolerance) return false;
    const bool is_own = std::any_of(group.begin(), group.end(), [&](const Member& member) {
      const Range& range = range_[index(member.pair)];
      for (std::int32_t c = range.begin; c < range.end; ++c) {
        const Vector3 n = step.normal(member, c);
        const double height = plane.m.dot(step.place(member, c) - plane.q);
        if (plane.m.dot(n) > 0.0 && plane.m.cross(n).norm() < nearly &&
            std::abs(height) <= tolerance + nearly * toucher.size())
          return true;
      }
      return false;
    });
    if (!is_own) deep_planes_.push_back(plane);
    return !is_own;
  });
}

// Whether what takes the place of the group's contacts is farther away than they were by more than
// an unevenness, or many times deeper than any of them. No pair separates less along its own axis
// than along a face of the whole, so that something is lost in the first case; in the second it is
// no face of the whole where the toucher is.
bool JoinedFaces::misses_contact(const Step& step, Group group) const {
  constexpr double many = 10.0;
  const double steps = step.steps(group);
  double before = never, after = before;
  for (const Member& member : group) {
    const auto pair = index(member.pair);
    const Range& own = range_[pair];
    for (std::int32_t c = own.begin; c < own.end; ++c) {
      if (step.contacts.touch[index(c)] < 1.0) return false;
      before = std::min(before, step.contacts.gap[index(c)]);
    }
    const bool is_fresh = fresh_of_[pair] >= 0;
    const Range range = is_fresh ? fresh_range_[index(fresh_of_[pair])] : own;
    for (std::int32_t c = range.begin; c < range.end; ++c)
      after = std::min(after, is_fresh ? fresh_.gap[index(c)] : step.contacts.gap[index(c)]);
  }
  return after > before + steps || after < many * (std::min(before, 0.0) - steps);
}

// Fills places_ with those of the pair's contacts, and hidden_. False: there are none, or they are
// of a touch later in the step.
bool JoinedFaces::list_places(const Step& step, Group group, const Member& member) {
  const Range& range = range_[index(member.pair)];
  places_.clear(), hidden_.clear();
  for (std::int32_t c = range.begin; c < range.end; ++c) {
    if (step.contacts.touch[index(c)] < 1.0) return false;
    list_hidden(step, group, member, places_.emplace_back(touched_place(step, member, c)));
  }
  return !places_.empty();
}

// Near the end of an edge that goes on from one part to the next, a pair finds normals that point
// into the other part. Of all other axes of the pair, the one that separates most is one of the
// surface of both. Fills places_ and work_.contacts; false: it is a face of the owner, or makes no
// contact.
bool JoinedFaces::find_beside_hidden(const Step& step, Group group, const Member& member) {
  const PairQuery query = step.query(member);
  const bool owns_a = step.owns_a(member);
  for (std::size_t known = 0; known < hidden_.size();) {
    known = hidden_.size();
    const Axis axis = axis_beside_hidden(query, hidden_, work_);
    if (axis.kind == (owns_a ? AxisKind::face_a : AxisKind::face_b)) return false;
    if (axis.kind != AxisKind::edges)
      contacts_on_face(query, !owns_a, owns_a ? axis.index_b : axis.index_a, work_);
    places_.clear();
    bool any = false;
    for (const PairContact& contact : work_.contacts) {
      places_.push_back(touched_place(step, member, query, contact));
      any |= list_hidden(step, group, member, places_.back());
    }
    if (!any) return !places_.empty();
  }
  return false;
}

// Drops the planes about an edge that the toucher lies across, on neither of the two: its least gap
// at the edge is larger than it is above the planes.
bool JoinedFaces::drop_planes() {
  double gap = never;
  for (const TouchedPlace& place : places_) gap = std::min(gap, place.gap);
  const auto is_about = [&](const Plane& plane, const TouchedPlace& place) {
    return plane.m.dot(place.n) > same_place && !same_way(plane.m, place.n) &&
           std::abs(plane.m.dot(place.q - plane.q)) <= place.tolerance &&
           gap > place.tolerance - sunk_below(place.toucher, plane.m, plane.q);
  };
  return std::erase_if(planes_, [&](const Plane& plane) {
           return std::any_of(places_.begin(), places_.end(),
                              [&](const TouchedPlace& place) { return is_about(plane, place); });
         }) > 0;
}

// Whether the toucher is sunk less in a plane that was dropped than in the contacts in places_.
bool JoinedFaces::is_nearer_plane(const Step& step, Group group) const {
  double gap = never;
  for (const TouchedPlace& place : places_) gap = std::min(gap, place.gap);
  const PlacedPart& toucher = step.toucher(group[0]);
  return std::any_of(deep_planes_.begin(), deep_planes_.end(), [&](const Plane& plane) {
    return -sunk_below(toucher, plane.m, plane.q) > gap;
  });
}

// Keeps the contacts of edges, found beside hidden faces if need be, and drops the planes about
// them. Where no pair has a contact of the surface of all parts, deep planes are taken all the
// same.
void JoinedFaces::prefer_edges(const Step& step, Group group) {
  const bool deep = !deep_planes_.empty();
  bool any = false;
  for (const Member& member : group) {
    if (planes_.empty() && !deep) return;
    if (!list_places(step, group, member)) continue;
    const bool hidden = !hidden_.empty();
    if (!hidden) any = true;
    if (hidden && (!find_beside_hidden(step, group, member) || lacks_normals(step, group, member) ||
                   is_nearer_plane(step, group)))
      continue;
    const bool dropped = drop_planes();
    if (!hidden || !(dropped || deep)) continue;
    keep_fresh(step, member);
    any = true;
  }
  if (!any) planes_.insert(planes_.end(), deep_planes_.begin(), deep_planes_.end());
}

}  // namespace scree::collision
