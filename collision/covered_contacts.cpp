#include "collision/covered_contacts.hpp"

#include <algorithm>

#include "collision/pairs/covering_face.hpp"
#include "collision/polyhedra/tolerances.hpp"
#include "engine/base/index.hpp"

namespace scree::collision {
namespace {

// A part, or its image in `memory`.
const PlacedPart& image_of(const PlacedModel& placed, std::int32_t part, ImageCode image,
                           PlacedPart& memory) {
  if (image == 0) return placed.part(part);
  memory = placed.part(part);
  memory.x += placed.offset(image);
  return memory;
}

}  // namespace

void CoveredContacts::list_partners(const PlacedModel& placed, const std::vector<BoxPair>& pairs) {
  first_partner_.assign(placed.n_bodies() + 1, 0);
  for (const BoxPair& pair : pairs) {
    ++first_partner_[index(placed.body(pair.first)) + 1];
    ++first_partner_[index(placed.body(pair.second)) + 1];
  }
  for (std::size_t i = 0; i < placed.n_bodies(); ++i) first_partner_[i + 1] += first_partner_[i];
  next_.assign(first_partner_.begin(), first_partner_.end() - 1);
  partners_.reserve(2 * pairs.capacity());
  partners_.resize(2 * pairs.size());
  const bool images = placed.cell().is_periodic();
  if (images) image_.reserve(2 * pairs.capacity());
  image_.resize(images ? 2 * pairs.size() : 0);
  for (const BoxPair& pair : pairs) {
    const std::size_t of_first = index(next_[index(placed.body(pair.first))]++),
                      of_second = index(next_[index(placed.body(pair.second))]++);
    partners_[of_first] = pair.second;
    partners_[of_second] = pair.first;
    if (images) image_[of_first] = pair.image, image_[of_second] = -pair.image;
  }
}

// Whether a neighbour covers contact c on the surface of part a (or b). Told where a is, and the
// image of b.
bool CoveredContacts::is_covered(const PlacedModel& placed, const ContactSet& contacts,
                                 std::size_t c, bool on_a) const {
  const ContactKey& key = contacts.key[c];
  const BodyIndex owner_body = on_a ? key.body_a : key.body_b,
                  other_body = on_a ? key.body_b : key.body_a;
  const std::int32_t first = first_partner_[index(other_body)],
                     last = first_partner_[index(other_body) + 1];
  if (last - first < 2) return false;
  const std::int32_t owner = placed.first_part(owner_body) + (on_a ? key.part_a : key.part_b);
  const ImageCode owner_image = on_a ? 0 : key.image, other_image = on_a ? key.image : 0;
  PlacedPart moved_part, moved_other, moved_neighbour;
  const PlacedPart &part = image_of(placed, owner, owner_image, moved_part),
                   &other = image_of(
                       placed, placed.first_part(other_body) + (on_a ? key.part_b : key.part_a),
                       other_image, moved_other);
  if (part.kind() != PartKind::polyhedron) return false;
  const double tolerance = shallow_step * std::min(part.size(), other.size());
  const Vector3& q = on_a ? contacts.point_a[c] : contacts.point_b[c];
  const Vector3 n = on_a ? contacts.normal[c] : Vector3(-contacts.normal[c]);
  for (std::int32_t i = first; i < last; ++i) {
    const std::int32_t candidate = partners_[index(i)];
    const ImageCode image = image_.empty() ? 0 : other_image + image_[index(i)];
    if ((candidate == owner && image == owner_image) || !can_cover(placed.part(candidate)))
      continue;
    const PlacedPart& neighbour = image_of(placed, candidate, image, moved_neighbour);
    const Bounds& box = placed.bounds(candidate);
    const Eigen::Array3d at = (q - neighbour.x).array();
    if ((at < box.low.array() - tolerance).any() || (at > box.high.array() + tolerance).any())
      continue;
    if (covering_face(neighbour, {part, other, q, n, contacts.gap[c], tolerance, keep_flush_}) >= 0)
      return true;
  }
  return false;
}

// Of the contacts [begin, end) of one pair of parts, those are left out that have all of the same
// normal covered: one that is not settles it for all of its normal.
void CoveredContacts::mark_left_out(const PlacedModel& placed, const ContactSet& contacts,
                                    std::size_t begin, std::size_t end) {
  enum : std::uint8_t { open, stays, covered };
  left_out_.assign(end - begin, open);
  for (std::size_t c = begin; c < end; ++c) {
    if (left_out_[c - begin] == stays) continue;
    if (is_covered(placed, contacts, c, true) || is_covered(placed, contacts, c, false)) {
      left_out_[c - begin] = covered;
      continue;
    }
    for (std::size_t other = begin; other < end; ++other) {
      if (contacts.normal[other].dot(contacts.normal[c]) > 1.0 - same_place)
        left_out_[other - begin] = stays;
    }
    left_out_[c - begin] = stays;
  }
  for (std::uint8_t& mark : left_out_) mark = mark == covered ? 1 : 0;
}

void CoveredContacts::remove(const PlacedModel& placed, const std::vector<BoxPair>& pairs,
                             bool keep_flush, ContactSet& contacts) {
  keep_flush_ = keep_flush;
  if (contacts.size() == 0) return;
  list_partners(placed, pairs);
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
    const ContactKey& key = contacts.key[begin];
    const auto same_pair = [&](const ContactKey& other) {
      return other.body_a == key.body_a && other.body_b == key.body_b &&
             other.part_a == key.part_a && other.part_b == key.part_b && other.image == key.image;
    };
    for (end = begin + 1; end < contacts.size() && same_pair(contacts.key[end]);) ++end;
    mark_left_out(placed, contacts, begin, end);
    for (std::size_t c = begin; c < end; ++c) {
      if (left_out_[c - begin] != 0) continue;
      if (kept != c) contacts.move(c, kept);
      ++kept;
    }
  }
  contacts.resize(kept);
}

}  // namespace scree::collision
