// Contacts of a capsule, body a, with a convex polyhedron: each end with its nearest surface point,
// and where the core passes over edges and corners, so that one that lies on a face touches at its
// ends or where it leaves the face.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void capsule_polyhedron(const PairQuery& query, const Ahead& ahead, CullingHint& hint,
                        PairWork& work);

}  // namespace scree::collision
