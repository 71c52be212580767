#include "engine/model/shapes/point_set.hpp"

#include <algorithm>

#include "engine/base/check.hpp"

namespace scree {
namespace {

double extent(const std::vector<Vector3>& points) {
  Vector3 low = points[0], high = points[0];
  for (const Vector3& p : points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  return (high - low).norm();
}

}  // namespace

double PointSet::diameter() const { return std::max(extent(points), 2.0 * bounding_radius()); }

PointSet PointSet::in_axes(const AxesChange& change) const {
  PointSet moved;
  for (const Vector3& p : points) moved.points.push_back(change.point(p));
  return moved;
}

void PointSet::check(const std::string& field) const {
  require(!points.empty(), field, "a point set needs at least one point");
  for (const Vector3& p : points) require_near(p, field, "points");
}

}  // namespace scree
