// Balls and points against a terrain: what each touches by itself (ground_touches.hpp).
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void sphere_terrain(const PairQuery& query, const Ahead& ahead, CullingHint& hint, PairWork& work);
void points_terrain(const PairQuery& query, const Ahead& ahead, CullingHint& hint, PairWork& work);

// Adds what a ball of body a about `centre` touches of terrain b, and leaves it in work.touches.
// Where that is one place it is named by the terrain's surface, so that a ball that rolls on is in
// the same contact.
void ball_on_terrain(const PairQuery& query, const TerrainView& view, const Vector3& centre,
                     double radius, const Vector3& way, Feature feature, PairWork& work);

// The way of a's centre in the step, seen from b [m].
Vector3 way_over(const PairQuery& query, const Ahead& ahead);

}  // namespace scree::collision
