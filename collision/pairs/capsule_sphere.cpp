#include "collision/pairs/capsule_sphere.hpp"

#include "collision/pairs/segment.hpp"

namespace scree::collision {

void capsule_sphere(const PairQuery& query, const Ahead&, CullingHint&, PairWork& work) {
  work.contacts.clear();
  const Segment core = core_of(query.a);
  const Vector3 centre = query.b.points[0] + query.d();
  // One contact, whichever part of the capsule it is on: it keeps its memory when it moves on.
  add_ball_contact(query, core.at(core.nearest_share(centre)), query.a.rounding(), centre,
                   query.b.rounding(), surface_feature(), surface_feature(),
                   any_across(core.along()), work);
}

}  // namespace scree::collision
