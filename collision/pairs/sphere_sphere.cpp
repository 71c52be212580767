#include "collision/pairs/sphere_sphere.hpp"

namespace scree::collision {

void sphere_sphere(const PairQuery& query, const Ahead&, CullingHint&, PairWork& work) {
  const double radius_a = query.a.sphere().radius, radius_b = query.b.sphere().radius;
  const Vector3& centre_a = query.a.points[0];
  const Vector3 centre_b = query.b.points[0] + query.d();
  const Vector3 between = centre_b - centre_a;
  const double distance = between.norm();
  PairContact contact;
  contact.feature_a = contact.feature_b = surface_feature();
  contact.normal = distance > 0.0 ? Vector3(between / distance) : Vector3(Vector3::UnitZ());
  contact.gap = distance - radius_a - radius_b;
  contact.point_a = centre_a + radius_a * contact.normal;
  contact.point_b = centre_b - radius_b * contact.normal;
  work.contacts.clear();
  if (contact.gap <= query.reach) work.contacts.push_back(contact);
}

}  // namespace scree::collision
