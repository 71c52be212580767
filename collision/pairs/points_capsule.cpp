#include "collision/pairs/points_capsule.hpp"

#include "collision/pairs/segment.hpp"

namespace scree::collision {

void points_capsule(const PairQuery& query, const Ahead&, CullingHint&, PairWork& work) {
  work.contacts.clear();
  const Segment core = core_of(query.b, -query.d());
  for (std::size_t i = 0; i < query.a.points.size(); ++i) {
    const Vector3& point = query.a.points[i];
    add_ball_contact(query, point, 0.0, core.at(core.nearest_share(point)), query.b.rounding(),
                     vertex_feature(static_cast<std::int32_t>(i)), surface_feature(),
                     any_across(core.along()), work);
  }
}

}  // namespace scree::collision
