#include "collision/pairs/vertices_cylinder_wall.hpp"

#include "collision/pairs/about_axis.hpp"

namespace scree::collision {

void vertices_cylinder_wall(const PairQuery& query, const Ahead&, CullingHint&, PairWork& work) {
  work.contacts.clear();
  if (!keeps_in(query)) return;
  const CylinderWall& wall = query.b.wall();
  for (std::size_t v = 0; v < query.a.points.size(); ++v) {
    const AboutAxis place = about_axis(query, query.a.points[v]);
    const double gap = wall.radius - place.distance;
    if (gap > query.reach || place.height < wall.bottom || place.height > wall.top) continue;
    PairContact contact;
    contact.feature_a = vertex_feature(static_cast<std::int32_t>(v));
    contact.feature_b = surface_feature();
    contact.normal = place.outward;
    contact.gap = gap;
    contact.point_a = query.a.points[v];
    contact.point_b = query.a.points[v] + gap * place.outward;
    work.contacts.push_back(contact);
  }
}

}  // namespace scree::collision
