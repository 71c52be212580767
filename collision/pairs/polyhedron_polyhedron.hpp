// Contacts of two convex polyhedra.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

// Fills work.contacts. `hint.axis` is tried first and replaced by a better one: it
// saves time and cannot change the result.
void polyhedron_polyhedron(const PairQuery& query, const Ahead& ahead, CullingHint& hint,
                           PairWork& work);

}  // namespace scree::collision
