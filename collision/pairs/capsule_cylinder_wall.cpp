#include "collision/pairs/capsule_cylinder_wall.hpp"

#include "collision/pairs/about_axis.hpp"

namespace scree::collision {

void capsule_cylinder_wall(const PairQuery& query, const Ahead&, CullingHint&, PairWork& work) {
  work.contacts.clear();
  if (!keeps_in(query)) return;
  for (std::int32_t i = 0; i < 2; ++i) {
    ball_in_wall(query, query.a.points[static_cast<std::size_t>(i)], query.a.rounding(),
                 vertex_feature(i), work);
  }
}

}  // namespace scree::collision
