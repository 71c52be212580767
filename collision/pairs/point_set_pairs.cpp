#include "collision/pairs/point_set_pairs.hpp"

#include "collision/pairs/passed_over.hpp"
#include "collision/pairs/polyhedron_half_space.hpp"

namespace scree::collision {

void points_half_space(const PairQuery& query, PairWork& work) {
  polyhedron_half_space(query, work);
}

void points_sphere(const PairQuery& query, PairWork& work) {
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

void points_polyhedron(const PairQuery& query, const Ahead& ahead, PairWork& work) {
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
