#include "collision/covered_contacts.hpp"

#include <algorithm>

#include "collision/pairs/covering_face.hpp"
#include "collision/polyhedra/tolerances.hpp"

namespace scree::collision {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

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
  if (part.kind() != PartKind::polyhedron) return;
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
      if (candidate == owner || !can_cover(neighbour)) continue;
      covered_[c - begin] = covering_face(neighbour, {part, other, q, n, tolerance}) >= 0 ? 1 : 0;
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
