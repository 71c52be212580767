#include "collision/pairs/sphere_polyhedron.hpp"

#include "collision/pairs/passed_over.hpp"

namespace scree::collision {
namespace {

// Whether an edge or a corner ahead, which straight on along its normal would be hit in this step,
// is not hit: the gap there closes with the square of the way, and the ball comes to lie over a
// face. The gap along a straight way is convex, so that of the pose ahead is the smallest as long
// as it does not open.
bool stays_clear(const PairQuery& query, const SurfacePoint& now, const Vector3& at,
                 const Vector3& next, double radius) {
  if (now.feature >> 28 == static_cast<std::uint32_t>(FeatureKind::face)) return false;
  const double gap = now.distance - radius;
  const Vector3 way = next - at;
  if (gap <= -query.eps || gap + now.normal.dot(way) >= -query.eps) return false;
  const SurfacePoint then = closest_point(query.b, next, query.eps);
  return then.distance - radius >= -query.eps && then.normal.dot(way) <= query.eps;
}

}  // namespace

void sphere_polyhedron(const PairQuery& query, const Ahead& ahead, CullingHint&, PairWork& work) {
  work.contacts.clear();
  const double radius = query.a.sphere().radius;
  const Vector3& centre = query.a.points[0];
  const Vector3 at = centre - query.d();
  const SurfacePoint nearest = closest_point(query.b, at, query.eps);
  if (nearest.distance - radius > query.reach) return;
  const FuturePlace future = future_place(query, ahead, centre);
  if (passed_over(query, nearest, at, future, radius) ||
      stays_clear(query, nearest, at, future.next, radius))
    return;
  PairContact contact;
  contact.feature_a = surface_feature();
  contact.feature_b = nearest.feature;
  contact.normal = -nearest.normal;
  contact.gap = nearest.distance - radius;
  contact.point_a = centre - radius * nearest.normal;
  contact.point_b = nearest.point + query.d();
  work.contacts.push_back(contact);
}

}  // namespace scree::collision
