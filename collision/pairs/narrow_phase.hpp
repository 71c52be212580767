// Contacts of one pair of parts, whatever their shapes.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

// True when two shapes of these kinds can touch (walls do not touch each other, nor point sets).
bool can_touch(PartKind a, PartKind b);

// The query of two placed parts whose surfaces may approach each other by `reach` [m].
PairQuery make_query(const PlacedPart& a, const PlacedPart& b, double reach);

// Fills work.contacts, sorted by features. `hint` is remembered between calls for the same pair.
void narrow_phase(const PairQuery& query, const Ahead& ahead, CullingHint& hint, PairWork& work);

// The order that narrow_phase gives to contacts.
void sort_by_features(std::vector<PairContact>& contacts);

// Depth [m] of the overlap, the smallest translation that separates the two; negative or zero when
// they do not overlap.
double overlap_depth(const PairQuery& query, PairWork& work);

}  // namespace scree::collision
