#include "collision/pairs/sphere_cylinder_wall.hpp"

#include "collision/pairs/about_axis.hpp"

namespace scree::collision {

void sphere_cylinder_wall(const PairQuery& query, const Ahead&, CullingHint&, PairWork& work) {
  work.contacts.clear();
  if (keeps_in(query)) {
    ball_in_wall(query, query.a.points[0], query.a.sphere().radius, surface_feature(), work);
  }
}

}  // namespace scree::collision
