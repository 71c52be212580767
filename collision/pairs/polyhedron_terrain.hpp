// A convex polyhedron against a terrain, by what can be nearest of both: corners of the body over
// triangles, convex edges and nodes of the ground; nodes of the ground under faces, edges and
// corners of the body; convex edges of the ground across edges of the body. A normal lies in the
// cones of both features, so there is none at an edge between flat or hollow triangles. Where a
// ridge lies nearly along a face, both ends of what lies on it are contacts, along the face.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

void polyhedron_terrain(const PairQuery& query, const Ahead& ahead, CullingHint& hint,
                        PairWork& work);

}  // namespace scree::collision
