#include "engine/support.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double upright = 1e-6;  // [-] a wall that leans less holds nothing up

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

double lowest_point(const Model& model, const State& state, std::size_t i, const Vector3& up) {
  double low = infinity;
  for (std::int32_t part = model.part_begin[i]; part < model.part_begin[i + 1]; ++part) {
    const auto shape = static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(part)]);
    low = std::min(low, lowest_point(model.shapes[shape], state, i, up));
  }
  return low;
}

}  // namespace

bool may_be_supported(const Model& model, const State& state, std::size_t body) {
  const Vector3 up = up_of(model);
  const double top = state.x[body].dot(up) + model.radius[body];
  const auto across = [&](const Vector3& a) { return Vector3(a - a.dot(up) * up).norm(); };
  const bool falls_straight = across(state.v[body]) == 0.0;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (model.kind[i] == BodyKind::dynamic || !(lowest_point(model, state, i, up) < top)) continue;
    if (!falls_straight || model.kind[i] == BodyKind::driven || !std::isfinite(model.radius[i]))
      return true;
    if (across(state.x[i] - state.x[body]) < model.radius[i] + model.radius[body]) return true;
  }
  return false;
}

double lowest_support(const Model& model, const State& state) {
  const Vector3 up = up_of(model);
  double low = infinity;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (model.kind[i] != BodyKind::dynamic) low = std::min(low, lowest_point(model, state, i, up));
  }
  return low;
}

}  // namespace scree
