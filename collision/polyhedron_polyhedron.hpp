// Contacts of two convex polyhedra.
#pragma once

#include "collision/pair_contacts.hpp"

namespace scree::collision {

// Fills work.contacts. `culling_axis` (unit, or zero when unknown) is tried first and replaced by a better one: it
// saves time and cannot change the result.
void polyhedron_polyhedron(const PairQuery& query, const Ahead& ahead, Vector3& culling_axis, PairWork& work);

}  // namespace scree::collision
