// Contacts of a capsule, body a, with a round wall: one at each end, as the distance from the axis
// is largest there. A rim touches the ends only, as it touches balls only.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void capsule_cylinder_wall(const PairQuery& query, const Ahead& ahead, CullingHint& hint,
                           PairWork& work);

}  // namespace scree::collision
