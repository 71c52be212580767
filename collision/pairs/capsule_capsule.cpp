#include "collision/pairs/capsule_capsule.hpp"

#include "collision/pairs/segment.hpp"

namespace scree::collision {

void capsule_capsule(const PairQuery& query, const Ahead&, CullingHint&, PairWork& work) {
  work.contacts.clear();
  const Segment a = core_of(query.a), b = core_of(query.b, -query.d());
  const double radius_a = query.a.rounding(), radius_b = query.b.rounding();
  const Vector3 across = any_across(a.along());
  const LinesNearest nearest = nearest_of_lines(a, b);
  if (nearest.inside(a, b, query.eps)) {
    add_ball_contact(query, a.at(nearest.share_one), radius_a, b.at(nearest.share_other), radius_b,
                     surface_feature(), surface_feature(), a.along().cross(b.along()).normalized(),
                     work);
  }
  for (const double end : {0.0, 1.0}) {
    const double share = b.nearest_share(a.at(end));
    add_ball_contact(query, a.at(end), radius_a, b.at(share), radius_b, core_feature(end),
                     core_feature(share), across, work);
  }
  for (const double end : {0.0, 1.0}) {
    // Two ends that are nearest to each other have met already.
    const double share = a.nearest_share(b.at(end));
    if (share <= 0.0 || share >= 1.0) {
      if (b.nearest_share(a.at(share)) == end) continue;
    }
    add_ball_contact(query, a.at(share), radius_a, b.at(end), radius_b, core_feature(share),
                     core_feature(end), across, work);
  }
}

}  // namespace scree::collision
