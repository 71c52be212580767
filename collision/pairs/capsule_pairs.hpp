// The pairs of a capsule.
#pragma once

#include "collision/pairs/capsule_capsule.hpp"
#include "collision/pairs/capsule_cylinder_wall.hpp"
#include "collision/pairs/capsule_half_space.hpp"
#include "collision/pairs/capsule_polyhedron.hpp"
#include "collision/pairs/capsule_sphere.hpp"
#include "collision/pairs/pair_list.hpp"
#include "collision/pairs/points_capsule.hpp"

namespace scree::collision {

using CapsulePairs =
    PairList<Pair<PointSet, Capsule, points_capsule>, Pair<Capsule, Sphere, capsule_sphere>,
             Pair<Capsule, Capsule, capsule_capsule>,
             Pair<Capsule, ConvexPolyhedron, capsule_polyhedron>,
             Pair<Capsule, HalfSpace, capsule_half_space>,
             Pair<Capsule, CylinderWall, capsule_cylinder_wall>>;

}  // namespace scree::collision
