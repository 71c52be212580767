#include "collision/pairs/round_terrain.hpp"

namespace scree::collision {

Vector3 way_over(const PairQuery& query, const Ahead& ahead) {
  return (ahead.x_a - query.a.x) - (ahead.x_b - query.b.x);
}

void ball_on_terrain(const PairQuery& query, const TerrainView& view, const Vector3& centre,
                     double radius, const Vector3& way, Feature feature, PairWork& work) {
  const double slide = radius > 0.0 ? 0.0 : query.reach;
  find_ground_touches(view, centre, radius + query.reach, slide, query.eps, way, work.touches);
  const bool alone = work.touches.size() == 1;
  for (const GroundTouch& touch : work.touches) {
    PairContact contact;
    contact.feature_a = feature;
    contact.feature_b = alone ? surface_feature() : touch.feature;
    contact.normal = -touch.n;
    contact.gap = touch.distance - radius;
    contact.point_a = centre - radius * touch.n;
    contact.point_b = centre - touch.distance * touch.n;
    work.contacts.push_back(contact);
  }
}

void sphere_terrain(const PairQuery& query, const Ahead& ahead, CullingHint&, PairWork& work) {
  work.contacts.clear();
  const TerrainView view(query.b, query.d());
  ball_on_terrain(query, view, query.a.points[0], query.a.sphere().radius, way_over(query, ahead),
                  surface_feature(), work);
}

void points_terrain(const PairQuery& query, const Ahead& ahead, CullingHint&, PairWork& work) {
  work.contacts.clear();
  const TerrainView view(query.b, query.d());
  const Vector3 way = way_over(query, ahead);
  for (std::size_t i = 0; i < query.a.points.size(); ++i) {
    ball_on_terrain(query, view, query.a.points[i], 0.0, way,
                    vertex_feature(static_cast<std::int32_t>(i)), work);
  }
}

}  // namespace scree::collision
