// Contact of a capsule, body a, with a sphere: that of the nearest point of its core.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void capsule_sphere(const PairQuery& query, const Ahead& ahead, CullingHint& hint, PairWork& work);

}  // namespace scree::collision
