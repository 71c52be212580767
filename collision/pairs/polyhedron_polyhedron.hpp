// Contacts of two convex polyhedra.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

// Fills work.contacts. `hint.axis` is tried first and replaced by a better one: it
// saves time and cannot change the result.
void polyhedron_polyhedron(const PairQuery& query, const Ahead& ahead, CullingHint& hint,
                           PairWork& work);

// The axis of the pair that points along none of `hidden` (unit, from a to b), which another part
// takes up there. Its contacts are in work.contacts if it is one of edges; other ones are not made.
Axis axis_beside_hidden(const PairQuery& query, const std::vector<Vector3>& hidden, PairWork& work);

}  // namespace scree::collision
