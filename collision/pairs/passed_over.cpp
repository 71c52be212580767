#include "collision/pairs/passed_over.hpp"

#include "collision/polyhedra/tolerances.hpp"

namespace scree::collision {

FuturePlace future_place(const PairQuery& query, const Ahead& ahead, const Vector3& point) {
  const Vector3 point_ahead = ahead.q_a * (query.a.q.conjugate() * point);
  FuturePlace place;
  place.next = query.b.q * (ahead.q_b.conjugate() * (point_ahead + (ahead.x_a - ahead.x_b)));
  const Vector3 now = point - query.d();
  place.later = now + horizon * (place.next - now);
  return place;
}

bool passed_over(const PairQuery& query, const SurfacePoint& now, const Vector3& at,
                 const FuturePlace& future, double radius) {
  const double shallow = -shallow_step * query.smaller_size;
  if (now.distance - radius < shallow) return false;
  if (now.normal.dot(future.next - at) >= -query.eps) return false;  // does not close
  const SurfacePoint later = closest_point(query.b, future.later, query.eps);
  const bool over_face = later.feature >> 28 == static_cast<std::uint32_t>(FeatureKind::face);
  if (!over_face) return false;
  // It must be above that face already, and still be one step ahead: what flies at the side of a
  // wall is not on its way over the other.
  const auto height = [&](const Vector3& place) {
    return later.normal.dot(place - later.point) - radius;
  };
  return height(at) >= shallow && height(future.next) >= shallow && later.feature != now.feature &&
         later.distance - radius >= shallow &&
         later.normal.dot(future.next - at) > now.normal.dot(future.next - at);
}

}  // namespace scree::collision
