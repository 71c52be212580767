// No invented contacts, for a point or a ball against a polyhedron.
#pragma once

#include "collision/closest_point.hpp"

namespace scree::collision {

// A ball of the given radius (0: a point) that rolls over flush blocks comes close to the next block's edge and never hits it:
// one step ahead it stands over a face, no deeper than a shallow step. `now` and `ahead`: nearest surface points.
bool passed_over(const SurfacePoint& now, const SurfacePoint& ahead, double radius, double smaller_size);

}  // namespace scree::collision
