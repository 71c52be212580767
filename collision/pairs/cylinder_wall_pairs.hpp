// What a round vessel keeps in, against its wall from the inside. Closed forms: seen from the
// inside the wall is concave, so a polyhedron touches it with vertices only.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

// Fill work.contacts; body b is the cylinder wall. The first takes polyhedra and point sets, with
// one contact a vertex within reach.
void vertices_cylinder_wall(const PairQuery& query, PairWork& work);
void sphere_cylinder_wall(const PairQuery& query, PairWork& work);

}  // namespace scree::collision
