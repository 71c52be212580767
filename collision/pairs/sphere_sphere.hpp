// Contact of two spheres: closed form.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void sphere_sphere(const PairQuery& query, const Ahead& ahead, CullingHint& hint, PairWork& work);

}  // namespace scree::collision
