#include "collision/pairs/capsule_half_space.hpp"

namespace scree::collision {

void capsule_half_space(const PairQuery& query, const Ahead&, CullingHint&, PairWork& work) {
  work.contacts.clear();
  const double radius = query.a.rounding();
  const Vector3& n = query.b.normals[0];
  const double level = n.dot(query.d()) + query.b.offset();
  for (std::int32_t i = 0; i < 2; ++i) {
    const Vector3& end = query.a.points[static_cast<std::size_t>(i)];
    const double height = n.dot(end) - level;
    PairContact contact;
    contact.feature_a = vertex_feature(i);
    contact.feature_b = surface_feature();
    contact.normal = -n;
    contact.gap = height - radius;
    contact.point_a = end - radius * n;
    contact.point_b = end - height * n;
    if (contact.gap <= query.reach) work.contacts.push_back(contact);
  }
}

}  // namespace scree::collision
