// Contacts of a point set: every point by itself, a sphere of radius zero.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

// Each replaces work.contacts by at most one contact a point. The point set is body a.
void points_half_space(const PairQuery& query, PairWork& work);
void points_sphere(const PairQuery& query, PairWork& work);
void points_polyhedron(const PairQuery& query, const Ahead& ahead, PairWork& work);

}  // namespace scree::collision
