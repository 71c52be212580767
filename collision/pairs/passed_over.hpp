// No invented contacts, for a point or a ball against a polyhedron.
#pragma once

#include "collision/pairs/closest_point.hpp"
#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

// Where a point of body a will be one step ahead (`next`) and after `horizon` steps like that one
// (`later`), about the centre of body b and as seen from b's present axes [m].
struct FuturePlace {
  Vector3 next = Vector3::Zero(), later = Vector3::Zero();
};
// `point` [m] about the centre of a, in world axes now.
FuturePlace future_place(const PairQuery& query, const Ahead& ahead, const Vector3& point);

// A ball of the given radius (0: a point) at `at` that rolls over flush blocks comes close to the
// next block's edge and never hits it: it is on its way over a face, no deeper than a shallow step.
// `now`: its nearest surface point.
bool passed_over(const PairQuery& query, const SurfacePoint& now, const Vector3& at,
                 const FuturePlace& future, double radius);

}  // namespace scree::collision
