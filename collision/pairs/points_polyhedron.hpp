// Contacts of a point set, body a, with a convex polyhedron: every point by itself.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void points_polyhedron(const PairQuery& query, const Ahead& ahead, CullingHint& hint,
                       PairWork& work);

}  // namespace scree::collision
