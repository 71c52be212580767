// Contacts with what a flush neighbour covers: no contact of the union.
//
// Blocks that lie flush, parts of a compound and the triangles of a plate meet at edges that are
// none of the whole. A contact on the surface of part P with the outward normal n at the point q is
// invented if some other part N, near the same body, has q on its surface and
//  1. n is no normal of N there: N reaches farther along n than q does;
//  2. the touching body lies on a face of N whose plane has P below it: P and N are flush there. n
//  does not point below the plane, and q
//     lies in it, or as deep below it as an impact carried the touching body.
// Then what touches at q is above that face, and the union's normals there are those that both
// admit. Points of a pair with one normal are left out only when all are so covered: a wall that
// stands on a floor keeps all of its contacts, down to the corner. A step between the two of up to
// `shallow_step` counts as flush. One rule for bodies and for parts of one body.
#pragma once

#include <vector>

#include "collision/broad/broad_phase.hpp"
#include "collision/placed_model.hpp"
#include "engine/model/contact_set.hpp"

namespace scree::collision {

class CoveredContacts {
 public:
  // Takes the covered ones out of `contacts`, which are sorted by key; `pairs` are those they were
  // found for. `keep_flush`: what a face of nearly the same normal covers stays.
  void remove(const PlacedModel& placed, const std::vector<BoxPair>& pairs, bool keep_flush,
              ContactSet& contacts);

 private:
  void list_partners(const PlacedModel& placed, const std::vector<BoxPair>& pairs);
  bool is_covered(const PlacedModel& placed, const ContactSet& contacts, std::size_t c,
                  bool on_a) const;
  void mark_left_out(const PlacedModel& placed, const ContactSet& contacts, std::size_t begin,
                     std::size_t end);

  std::vector<std::int32_t> first_partner_;  // [n_bodies + 1] into partners_
  std::vector<std::int32_t> partners_;       // parts that come near each body
  std::vector<ImageCode> image_;             // [n_partners] in what image; empty: none is one
  std::vector<std::int32_t> next_;           // [n_bodies] scratch
  std::vector<std::uint8_t> left_out_;       // of the contacts of one pair
  bool keep_flush_ = false;
};

}  // namespace scree::collision
