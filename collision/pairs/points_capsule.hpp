// Contacts of a point set, body a, with a capsule: every point by itself.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void points_capsule(const PairQuery& query, const Ahead& ahead, CullingHint& hint, PairWork& work);

}  // namespace scree::collision
