#include "collision/pairs/sphere_half_space.hpp"

namespace scree::collision {

void sphere_half_space(const PairQuery& query, const Ahead&, CullingHint&, PairWork& work) {
  const double radius = query.a.sphere().radius;
  const Vector3& centre = query.a.points[0];
  const Vector3& n = query.b.normals[0];
  const double height = n.dot(centre) - (n.dot(query.d()) + query.b.offset());
  PairContact contact;
  contact.feature_a = contact.feature_b = surface_feature();
  contact.normal = -n;
  contact.gap = height - radius;
  contact.point_a = centre - radius * n;
  contact.point_b = centre - height * n;
  work.contacts.clear();
  if (contact.gap <= query.reach) work.contacts.push_back(contact);
}

}  // namespace scree::collision
