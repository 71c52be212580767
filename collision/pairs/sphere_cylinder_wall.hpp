// Contact of a sphere, body a, with a round wall.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void sphere_cylinder_wall(const PairQuery& query, const Ahead& ahead, CullingHint& hint,
                          PairWork& work);

}  // namespace scree::collision
