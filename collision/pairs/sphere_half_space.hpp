// Contact of a sphere, body a, with a half-space: closed form.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void sphere_half_space(const PairQuery& query, const Ahead& ahead, CullingHint& hint,
                       PairWork& work);

}  // namespace scree::collision
