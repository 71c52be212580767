// Contact of a sphere, body a, with a convex polyhedron: that of its nearest surface point.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void sphere_polyhedron(const PairQuery& query, const Ahead& ahead, CullingHint& hint,
                       PairWork& work);

}  // namespace scree::collision
