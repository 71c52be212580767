// Contacts of two capsules: where their cores come nearest to each other, and the ends of each with
// the other, so that two that lie along each other touch at both ends of where they do.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void capsule_capsule(const PairQuery& query, const Ahead& ahead, CullingHint& hint, PairWork& work);

}  // namespace scree::collision
