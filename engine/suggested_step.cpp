#include "engine/suggested_step.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/model/extent.hpp"

namespace scree {
namespace {

// Heights that bound what can fall [m], along minus gravity: bodies, and the half-spaces below
// them.
struct HeightRange {
  double low = infinity, high = -infinity;
};

// A half-space in its place: normal . x <= offset is solid, in world axes.
struct Ground {
  Vector3 normal;
  double offset;
};

std::vector<Ground> grounds_of(const Model& model, const State& state) {
  std::vector<Ground> grounds;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    const auto part = static_cast<std::size_t>(model.part_begin[i]);
    const auto* plane =
        std::get_if<HalfSpace>(&model.shapes[static_cast<std::size_t>(model.part_shape[part])]);
    if (plane == nullptr) continue;
    const Vector3 normal = state.q[i] * plane->normal;
    grounds.push_back({normal, plane->offset + normal.dot(state.x[i])});
  }
  return grounds;
}

HeightRange height_range(const Model& model, const State& state, const Vector3& up) {
  const std::vector<Ground> grounds = grounds_of(model, state);
  HeightRange range;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (!std::isfinite(model.radius[i])) continue;
    const double height = state.x[i].dot(up);
    range.low = std::min(range.low, height - model.radius[i]);
    range.high = std::max(range.high, height + model.radius[i]);
    // The first half-space that a vertical line down from the body meets.
    double ground = -infinity;
    for (const Ground& plane : grounds) {
      const double distance = plane.normal.dot(state.x[i]) - plane.offset,
                   slope = plane.normal.dot(up);
      if (slope > 0.0) ground = std::max(ground, height - distance / slope);
    }
    if (std::isfinite(ground)) range.low = std::min(range.low, ground);
  }
  return range;
}

}  // namespace

SuggestedStep suggest_step(const Model& model, const State& state) {
  const double g = model.gravity.norm();
  const std::vector<double> thickness = thinnest_extents(model);
  SuggestedStep step;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (model.kind[i] == BodyKind::fixed || !std::isfinite(model.radius[i])) continue;
    if (thickness[i] > 0.0) step.smallest = std::min(step.smallest, thickness[i]);
    step.speed = std::max(step.speed, state.v[i].norm() + model.radius[i] * state.w[i].norm());
  }
  if (g > 0.0) {
    const HeightRange range = height_range(model, state, -model.gravity / g);
    if (range.high > range.low)
      step.speed = std::sqrt(step.speed * step.speed + 2.0 * g * (range.high - range.low));
    step.by_gravity = 0.1 * std::sqrt(step.smallest / g);
  }
  if (step.speed > 0.0) step.by_speed = step.smallest / (20.0 * step.speed);
  return step;
}

}  // namespace scree
