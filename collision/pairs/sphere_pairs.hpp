// Contacts of a sphere with another sphere, a half-space and a convex polyhedron: closed forms.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

// Each replaces work.contacts by at most one contact. The sphere is body a.
void sphere_sphere(const PairQuery& query, PairWork& work);
void sphere_half_space(const PairQuery& query, PairWork& work);
void sphere_polyhedron(const PairQuery& query, const Ahead& ahead, PairWork& work);

}  // namespace scree::collision
