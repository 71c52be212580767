// Points of a segment nearest to other things; for pairs of a capsule.
#pragma once

#include <algorithm>
#include <cmath>

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

// A point of an edge or a corner must stay out of the capsule wherever it is; only those matter
// that look at it, up to this slope [-], so that a capsule across a face or a ridge keeps its
// contacts when it tilts.
constexpr double looks_away = 0.2;

// From one end to the other, of length > 0 [m].
struct Segment {
  Vector3 from = Vector3::Zero(), to = Vector3::Zero();

  Vector3 along() const { return to - from; }
  Vector3 at(double share) const { return from + share * along(); }
  double length() const { return along().norm(); }
  double share_of(const Vector3& x) const {  // of the nearest point of its line
    return along().dot(x - from) / along().squaredNorm();
  }
  double nearest_share(const Vector3& x) const { return std::clamp(share_of(x), 0.0, 1.0); }
};

// The core of a placed capsule, about the centre of its body; about another one that is `d` away.
inline Segment core_of(const PlacedPart& capsule, const Vector3& d = Vector3::Zero()) {
  return {capsule.points[0] - d, capsule.points[1] - d};
}

// What of a capsule is at a share of its core: an end, or the mantle.
inline Feature core_feature(double share) {
  return share <= 0.0 ? vertex_feature(0) : share >= 1.0 ? vertex_feature(1) : surface_feature();
}

// Where the lines of two segments come nearest to each other; none if they are parallel.
struct LinesNearest {
  bool parallel = true;
  double share_one = 0.0, share_other = 0.0;

  // Between the ends of both, and not within `margin` [m] of one.
  bool inside(const Segment& one, const Segment& other, double margin) const {
    const double m = margin / one.length(), n = margin / other.length();
    return !parallel && share_one > m && share_one < 1.0 - m && share_other > n &&
           share_other < 1.0 - n;
  }
};

inline LinesNearest nearest_of_lines(const Segment& one, const Segment& other) {
  constexpr double least_sine = 1e-6;
  const Vector3 u = one.along(), v = other.along(), w = other.from - one.from;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v);
  const double det = u.cross(v).squaredNorm();
  if (det <= least_sine * least_sine * uu * vv) return {};
  const double uw = u.dot(w), vw = v.dot(w);
  return {false, (vv * uw - uv * vw) / det, (uv * uw - uu * vw) / det};
}

// Contact of two balls at `at_a` and `at_b`, both about the centre of a; along `otherwise` if they
// have one centre. Added if it is within reach.
inline void add_ball_contact(const PairQuery& query, const Vector3& at_a, double radius_a,
                             const Vector3& at_b, double radius_b, Feature feature_a,
                             Feature feature_b, const Vector3& otherwise, PairWork& work) {
  const Vector3 between = at_b - at_a;
  const double distance = between.norm();
  PairContact contact;
  contact.feature_a = feature_a;
  contact.feature_b = feature_b;
  contact.normal = distance > 0.0 ? Vector3(between / distance) : otherwise;
  contact.gap = distance - radius_a - radius_b;
  if (contact.gap > query.reach) return;
  contact.point_a = at_a + radius_a * contact.normal;
  contact.point_b = at_b - radius_b * contact.normal;
  work.contacts.push_back(contact);
}

// A unit vector across a direction.
inline Vector3 any_across(const Vector3& direction) {
  const Vector3 u = direction.normalized();
  return u.cross(std::abs(u.x()) < 0.9 ? Vector3::UnitX() : Vector3::UnitY()).normalized();
}

}  // namespace scree::collision
