// Contacts of a point set, body a, with a sphere: every point by itself.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void points_sphere(const PairQuery& query, const Ahead& ahead, CullingHint& hint, PairWork& work);

}  // namespace scree::collision
