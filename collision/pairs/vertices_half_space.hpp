// Contacts of the vertices of a polyhedron or a point set, body a, with a half-space.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void vertices_half_space(const PairQuery& query, const Ahead& ahead, CullingHint& hint,
                         PairWork& work);

}  // namespace scree::collision
