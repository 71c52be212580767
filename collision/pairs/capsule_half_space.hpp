// Contacts of a capsule, body a, with a half-space: one at each end.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void capsule_half_space(const PairQuery& query, const Ahead& ahead, CullingHint& hint,
                        PairWork& work);

}  // namespace scree::collision
