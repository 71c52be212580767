#include "collision/joined_faces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "collision/joined_faces_step.hpp"
#include "collision/pairs/covering_face.hpp"
#include "collision/pairs/face_arcs.hpp"
#include "collision/pairs/face_manifold.hpp"
#include "collision/pairs/further_contacts.hpp"
#include "collision/pairs/narrow_phase.hpp"
#include "collision/pairs/swept_touch.hpp"
#include "collision/polyhedra/tolerances.hpp"
#include "engine/base/index.hpp"

namespace scree::collision {
namespace {

bool is_kind(Feature feature, FeatureKind kind) {
  return feature >> 28 == static_cast<std::uint32_t>(kind);
}

void append(const ContactSet& from, std::size_t begin, std::size_t end, ContactSet& to) {
  const auto add = [&](auto& mine, const auto& values) {
    mine.insert(mine.end(), values.begin() + static_cast<std::ptrdiff_t>(begin),
                values.begin() + static_cast<std::ptrdiff_t>(end));
  };
  add(to.key, from.key), add(to.gap, from.gap), add(to.normal, from.normal);
  add(to.point_a, from.point_a), add(to.point_b, from.point_b), add(to.touch, from.touch);
}

// The face of a part that lies in a plane, but for steps of `tolerance` [m]; -1: there is none.
std::int32_t face_in(const PlacedPart& part, const Vector3& m, const Vector3& q, double tolerance) {
  for (std::size_t f = 0; f < part.normals.size(); ++f) {
    if (part.normals[f].dot(m) < same_direction) continue;
    const auto loop = part.solid().face(static_cast<std::int32_t>(f));
    const double height = m.dot(q - part.x);
    const bool flush = std::all_of(loop.begin(), loop.end(), [&](std::int32_t v) {
      return std::abs(m.dot(part.points[index(v)]) - height) <= tolerance;
    });
    if (flush) return static_cast<std::int32_t>(f);
  }
  return -1;
}

}  // namespace

void contacts_on_face(const PairQuery& query, bool of_a, std::int32_t face, PairWork& work) {
  Axis axis;
  axis.kind = of_a ? AxisKind::face_a : AxisKind::face_b;
  (of_a ? axis.index_a : axis.index_b) = face;
  const FaceView view = face_view::from_axis(query, axis);
  face_manifold(query, view, of_a, work);
  const Vector3& lowest =
      view.incident.points[index(face_view::deepest_vertex(view.incident, view.n))];
  add_further_contacts(
      query, view, of_a,
      view.n.dot(lowest + view.d) - view.reference.solid().face_offset[index(face)], work);
}

void JoinedFaces::list_members(const PlacedModel& placed, const std::vector<BoxPair>& pairs) {
  members_.clear(), moved_.clear();
  const auto is_solid = [&](std::int32_t part) {
    return placed.part(part).kind() == PartKind::polyhedron;
  };
  const auto moved = [&](std::int32_t part, ImageCode image) {
    if (image == 0) return -1;
    PlacedPart& there = moved_.emplace_back(placed.part(part));
    there.x += placed.offset(image);
    return static_cast<std::int32_t>(moved_.size()) - 1;
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [first, second, image] = pairs[i];
    if (!is_solid(first) || !is_solid(second)) continue;
    const auto pair = static_cast<std::int32_t>(i);
    const std::int32_t joint_a = placed.joint(first), joint_b = placed.joint(second);
    if (joint_a >= 0) members_.push_back({second, joint_a, first, pair, moved(first, -image)});
    if (joint_b >= 0) members_.push_back({first, joint_b, second, pair, moved(second, image)});
  }
  std::sort(members_.begin(), members_.end());
}

// Touchers of at least two parts that move together.
template <class Use>
void JoinedFaces::for_each_group(Use use) const {
  for (std::size_t begin = 0, end = 0; begin < members_.size(); begin = end) {
    const auto same = [&](const Member& other) {
      return other.toucher == members_[begin].toucher && other.joint == members_[begin].joint;
    };
    for (end = begin + 1; end < members_.size() && same(members_[end]);) ++end;
    if (end - begin > 1) use(Group(members_).subspan(begin, end - begin));
  }
}

// Pairs and contacts are sorted alike.
void JoinedFaces::list_ranges(const Step& step, const ContactSet& contacts) {
  range_.resize(step.pairs.size());
  std::size_t c = 0;
  for (std::size_t i = 0; i < step.pairs.size(); ++i) {
    const std::int32_t first = step.pairs[i].first, second = step.pairs[i].second;
    const BodyIndex body_a = step.placed.body(first), body_b = step.placed.body(second);
    const std::int32_t part_a = step.placed.part_of_body(first),
                       part_b = step.placed.part_of_body(second);
    range_[i].begin = static_cast<std::int32_t>(c);
    const ImageCode image = step.pairs[i].image;
    const auto of_pair = [&](const ContactKey& key) {
      return key.body_a == body_a && key.body_b == body_b && key.part_a == part_a &&
             key.part_b == part_b && key.image == image;
    };
    while (c < contacts.size() && of_pair(contacts.key[c])) ++c;
    range_[i].end = static_cast<std::int32_t>(c);
  }
}

JoinedFaces::Plane JoinedFaces::plane_of(const PlacedPart& part, std::int32_t f) {
  const Vector3& m = part.normals[index(f)];
  return {m, part.x + part.solid().face_offset[index(f)] * m};
}

void JoinedFaces::add_plane(const Plane& plane, double tolerance) {
  const bool known = std::any_of(planes_.begin(), planes_.end(), [&](const Plane& other) {
    return same_way(plane.m, other.m) && std::abs(plane.m.dot(plane.q - other.q)) <= tolerance;
  });
  if (!known) planes_.push_back(plane);
}

TouchedPlace JoinedFaces::touched_place(const Step& step, const Member& member,
                                        std::int32_t c) const {
  const PlacedPart &owner = step.owner(member), &toucher = step.toucher(member);
  return {owner,
          toucher,
          step.place(member, c),
          step.normal(member, c),
          step.contacts.gap[index(c)],
          steps_of(owner, toucher)};
}

// Planes of faces that cover contact c of a member, and have all parts that meet there below them:
// else they are faces between two parts.
void JoinedFaces::add_covering(const Step& step, Group group, const Member& member,
                               std::int32_t c) {
  const TouchedPlace place = touched_place(step, member, c);
  const auto& [owner, toucher, q, n, gap, tolerance, flush] = place;
  for (const Member& other : group) {
    if (other.pair == member.pair) continue;
    const PlacedPart& neighbour = step.owner(other);
    for (std::int32_t f = -1; (f = covering_face(neighbour, place, f + 1)) >= 0;) {
      const Plane plane = plane_of(neighbour, f);
      const bool is_outer = std::all_of(group.begin(), group.end(), [&](const Member& third) {
        const PlacedPart& part = step.owner(third);
        return !has_place(part, q, tolerance) || lies_below(part, plane.m, plane.q, tolerance);
      });
      if (is_outer) add_plane(plane, tolerance);
    }
  }
}

// Planes that the toucher lies on, where not all of its pairs say so in the same way: a contact is
// covered by another part, a pair without contacts has a face in the plane of one that has some, or
// the toucher comes to one part later than to another.
void JoinedFaces::find_planes(const Step& step, Group group) {
  planes_.clear();
  const auto face_along = [&](const PlacedPart& part, const Vector3& n) {
    const auto face = std::find_if(part.normals.begin(), part.normals.end(),
                                   [&](const Vector3& m) { return same_way(m, n); });
    return face == part.normals.end() ? -1 : static_cast<std::int32_t>(face - part.normals.begin());
  };
  for (const Member& member : group) {
    const PlacedPart& owner = step.owner(member);
    const Range& range = range_[index(member.pair)];
    for (std::int32_t c = range.begin; c < range.end; ++c) {
      add_covering(step, group, member, c);
      if (step.contacts.touch[index(c)] == 1.0) continue;
      const std::int32_t face = face_along(owner, step.normal(member, c));
      if (face >= 0) add_plane(plane_of(owner, face), steps_of(owner, step.toucher(member)));
    }
  }
  for (const Member& bare : group) {
    if (!range_[index(bare.pair)].empty()) continue;
    const double tolerance = steps_of(step.owner(bare), step.toucher(bare));
    for (const Member& other : group) {
      const Range& range = range_[index(other.pair)];
      if (range.empty()) continue;
      const std::int32_t face = face_along(step.owner(other), step.normal(other, range.begin));
      if (face < 0) continue;
      const Plane plane = plane_of(step.owner(other), face);
      if (face_in(step.owner(bare), plane.m, plane.q, tolerance) >= 0) add_plane(plane, tolerance);
    }
  }
}

// Share of the step at which the toucher comes to the plane; 1: it is there, or does not come.
double JoinedFaces::share_of_touch(const Step& step, Group group, const Plane& plane) {
  const PairQuery first = step.query_at_start(group[0], work_.placed_start);
  PlacedPart toucher = step.owns_a(group[0]) ? first.b : first.a;
  toucher.x -= step.way_to_toucher(group[0]);
  const double touching =
      1e-10 * toucher.size() + position_rounding * (plane.q - toucher.x).cwiseAbs().maxCoeff();
  if (sunk_below(toucher, plane.m, plane.q) >= -touching) return 1.0;
  double share = 1.0;
  for (const Member& member : group) {
    const Range& range = range_[index(member.pair)];
    for (std::int32_t c = range.begin; c < range.end; ++c)
      share = std::min(share, step.contacts.touch[index(c)]);
  }
  return share;
}

// Whether the pair's contacts are those of the face of normal m already.
bool JoinedFaces::is_whole(const Step& step, const Member& member, const Vector3& m,
                           double share) const {
  const Range& range = range_[index(member.pair)];
  if (range.empty()) return false;
  for (std::int32_t c = range.begin; c < range.end; ++c) {
    if (!same_way(step.normal(member, c), m) || step.contacts.touch[index(c)] != share)
      return false;
  }
  return true;
}

void JoinedFaces::replace_on(const Step& step, Group group, const Plane& plane) {
  const double share = share_of_touch(step, group, plane);
  for (const Member& member : group) {
    if (fresh_of_[index(member.pair)] >= 0) continue;
    const PlacedPart& owner = step.owner(member);
    const std::int32_t face =
        face_in(owner, plane.m, plane.q, steps_of(owner, step.toucher(member)));
    if (face < 0 || is_whole(step, member, owner.normals[index(face)], share)) continue;
    add_fresh(step, member, face, share);
  }
}

void JoinedFaces::add_fresh(const Step& step, const Member& member, std::int32_t face,
                            double share) {
  const PairQuery query = step.query(member);
  if (share < 1.0) {
    const PairQuery first = step.query_at_start(member, work_.placed_start);
    const Ahead poses = step.poses_ahead(member);
    const PairQuery touching = at_share(first, poses, share, work_);
    contacts_on_face(touching, step.owns_a(member), face, work_);
    tell_from_start(first, touching, poses, share, work_.contacts);
  } else {
    contacts_on_face(query, step.owns_a(member), face, work_);
  }
  keep_fresh(step, member);
}

// The contacts in work_ are those of the pair.
void JoinedFaces::keep_fresh(const Step& step, const Member& member) {
  sort_by_features(work_.contacts);
  const PairQuery query = step.query(member);
  const BoxPair& pair = step.pairs[index(member.pair)];
  Range range{static_cast<std::int32_t>(fresh_.size()), 0};
  for (const PairContact& contact : work_.contacts)
    append_contact(step.placed.key_of(pair, contact), query.a.x, contact, fresh_);
  range.end = static_cast<std::int32_t>(fresh_.size());
  fresh_of_[index(member.pair)] = static_cast<std::int32_t>(fresh_range_.size());
  fresh_range_.push_back(range);
}

void JoinedFaces::put_together(const Step& step, ContactSet& contacts) {
  together_.clear();
  for (std::size_t i = 0; i < step.pairs.size(); ++i) {
    const bool is_fresh = fresh_of_[i] >= 0;
    const Range range = is_fresh ? fresh_range_[index(fresh_of_[i])] : range_[i];
    append(is_fresh ? fresh_ : contacts, index(range.begin), index(range.end), together_);
  }
  contacts.clear();
  append(together_, 0, together_.size(), contacts);
}

// Whether the owner's edge or corner of contact c, which no corner of the toucher touches, lies
// inside the joined face, or the corner on a straight rim of it.
bool JoinedFaces::is_inner(const Step& step, Group group, const Member& member,
                           std::int32_t c) const {
  const ContactKey& key = step.contacts.key[index(c)];
  const Feature mine = step.owns_a(member) ? key.feature_a : key.feature_b,
                others = step.owns_a(member) ? key.feature_b : key.feature_a;
  if (is_kind(others, FeatureKind::vertex) || is_kind(mine, FeatureKind::face)) return false;
  const PlacedPart& owner = step.owner(member);
  const Vector3 n = step.normal(member, c);
  const auto nearest = std::max_element(
      owner.normals.begin(), owner.normals.end(),
      [&](const Vector3& one, const Vector3& other) { return one.dot(n) < other.dot(n); });
  const Vector3 m = *nearest, t = m.unitOrthogonal(), s = m.cross(t);
  if (m.dot(n) < same_direction) return false;
  const Vector3 q = step.place(member, c);
  std::array<Arc, 16> arcs;
  std::size_t n_arcs = 0;
  double own = 0.0;
  for (const Member& other : group) {
    const PlacedPart& part = step.owner(other);
    const double eps = make_query(owner, part, 0.0).eps;
    const Vector3 at = q - part.x;
    for (std::size_t f = 0; f < part.normals.size() && n_arcs < arcs.size(); ++f) {
      if (!same_way(part.normals[f], m)) continue;
      if (std::abs(height_over(part, f, at)) > eps) continue;
      const Arc arc = arc_of(part, static_cast<std::int32_t>(f), at, eps, t, s);
      if (arc.length > 0.0) arcs.at(n_arcs++) = arc;
      if (other.pair == member.pair) own = std::max(own, arc.length);
    }
  }
  const double turn = widest_turn(std::span<const Arc>(arcs).first(n_arcs));
  const bool on_straight_rim =
      is_kind(mine, FeatureKind::vertex) && is_kind(others, FeatureKind::face) &&
      own < std::numbers::pi - same_angle && std::abs(turn - std::numbers::pi) <= same_angle;
  return turn >= full_turn - same_angle || on_straight_rim;
}

void JoinedFaces::remove_inner(const Step& step, ContactSet& contacts) {
  inner_.assign(contacts.size(), 0);
  bool any = false;
  for_each_group([&](Group group) {
    double nearest = never, kept = nearest;
    for (const Member& member : group) {
      const Range& range = range_[index(member.pair)];
      for (std::int32_t c = range.begin; c < range.end; ++c) {
        const bool inner = is_inner(step, group, member, c);
        inner_[index(c)] = inner ? 1 : 0;
        nearest = std::min(nearest, contacts.gap[index(c)]);
        if (!inner) kept = std::min(kept, contacts.gap[index(c)]);
        any |= inner;
      }
    }
    // What touches nowhere else touches there: an edge that lies across an edge of the whole.
    if (kept <= nearest + step.steps(group)) return;
    for (const Member& member : group) {
      const Range& range = range_[index(member.pair)];
      std::fill(inner_.begin() + range.begin, inner_.begin() + range.end, std::uint8_t{0});
    }
  });
  if (!any) return;
  std::size_t kept = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (inner_[c] != 0) continue;
    if (kept != c) contacts.move(c, kept);
    ++kept;
  }
  contacts.resize(kept);
}

