#include "engine/support.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/infinity.hpp"

namespace scree {
namespace {

constexpr double upright = 1e-6;   // [-] a wall that leans less holds nothing up
constexpr double touching = 1e-4;  // [-] of a radius

Vector3 up_of(const Model& model) { return -model.gravity / model.gravity.norm(); }

// Lowest height [m] of a shape of body i at which it can hold something.
double lowest_point(const Shape& shape, const State& state, std::size_t i, const Vector3& up) {
  const auto height = [&](const Vector3& point) {
    return (state.q[i] * point + state.x[i]).dot(up);
  };
  if (const auto* plane = std::get_if<HalfSpace>(&shape)) {
    return (state.q[i] * plane->normal).dot(up) > upright ? -infinity : infinity;
  }
  if (const auto* terrain = std::get_if<Terrain>(&shape)) {
    if (!(up.z() > upright)) return infinity;
    return up.z() > 1.0 - upright ? (state.x[i] + terrain->shift).z() + terrain->ground->lowest
                                  : -infinity;
  }
  if (const auto* wall = std::get_if<CylinderWall>(&shape)) {
    const double lean = (state.q[i] * wall->axis).cross(up).norm();
    if (lean < upright) return infinity;
    if (!std::isfinite(wall->bottom) || !std::isfinite(wall->top)) return -infinity;
    const double low = std::min(height(wall->point + wall->bottom * wall->axis),
                                height(wall->point + wall->top * wall->axis));
    return low - wall->radius * lean;
  }
  return std::visit(
      [&](const auto& s) {
        double low = infinity;
        for (const Vector3& point : s.placed_points()) low = std::min(low, height(point));
        return low - s.rounding();
      },
      shape);
}

// Highest height [m] of a shape of body i; of walls without bounds, that of the solid.
double highest_point(const Shape& shape, const State& state, std::size_t i, const Vector3& up) {
  const auto height = [&](const Vector3& point) {
    return (state.q[i] * point + state.x[i]).dot(up);
  };
  if (const auto* plane = std::get_if<HalfSpace>(&shape)) {
    const Vector3 normal = state.q[i] * plane->normal;
    return normal.dot(up) > 1.0 - upright ? plane->offset + normal.dot(state.x[i]) : infinity;
  }
  if (const auto* terrain = std::get_if<Terrain>(&shape)) {
    return up.z() > 1.0 - upright ? (state.x[i] + terrain->shift).z() + terrain->ground->highest
                                  : infinity;
  }
  if (const auto* wall = std::get_if<CylinderWall>(&shape)) {
    if (!std::isfinite(wall->bottom) || !std::isfinite(wall->top)) return infinity;
    return std::max(height(wall->point + wall->bottom * wall->axis),
                    height(wall->point + wall->top * wall->axis)) +
           wall->radius * (state.q[i] * wall->axis).cross(up).norm();
  }
  return std::visit(
      [&](const auto& s) {
        double high = -infinity;
        for (const Vector3& point : s.placed_points()) high = std::max(high, height(point));
        return high + s.rounding();
      },
      shape);
}

double highest_point(const Model& model, const State& state, std::size_t i, const Vector3& up) {
  double high = -infinity;
  for (std::int32_t part = model.part_begin[i]; part < model.part_begin[i + 1]; ++part) {
    const auto shape = static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(part)]);
    high = std::max(high, highest_point(model.shapes[shape], state, i, up));
  }
  return high;
}

double lowest_point(const Model& model, const State& state, std::size_t i, const Vector3& up) {
  double low = infinity;
  for (std::int32_t part = model.part_begin[i]; part < model.part_begin[i + 1]; ++part) {
    const auto shape = static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(part)]);
    low = std::min(low, lowest_point(model.shapes[shape], state, i, up));
  }
  return low;
}

// A point of the plane across `up`.
using PlanePoint = Eigen::Vector2d;

double cross(const PlanePoint& a, const PlanePoint& b) { return a.x() * b.y() - a.y() * b.x(); }

