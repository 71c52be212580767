#include "collision/pairs/points_sphere.hpp"

namespace scree::collision {

void points_sphere(const PairQuery& query, const Ahead&, CullingHint&, PairWork& work) {
  work.contacts.clear();
  const double radius = query.b.sphere().radius;
  const Vector3 centre = query.b.points[0] + query.d();
  for (std::size_t i = 0; i < query.a.points.size(); ++i) {
    const Vector3 between = centre - query.a.points[i];
    const double distance = between.norm();
    if (distance - radius > query.reach) continue;
    PairContact contact;
    contact.feature_a = vertex_feature(static_cast<std::int32_t>(i));
    contact.feature_b = surface_feature();
    contact.normal = distance > 0.0 ? Vector3(between / distance) : Vector3(Vector3::UnitZ());
    contact.gap = distance - radius;
    contact.point_a = query.a.points[i];
    contact.point_b = centre - radius * contact.normal;
    work.contacts.push_back(contact);
  }
}

}  // namespace scree::collision
