// Joined faces where they are cut: normals of one part that the surface of all parts has not, as
// they point into another part.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "collision/joined_faces_step.hpp"
#include "collision/pairs/covering_face.hpp"

namespace scree::collision {
namespace {

// Whether a normal is a nonnegative sum of those of faces: one that a convex corner of them has.
bool is_in_cone(const Vector3& n, std::span<const Vector3> faces) {
  constexpr double nearly = 1e-9;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (same_way(n, faces[i])) return true;
    for (std::size_t j = i + 1; j < faces.size(); ++j) {
      const Vector3 normal = faces[i].cross(faces[j]);
      const double square = normal.squaredNorm();
      if (square <= nearly * nearly) continue;
      const Vector3 shares(n.cross(faces[j]).dot(normal), faces[i].cross(n).dot(normal),
                           n.dot(normal));
      if (shares.head<2>().minCoeff() >= -nearly * square &&
          std::abs(shares.z()) <= nearly * std::sqrt(square))
        return true;
      for (std::size_t k = j + 1; k < faces.size(); ++k) {
        const double volume = normal.dot(faces[k]);
        if (std::abs(volume) <= nearly) continue;
        const Vector3 third(n.cross(faces[j]).dot(faces[k]), faces[i].cross(n).dot(faces[k]),
                            normal.dot(n));
        if ((third / volume).minCoeff() >= -nearly) return true;
      }
    }
  }
  return false;
}

}  // namespace

// Whether the normal at a touched place is one that the surface of all parts has not: a face about
// the place looks into another part, and the normal is none between the faces that look out.
bool JoinedFaces::lacks_normal(const Step& step, Group group, const Member& member,
                               const TouchedPlace& place) const {
  std::array<Vector3, 16> open;
  std::size_t n_open = 0;
  // Adds the faces of a pair's owner that look out; whether there are others.
  const auto add_open = [&](const Member& one) {
    const TouchedPlace of_one{step.owner(one), place.toucher, place.q,
                              place.n,         place.gap,     place.tolerance};
    bool any = false;
    for (std::size_t f = 0; f < of_one.owner.normals.size(); ++f) {
      if (!is_on_face(of_one.owner, f, of_one)) continue;
      const Vector3& m = of_one.owner.normals[f];
      const bool hidden = std::any_of(group.begin(), group.end(), [&](const Member& other) {
        return other.pair != one.pair && hides(step.owner(other), m, of_one);
      });
      any |= hidden;
      if (!hidden && n_open < open.size()) open[n_open++] = m;
    }
    return any;
  };
  if (!add_open(member)) return false;
  for (const Member& one : group) {
    if (one.pair != member.pair && has_place(step.owner(one), place.q, place.tolerance))
      add_open(one);
  }
  if (n_open == open.size()) return false;
  const std::span<const Vector3> faces = std::span(open).first(n_open);
  // In a corner that goes in, each face bears for itself.
  const bool goes_in = std::any_of(group.begin(), group.end(), [&](const Member& one) {
    const PlacedPart& owner = step.owner(one);
    return has_place(owner, place.q, place.tolerance) &&
           std::any_of(faces.begin(), faces.end(), [&](const Vector3& m) {
             return !lies_below(owner, m, place.q, place.tolerance);
           });
  });
  return !goes_in && !is_in_cone(place.n, faces);
}

// The same at all places in places_.
bool JoinedFaces::lacks_normals(const Step& step, Group group, const Member& member) const {
  return std::all_of(places_.begin(), places_.end(), [&](const TouchedPlace& place) {
    return lacks_normal(step, group, member, place);
  });
}

// Where there are no planes: pairs whose normals point into other parts have no contacts if others
// touch at their places.
void JoinedFaces::drop_hidden(const Step& step, Group group) {
  hidden_pairs_.clear();
  const auto touches = [&](const Member& member) { return !range_[index(member.pair)].empty(); };
  if (std::count_if(group.begin(), group.end(), touches) < 2) return;
  for (const Member& member : group) {
    const Range& range = range_[index(member.pair)];
    if (range.empty() || fresh_of_[index(member.pair)] >= 0) continue;
    bool lacks = true;
    for (std::int32_t c = range.begin; lacks && c < range.end; ++c)
      lacks = step.contacts.touch[index(c)] >= 1.0 &&
              lacks_normal(step, group, member, touched_place(step, member, c));
    if (lacks) hidden_pairs_.push_back(&member);
  }
  for (const Member* member : hidden_pairs_) {
    if (!is_held_beside(step, group, *member)) continue;
    work_.contacts.clear();
    keep_fresh(step, *member);
  }
}

// Whether pairs of the group whose normals are not hidden touch at the places of a pair's contacts,
// but for a few times the gaps, and at least half as deep. Such a contact must have the pair's
// owner below it: what rises above it bears for itself.
bool JoinedFaces::is_held_beside(const Step& step, Group group, const Member& member) const {
  constexpr double few = 10.0, half = 0.5;
  const double steps = step.steps(group);
  const PlacedPart& owner = step.owner(member);
  const auto is_held = [&](const Vector3& place, double gap) {
    const double largest = (gap < 0.0 ? half : 1.0) * gap + steps;
    return std::any_of(group.begin(), group.end(), [&](const Member& other) {
      if (std::find(hidden_pairs_.begin(), hidden_pairs_.end(), &other) != hidden_pairs_.end())
        return false;
      const std::int32_t fresh = fresh_of_[index(other.pair)];
      const ContactSet& contacts = fresh < 0 ? step.contacts : fresh_;
      const Range range = fresh < 0 ? range_[index(other.pair)] : fresh_range_[index(fresh)];
      for (std::int32_t c = range.begin; c < range.end; ++c) {
        const double other_gap = contacts.gap[index(c)];
        const double larger = std::max(std::abs(gap), std::abs(other_gap));
        const double far = few * (std::min(larger, few * steps) + steps);
        const Vector3 other_place = step.place(other, contacts, c);
        if (other_gap <= largest && (other_place - place).norm() <= far &&
            lies_below(owner, step.normal(other, contacts, c), other_place,
                       std::min(larger, few * steps) + steps))
          return true;
      }
      return false;
    });
  };
  const Range& range = range_[index(member.pair)];
  for (std::int32_t c = range.begin; c < range.end; ++c) {
    if (!is_held(step.place(member, c), step.contacts.gap[index(c)])) return false;
  }
  return true;
}

}  // namespace scree::collision