// In large steps, so that a warm one finds room for what comes and goes.
void JoinedFaces::reserve(const PlacedModel& placed, const std::vector<BoxPair>& pairs,
                          const ContactSet& contacts) {
  const std::size_t n_pairs = pairs.capacity();
  members_.reserve(2 * n_pairs), hidden_pairs_.reserve(2 * n_pairs);
  if (placed.cell().is_periodic()) moved_.reserve(2 * n_pairs);
  range_.reserve(n_pairs), fresh_of_.reserve(n_pairs), fresh_range_.reserve(n_pairs);
  if (inner_.capacity() < contacts.size()) {
    const std::size_t room = 2 * contacts.size();
    fresh_.reserve(room), together_.reserve(room), inner_.reserve(room);
  }
  if (reserved_) return;
  constexpr std::size_t few_planes = 64;
  planes_.reserve(few_planes), deep_planes_.reserve(few_planes), places_.reserve(few_planes),
      hidden_.reserve(most_hidden), work_.axes.barred.reserve(most_hidden);
  work_.reserve(placed.largest_shape());
  reserved_ = true;
}

void JoinedFaces::join(const PlacedModel& placed, const std::vector<BoxPair>& pairs,
                       const Poses& ahead, const Poses* start, ContactSet& contacts) {
  if (!placed.has_joints() || contacts.size() == 0) return;
  reserve(placed, pairs, contacts);
  list_members(placed, pairs);
  if (members_.size() < 2) return;
  const Step step{placed, pairs, ahead, start, contacts, moved_};
  list_ranges(step, contacts);
  fresh_of_.assign(pairs.size(), -1);
  fresh_.clear(), fresh_range_.clear();
  for_each_group([&](Group group) {
    find_planes(step, group);
    drop_deep_planes(step, group);
    prefer_edges(step, group);
    for (const Plane& plane : planes_) replace_on(step, group, plane);
    if (misses_contact(step, group)) {
      for (const Member& member : group) fresh_of_[index(member.pair)] = -1;
    } else if (planes_.empty()) {
      drop_hidden(step, group);
    }
  });
  if (!fresh_range_.empty()) {
    put_together(step, contacts);
    list_ranges(step, contacts);
  }
  remove_inner(step, contacts);
}

}  // namespace scree::collision
