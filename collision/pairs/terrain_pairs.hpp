// The pairs of a terrain.
#pragma once

#include "collision/pairs/capsule_terrain.hpp"
#include "collision/pairs/pair_list.hpp"
#include "collision/pairs/polyhedron_terrain.hpp"
#include "collision/pairs/round_terrain.hpp"

namespace scree::collision {

using TerrainPairs =
    PairList<Pair<PointSet, Terrain, points_terrain>, Pair<Sphere, Terrain, sphere_terrain>,
             Pair<ConvexPolyhedron, Terrain, polyhedron_terrain>,
             Pair<Capsule, Terrain, capsule_terrain>>;

}  // namespace scree::collision
