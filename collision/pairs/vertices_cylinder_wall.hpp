// Contacts of the vertices of a polyhedron or a point set, body a, with a round wall.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void vertices_cylinder_wall(const PairQuery& query, const Ahead& ahead, CullingHint& hint,
                            PairWork& work);

}  // namespace scree::collision
