// A capsule against a terrain: its two ends as balls, and its mantle across convex edges and over
// peaked nodes of the ground.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void capsule_terrain(const PairQuery& query, const Ahead& ahead, CullingHint& hint, PairWork& work);

}  // namespace scree::collision
