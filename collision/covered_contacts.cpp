#include "collision/covered_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/polyhedra/tolerances.hpp"

namespace scree::collision {
namespace {

// A toucher that is sunk deeper than this share of its size does not lie on a face.
constexpr double deep_share = 0.05;

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

bool is_solid(const PlacedPart& part) { return part.kind() == PartKind::polyhedron; }

// Whether all of `part` is below the plane of outward normal m through q (world axes, [m]).
bool lies_below(const PlacedPart& part, const Vector3& m, const Vector3& q, double tolerance) {
  const double limit = m.dot(q - part.x) + tolerance;
  return std::none_of(part.points.begin(), part.points.end(),
                      [&](const Vector3& point) { return m.dot(point) > limit; });
}

// How far `part` reaches below the plane of outward normal m through q [m].
double sunk_below(const PlacedPart& part, const Vector3& m, const Vector3& q) {
  double low = std::numeric_limits<double>::infinity();
  for (const Vector3& point : part.points) low = std::min(low, m.dot(point));
  if (part.kind() == PartKind::sphere) low -= part.sphere().radius;
  return m.dot(q - part.x) - low;
}

// A place on the surface of `owner` where `toucher` touches it along the outward normal n.
struct TouchedPlace {
  const PlacedPart& owner;
  const PlacedPart& toucher;
  Vector3 q, n;
  double tolerance;  // [m] of steps
};

// Whether the toucher lies on the face of outward normal m, `height` [m] of q above it, and the
// owner is below it. Where an impact carried the toucher into the face, q may be as deep.
bool lies_on(const TouchedPlace& place, const Vector3& m, double height) {
  constexpr double level = -same_place;  // n may lie in the plane of the face
  if (height > place.tolerance || m.dot(place.n) < level) return false;
  const double sunk = sunk_below(place.toucher, m, place.q) - height;
  if (sunk > deep_share * place.toucher.size() || height < -std::max(sunk, 0.0) - place.tolerance)
    return false;
  return lies_below(place.owner, m, place.q - height * m, place.tolerance);
}

bool covers(const PlacedPart& neighbour, const TouchedPlace& place) {
  const Vector3 at = place.q - neighbour.x;
  if (neighbour.kind() == PartKind::half_space) {
    const Vector3& m = neighbour.normals[0];
    return m.cross(place.n).norm() > same_place &&
           lies_on(place, m, m.dot(at) - neighbour.offset());
  }
  const double size = neighbour.size();
  if (at.squaredNorm() > 4.0 * size * size) return false;
  const std::vector<double>& offset = neighbour.solid().face_offset;
  double highest = -size;
  for (std::size_t f = 0; f < neighbour.normals.size(); ++f) {
    highest = std::max(highest, neighbour.normals[f].dot(at) - offset[f]);
    if (highest > place.tolerance) return false;
  }
  // How far it reaches along n, but for the step between the two.
  const double step = std::min(std::abs(highest), place.tolerance);
  const double limit =
      place.n.dot(at) + 2.0 * step + same_place * std::min(size, place.owner.size());
  const auto reaches = [&](const Vector3& point) { return place.n.dot(point) > limit; };
  if (std::none_of(neighbour.points.begin(), neighbour.points.end(), reaches)) return false;
  for (std::size_t f = 0; f < neighbour.normals.size(); ++f) {
    if (lies_on(place, neighbour.normals[f], neighbour.normals[f].dot(at) - offset[f])) return true;
  }
  return false;
}

}  // namespace

void CoveredContacts::list_partners(const PlacedModel& placed, const std::vector<BoxPair>& pairs) {
  std::size_t n_bodies = 0;
  for (std::int32_t p = 0; p < placed.n_parts(); ++p)
    n_bodies = std::max(n_bodies, index(placed.body(p)) + 1);
  first_part_.assign(n_bodies, 0);
  for (std::int32_t p = placed.n_parts() - 1; p >= 0; --p) first_part_[index(placed.body(p))] = p;
  first_partner_.assign(n_bodies + 1, 0);
  for (const BoxPair& pair : pairs) {
    ++first_partner_[index(placed.body(pair.first)) + 1];
    ++first_partner_[index(placed.body(pair.second)) + 1];
  }
  for (std::size_t i = 0; i < n_bodies; ++i) first_partner_[i + 1] += first_partner_[i];
  next_.assign(first_partner_.begin(), first_partner_.end() - 1);
  partners_.reserve(2 * pairs.capacity());
  partners_.resize(2 * pairs.size());
  for (const BoxPair& pair : pairs) {
    partners_[index(next_[index(placed.body(pair.first))]++)] = pair.second;
    partners_[index(next_[index(placed.body(pair.second))]++)] = pair.first;
  }
}

// The contacts [begin, end) of one pair of parts, on the surface of part a (or b): marks those that
// a neighbour covers.
void CoveredContacts::mark_covered(const PlacedModel& placed, const ContactSet& contacts,
                                   std::size_t begin, std::size_t end, bool on_a) {
  const ContactKey& key = contacts.key[begin];
  const BodyIndex owner_body = on_a ? key.body_a : key.body_b,
                  other_body = on_a ? key.body_b : key.body_a;
  const std::int32_t owner = first_part_[index(owner_body)] + (on_a ? key.part_a : key.part_b);
  const PlacedPart &part = placed.part(owner),
                   &other = placed.part(first_part_[index(other_body)] +
                                        (on_a ? key.part_b : key.part_a));
  if (!is_solid(part)) return;
  const std::int32_t first = first_partner_[index(other_body)],
                     last = first_partner_[index(other_body) + 1];
  if (last - first < 2) return;
  const double tolerance = shallow_step * std::min(part.size(), other.size());
  for (std::size_t c = begin; c < end; ++c) {
    const Vector3& q = on_a ? contacts.point_a[c] : contacts.point_b[c];
    const Vector3 n = on_a ? contacts.normal[c] : Vector3(-contacts.normal[c]);
    for (std::int32_t i = first; i < last && covered_[c - begin] == 0; ++i) {
      const std::int32_t candidate = partners_[index(i)];
      const PlacedPart& neighbour = placed.part(candidate);
      if (candidate == owner || (!is_solid(neighbour) && neighbour.kind() != PartKind::half_space))
        continue;
      covered_[c - begin] = covers(neighbour, {part, other, q, n, tolerance}) ? 1 : 0;
    }
  }
}

// A contact is left out if all of its pair with the same normal are covered.
bool CoveredContacts::is_left_out(const ContactSet& contacts, std::size_t begin, std::size_t end,
                                  std::size_t c) const {
  if (covered_[c - begin] == 0) return false;
  for (std::size_t other = begin; other < end; ++other) {
    if (covered_[other - begin] == 0 &&
        contacts.normal[other].dot(contacts.normal[c]) > 1.0 - same_place)
      return false;
  }
  return true;
}

void CoveredContacts::remove(const PlacedModel& placed, const std::vector<BoxPair>& pairs,
                             ContactSet& contacts) {
  if (contacts.size() == 0) return;
  list_partners(placed, pairs);
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
    const ContactKey& key = contacts.key[begin];
    const auto same_pair = [&](const ContactKey& other) {
      return other.body_a == key.body_a && other.body_b == key.body_b &&
             other.part_a == key.part_a && other.part_b == key.part_b;
    };
    for (end = begin + 1; end < contacts.size() && same_pair(contacts.key[end]);) ++end;
    covered_.assign(end - begin, 0);
    mark_covered(placed, contacts, begin, end, true);
    mark_covered(placed, contacts, begin, end, false);
    left_out_.assign(end - begin, 0);
    for (std::size_t c = begin; c < end; ++c)
      left_out_[c - begin] = is_left_out(contacts, begin, end, c) ? 1 : 0;
    for (std::size_t c = begin; c < end; ++c) {
      if (left_out_[c - begin] != 0) continue;
      if (kept != c) contacts.move(c, kept);
      ++kept;
    }
  }
  contacts.resize(kept);
}

}  // namespace scree::collision
