// Contacts of a convex polyhedron with a half-space: every vertex within reach.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

// Replaces work.contacts. Body a is the polyhedron (or a point set), body b the half-space.
void polyhedron_half_space(const PairQuery& query, PairWork& work);

}  // namespace scree::collision
