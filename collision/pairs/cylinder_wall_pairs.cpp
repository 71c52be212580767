#include "collision/pairs/cylinder_wall_pairs.hpp"

#include <algorithm>
#include <cmath>

namespace scree::collision {
namespace {

// A point about the centre of body a, split along and across the axis.
struct AboutAxis {
  double height = 0.0;    // [m]
  double distance = 0.0;  // [m] from the axis
  Vector3 outward =
      Vector3::UnitX();  // unit, from the axis; any normal to it for a point on the axis
};

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

bool has_ends(const CylinderWall& wall) {
  return std::isfinite(wall.bottom) || std::isfinite(wall.top);
}

// A shell with ends keeps in only what is inside of it.
bool keeps_in(const PairQuery& query) {
  const CylinderWall& wall = query.b.wall();
  return !has_ends(wall) || about_axis(query, Vector3::Zero()).distance < wall.radius;
}

}  // namespace

void vertices_cylinder_wall(const PairQuery& query, PairWork& work) {
  work.contacts.clear();
  if (!keeps_in(query)) return;
  const CylinderWall& wall = query.b.wall();
  for (std::size_t v = 0; v < query.a.points.size(); ++v) {
    const AboutAxis place = about_axis(query, query.a.points[v]);
    const double gap = wall.radius - place.distance;
    if (gap > query.reach || place.height < wall.bottom || place.height > wall.top) continue;
    PairContact contact;
    contact.feature_a = vertex_feature(static_cast<std::int32_t>(v));
    contact.feature_b = surface_feature();
    contact.normal = place.outward;
    contact.gap = gap;
    contact.point_a = query.a.points[v];
    contact.point_b = query.a.points[v] + gap * place.outward;
    work.contacts.push_back(contact);
  }
}

// In the plane through the axis and the centre the wall is a segment: its nearest point is on the
// wall or on a rim.
void sphere_cylinder_wall(const PairQuery& query, PairWork& work) {
  work.contacts.clear();
  if (!keeps_in(query)) return;
  const CylinderWall& wall = query.b.wall();
  const Vector3& centre = query.a.points[0];
  const AboutAxis place = about_axis(query, centre);
  const double beyond =
      std::clamp(place.height, wall.bottom, wall.top) - place.height;  // 0 between the ends
  const double across = wall.radius - place.distance;
  PairContact contact;
  contact.feature_a = contact.feature_b = surface_feature();
  double distance = across;
  contact.normal = place.outward;
  if (beyond != 0.0) {
    distance = std::hypot(across, beyond);
    contact.normal = (across * place.outward + beyond * query.b.normals[0]) / distance;
  }
  contact.gap = distance - query.a.sphere().radius;
  if (contact.gap > query.reach) return;
  contact.point_a = centre + query.a.sphere().radius * contact.normal;
  contact.point_b = centre + distance * contact.normal;
  work.contacts.push_back(contact);
}

}  // namespace scree::collision
