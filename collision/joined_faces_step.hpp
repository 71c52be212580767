// What the parts of JoinedFaces share while they look at one step.
#pragma once

#include <algorithm>
#include <vector>

#include "collision/joined_faces.hpp"
#include "collision/polyhedra/tolerances.hpp"
#include "engine/base/index.hpp"

namespace scree::collision {

inline constexpr std::size_t most_hidden = 8;  // directions of one place

inline bool same_way(const Vector3& one, const Vector3& other) {
  return (one - other).norm() <= same_place;
}

// [m] Steps between two parts that count as flush.
inline double steps_of(const PlacedPart& one, const PlacedPart& other) {
  return shallow_step * std::min(one.size(), other.size());
}

// Contacts of one face with all of the other part's lower side over it.
void contacts_on_face(const PairQuery& query, bool of_a, std::int32_t face, PairWork& work);

struct JoinedFaces::Step {
  const PlacedModel& placed;
  const std::vector<BoxPair>& pairs;
  const Poses& ahead;
  const Poses* start;
  const ContactSet& contacts;
  const std::vector<PlacedPart>& moved;

  // Members are looked at where the toucher is; contacts and queries where the first of the pair
  // is, which then may be an image of the owner.
  bool owns_a(const Member& member) const {
    return pairs[index(member.pair)].first == member.owner;
  }
  const PlacedPart& owner(const Member& member) const {
    return member.moved < 0 ? placed.part(member.owner) : moved[index(member.moved)];
  }
  const PlacedPart& toucher(const Member& member) const { return placed.part(member.toucher); }
  // [m] that count as flush.
  double steps(Group group) const { return steps_of(owner(group[0]), toucher(group[0])); }
  PairQuery query(const Member& member) const { return placed.query(pairs[index(member.pair)]); }
  Ahead poses_ahead(const Member& member) const {
    return placed.ahead(pairs[index(member.pair)], ahead);
  }
  // From where the toucher is to where it is looked at as the second of its pair.
  Vector3 way_to_toucher(const Member& member) const {
    return owns_a(member) && member.moved >= 0 ? placed.offset(pairs[index(member.pair)].image)
                                               : Vector3(Vector3::Zero());
  }
  // The pair where the step begins, in `memory` unless that is now.
  PairQuery query_at_start(const Member& member, std::vector<Vector3>& memory) const {
    const PairQuery now = query(member);
    if (start == nullptr) return now;
    return place_ahead(now, placed.ahead(pairs[index(member.pair)], *start), memory);
  }
  // On the surface of the owner, outward.
  Vector3 place(const Member& member, const ContactSet& of, std::int32_t c) const {
    const Vector3& point = owns_a(member) ? of.point_a[index(c)] : of.point_b[index(c)];
    return member.moved < 0 ? point : Vector3(point - way_to_toucher(member));
  }
  Vector3 place(const Member& member, std::int32_t c) const { return place(member, contacts, c); }
  Vector3 normal(const Member& member, const ContactSet& of, std::int32_t c) const {
    return owns_a(member) ? of.normal[index(c)] : Vector3(-of.normal[index(c)]);
  }
  Vector3 normal(const Member& member, std::int32_t c) const { return normal(member, contacts, c); }
};

}  // namespace scree::collision
