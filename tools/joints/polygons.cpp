#include "tools/joints/polygons.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::polygons {

Vector3 area_vector(const Polygon& polygon) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    sum += 0.5 * (polygon[i] - polygon[0]).cross(polygon[i + 1] - polygon[0]);
  return sum;
}

double area(const Polygon& polygon) { return area_vector(polygon).norm(); }

Vector3 centre(const Polygon& polygon) {
  const Vector3 n = area_vector(polygon).normalized();
  Vector3 sum = Vector3::Zero(), mean = Vector3::Zero();
  double whole = 0.0;
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    const double part = 0.5 * n.dot((polygon[i] - polygon[0]).cross(polygon[i + 1] - polygon[0]));
    sum += part * (polygon[0] + polygon[i] + polygon[i + 1]) / 3.0;
    whole += part;
  }
  for (const Vector3& p : polygon) mean += p / static_cast<double>(polygon.size());
  return whole > 0.0 ? Vector3(sum / whole) : mean;
}

Polygon part_below(const Polygon& polygon, const std::vector<double>& height) {
  Polygon part;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const std::size_t next = (k + 1) % polygon.size();
    const double h = height[k], h_next = height[next];
    if (h <= 0.0) part.push_back(polygon[k]);
    if ((h > 0.0 && h_next < 0.0) || (h < 0.0 && h_next > 0.0))
      part.push_back(polygon[k] + h / (h - h_next) * (polygon[next] - polygon[k]));
  }
  return part;
}

Polygon part_within(Polygon polygon, const Polygon& base) {
  const Vector3 normal = area_vector(base).normalized();
  for (std::size_t i = 0; i < base.size() && polygon.size() >= 3; ++i) {
    const Vector3 &a = base[i], outward = (base[(i + 1) % base.size()] - a).cross(normal);
    std::vector<double> height;
    for (const Vector3& p : polygon) height.push_back(outward.dot(p - a));
    polygon = part_below(polygon, height);
  }
  return polygon;
}

double distance_to_segment(const Vector3& p, const Vector3& a, const Vector3& b) {
  const Vector3 along = b - a;
  const double length = along.squaredNorm();
  const double at = length > 0.0 ? std::clamp(along.dot(p - a) / length, 0.0, 1.0) : 0.0;
  return (p - a - at * along).norm();
}

double distance_to_boundary(const Vector3& p, const Polygon& polygon) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < polygon.size(); ++i)
    least = std::min(least, distance_to_segment(p, polygon[i], polygon[(i + 1) % polygon.size()]));
  return least;
}

double distance_to(const Vector3& p, const Polygon& polygon) {
  const Vector3 n = area_vector(polygon).normalized();
  bool inside = true;
  for (std::size_t i = 0; i < polygon.size() && inside; ++i) {
    const Vector3& a = polygon[i];
    inside = n.cross(polygon[(i + 1) % polygon.size()] - a).dot(p - a) >= 0.0;
  }
  return inside ? std::abs(n.dot(p - polygon[0])) : distance_to_boundary(p, polygon);
}

}  // namespace scree::polygons