// Corners of the convex hull, counter-clockwise (Andrew's monotone chain).
std::vector<PlanePoint> plane_hull(std::vector<PlanePoint> points) {
  std::sort(points.begin(), points.end(), [](const PlanePoint& a, const PlanePoint& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  std::vector<PlanePoint> hull;
  const auto add = [&](const PlanePoint& p, std::size_t least) {
    while (hull.size() >= least + 2 &&
           cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0.0)
      hull.pop_back();
    hull.push_back(p);
  };
  for (const PlanePoint& p : points) add(p, 0);
  const std::size_t lower = hull.size() - 1;
  for (auto p = points.rbegin() + 1; p != points.rend(); ++p) add(*p, lower);
  if (hull.size() > 1) hull.pop_back();
  return hull;
}

// Distance of a point from a convex polygon; 0 inside.
double distance(const std::vector<PlanePoint>& hull, const PlanePoint& point) {
  double nearest = infinity;
  bool inside = hull.size() > 2;
  for (std::size_t k = 0; k < hull.size(); ++k) {
    const PlanePoint &a = hull[k], &b = hull[(k + 1) % hull.size()];
    const PlanePoint edge = b - a, from = point - a;
    const double square = edge.squaredNorm();
    const double along = square > 0.0 ? std::clamp(from.dot(edge) / square, 0.0, 1.0) : 0.0;
    nearest = std::min(nearest, (from - along * edge).norm());
    inside = inside && cross(edge, from) >= 0.0;
  }
  return inside ? 0.0 : nearest;
}

// Whether the shadow of body i, bounded, along `up` comes nearer to the point than `reach` [m].
bool shadow_reaches(const Model& model, const State& state, std::size_t i, const Vector3& up,
                    const Vector3& point, double reach) {
  const Vector3 east = up.unitOrthogonal(), north = up.cross(east);
  const auto on_plane = [&](const Vector3& x) { return PlanePoint(x.dot(east), x.dot(north)); };
  for (std::int32_t part = model.part_begin[i]; part < model.part_begin[i + 1]; ++part) {
    const auto shape = static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(part)]);
    const bool reaches = std::visit(
        [&](const auto& s) {
          std::vector<PlanePoint> points;
          for (const Vector3& p : s.placed_points())
            points.push_back(on_plane(state.q[i] * p + state.x[i]));
          if (points.empty()) return true;
          return distance(plane_hull(points), on_plane(point)) < reach + s.rounding();
        },
        model.shapes[shape]);
    if (reaches) return true;
  }
  return false;
}

bool holds(const Model& model, std::size_t i) {
  return model.kind[i] != BodyKind::dynamic || is_held_up(model, static_cast<BodyIndex>(i));
}

}  // namespace

bool is_held_up(const Model& model, BodyIndex body) {
  const auto steered = std::ranges::lower_bound(model.steered, body, {}, &SteeredBody::body);
  return steered != model.steered.end() && steered->body == body &&
         steered->freedom.directions.cwiseProduct(model.gravity).isZero(0.0);
}

bool may_be_supported(const Model& model, const State& state, std::size_t body) {
  const Vector3 up = up_of(model);
  // What touches it from above does not hold it; one that turns may get hooked.
  const double top = state.w[body].isZero(0.0)
                         ? highest_point(model, state, body, up) - touching * model.radius[body]
                         : state.x[body].dot(up) + model.radius[body];
  const auto across = [&](const Vector3& a) { return Vector3(a - a.dot(up) * up).norm(); };
  const bool falls_straight = across(state.v[body]) == 0.0 && model.loads.empty() &&
                              model.field.empty() && !model.cell.is_periodic();
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (i == body || !holds(model, i) || !(lowest_point(model, state, i, up) < top)) continue;
    if (!falls_straight || model.kind[i] != BodyKind::fixed || !std::isfinite(model.radius[i]))
      return true;
    const double reach = model.radius[body];
    if (across(state.x[i] - state.x[body]) < model.radius[i] + reach &&
        shadow_reaches(model, state, i, up, state.x[body], reach))
      return true;
  }
  return false;
}

double lowest_support(const Model& model, const State& state) {
  const Vector3 up = up_of(model);
  double low = infinity;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (holds(model, i)) low = std::min(low, lowest_point(model, state, i, up));
  }
  return low;
}

double highest_support(const Model& model, const State& state) {
  const Vector3 up = up_of(model);
  double high = -infinity;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (holds(model, i)) high = std::max(high, highest_point(model, state, i, up));
  }
  return high;
}

}  // namespace scree
