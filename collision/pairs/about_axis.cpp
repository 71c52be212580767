#include "collision/pairs/about_axis.hpp"

#include <algorithm>
#include <cmath>

namespace scree::collision {
namespace {

bool has_ends(const CylinderWall& wall) {
  return std::isfinite(wall.bottom) || std::isfinite(wall.top);
}

}  // namespace

AboutAxis about_axis(const PairQuery& query, const Vector3& point) {
  const Vector3& axis = query.b.normals[0];
  const Vector3 arm = point - query.d() - query.b.points[0];
  AboutAxis place;
  place.height = axis.dot(arm);
  const Vector3 across = arm - place.height * axis;
  place.distance = across.norm();
  if (place.distance > 0.0) {
    place.outward = across / place.distance;
  } else {
    const Vector3 helper = std::abs(axis.x()) < 0.9 ? Vector3::UnitX() : Vector3::UnitY();
    place.outward = axis.cross(helper).normalized();
  }
  return place;
}

bool keeps_in(const PairQuery& query) {
  const CylinderWall& wall = query.b.wall();
  return !has_ends(wall) || about_axis(query, Vector3::Zero()).distance < wall.radius;
}
void ball_in_wall(const PairQuery& query, const Vector3& centre, double radius, Feature feature,
                  PairWork& work) {
  const CylinderWall& wall = query.b.wall();
  const AboutAxis place = about_axis(query, centre);
  const double beyond =
      std::clamp(place.height, wall.bottom, wall.top) - place.height;  // 0 between the ends
  const double across = wall.radius - place.distance;
  PairContact contact;
  contact.feature_a = feature;
  contact.feature_b = surface_feature();
  double distance = across;
  contact.normal = place.outward;
  if (beyond != 0.0) {
    distance = std::hypot(across, beyond);
    contact.normal = (across * place.outward + beyond * query.b.normals[0]) / distance;
  }
  contact.gap = distance - radius;
  if (contact.gap > query.reach) return;
  contact.point_a = centre + radius * contact.normal;
  contact.point_b = centre + distance * contact.normal;
  work.contacts.push_back(contact);
}

}  // namespace scree::collision
