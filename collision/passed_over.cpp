#include "collision/passed_over.hpp"

#include "collision/tolerances.hpp"

namespace scree::collision {

bool passed_over(const SurfacePoint& now, const SurfacePoint& ahead, double radius, double smaller_size) {
  const double shallow = -shallow_step * smaller_size;
  if (ahead.feature == now.feature || now.distance - radius < shallow || ahead.distance - radius < shallow) return false;
  const bool on_face_now = now.feature >> 28 == static_cast<std::uint32_t>(FeatureKind::face);
  const bool on_face_ahead = ahead.feature >> 28 == static_cast<std::uint32_t>(FeatureKind::face);
  if (!on_face_ahead) return false;
  return !on_face_now || now.normal.dot(ahead.normal) < same_direction;
}

}  // namespace scree::collision
