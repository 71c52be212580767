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

// Whether the normal at a touched place is one that the surface of all parts has not: it has a part
// along a face that looks into another part, and is none between the faces that look out.
bool JoinedFaces::lacks_normal(const Step& step, Group group, const Member& member,
                               const TouchedPlace& place) const {
  std::array<Vector3, 16> open;
  std::size_t n_open = 0;
  bool any = false;
  for (const Member& one : group) {
    const PlacedPart& owner = step.owner(one);
    if (!has_place(owner, place.q, place.tolerance)) continue;
    const TouchedPlace of_one{owner, place.toucher, place.q, place.n, place.gap, place.tolerance};
    for (std::size_t f = 0; f < owner.normals.size(); ++f) {
      const Vector3& m = owner.normals[f];
      if (!is_on_face(owner, f, of_one)) continue;
      const bool hidden = std::any_of(group.begin(), group.end(), [&](const Member& other) {
        return other.pair != one.pair && hides(step.owner(other), m, of_one);
      });
      if (hidden) {
        any |= one.pair == member.pair;
      } else if (n_open < open.size()) {
        open[n_open++] = m;
      } else {
        return false;
      }
    }
  }
  return any && !is_in_cone(place.n, std::span(open).first(n_open));
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
  for (const Member& member : group) {
    if (fresh_of_[index(member.pair)] >= 0) continue;
    if (!list_places(step, group, member)) continue;
    if (lacks_normals(step, group, member)) hidden_pairs_.push_back(&member);
  }
  for (const Member* member : hidden_pairs_) {
    if (!is_held_beside(step, group, *member)) continue;
    work_.contacts.clear();
    keep_fresh(step, *member);
  }
}

// Whether pairs of the group whose normals are not hidden touch at the places of a pair's contacts,
// but for a few times the gaps, and at least half as deep.
bool JoinedFaces::is_held_beside(const Step& step, Group group, const Member& member) const {
  constexpr double few = 10.0, half = 0.5;
  const double steps = step.steps(group);
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
        if (other_gap <= largest && (step.place(other, contacts, c) - place).norm() <= far)
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
