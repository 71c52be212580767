#include "collision/pairs/points_polyhedron.hpp"

#include "collision/pairs/passed_over.hpp"

namespace scree::collision {

void points_polyhedron(const PairQuery& query, const Ahead& ahead, CullingHint&, PairWork& work) {
  work.contacts.clear();
  for (std::size_t i = 0; i < query.a.points.size(); ++i) {
    const Vector3 at = query.a.points[i] - query.d();
    const SurfacePoint nearest = closest_point(query.b, at, query.eps);
    if (nearest.distance > query.reach) continue;
    if (passed_over(query, nearest, at, future_place(query, ahead, query.a.points[i]), 0.0))
      continue;
    PairContact contact;
    contact.feature_a = vertex_feature(static_cast<std::int32_t>(i));
    contact.feature_b = nearest.feature;
    contact.normal = -nearest.normal;
    contact.gap = nearest.distance;
    contact.point_a = query.a.points[i];
    contact.point_b = nearest.point + query.d();
    work.contacts.push_back(contact);
  }
}

}  // namespace scree::collision
