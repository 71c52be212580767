#include "collision/pairs/vertices_half_space.hpp"

namespace scree::collision {

void vertices_half_space(const PairQuery& query, const Ahead&, CullingHint&, PairWork& work) {
  work.contacts.clear();
  const Vector3& n = query.b.normals[0];
  const double level = n.dot(query.d()) + query.b.offset();
  for (std::size_t v = 0; v < query.a.points.size(); ++v) {
    const double gap = n.dot(query.a.points[v]) - level;
    if (gap > query.reach) continue;
    PairContact contact;
    contact.feature_a = vertex_feature(static_cast<std::int32_t>(v));
    contact.feature_b = surface_feature();
    contact.normal = -n;
    contact.gap = gap;
    contact.point_a = query.a.points[v];
    contact.point_b = query.a.points[v] - gap * n;
    work.contacts.push_back(contact);
  }
}

}  // namespace scree::collision
