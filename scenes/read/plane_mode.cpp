#include "scenes/read/plane_mode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::scenes {
namespace {

constexpr std::array plane_names = {"yz", "xz", "xy"};
constexpr std::array axes = {"x", "y", "z"};
constexpr double plane_round_off = 1e-9;  // [-] of a body's size

// Points of all parts, the directions of what has no points, in world axes.
struct Placed {
  std::vector<Vector3> points, directions;
  double size = 0.0;  // [m]
  bool has_terrain = false;
};

Placed placed(const Model& model, const State& state, std::size_t i) {
  Placed result;
  for (auto part = static_cast<std::size_t>(model.part_begin[i]);
       part < static_cast<std::size_t>(model.part_begin[i + 1]); ++part) {
    const Shape& shape = model.shapes[static_cast<std::size_t>(model.part_shape[part])];
    result.has_terrain = result.has_terrain || std::holds_alternative<Terrain>(shape);
    if (const auto* half_space = std::get_if<HalfSpace>(&shape)) {
      result.directions.push_back(state.q[i] * half_space->normal);
      continue;
    }
    std::visit(
        [&](const auto& s) {
          for (const Vector3& point : s.placed_points())
            result.points.push_back(state.q[i] * point + state.x[i]);
          result.size = std::max(result.size, s.rounding());
        },
        shape);
    if (const auto* wall = std::get_if<CylinderWall>(&shape)) {
      result.directions.push_back(state.q[i] * wall->axis);
      result.size = std::max(result.size, wall->radius);
    }
  }
  for (const Vector3& point : result.points)
    result.size = std::max(result.size, (point - result.points.front()).norm());
  return result;
}

bool has_near(const std::vector<Vector3>& points, const Vector3& wanted, double distance) {
  return std::ranges::any_of(
      points, [&](const Vector3& point) { return (point - wanted).norm() <= distance; });
}

}  // namespace

const char* plane_name(int normal) { return plane_names[static_cast<std::size_t>(normal)]; }

std::vector<std::string> free_in_plane(int normal) {
  std::vector<std::string> free;
  for (int axis = 0; axis < 3; ++axis) {
    if (axis != normal) free.emplace_back(axes[static_cast<std::size_t>(axis)]);
  }
  std::string turn = "r";
  turn += axes[static_cast<std::size_t>(normal)];
  free.push_back(turn);
  return free;
}

std::string out_of_plane(const Model& model, const State& state, std::size_t i,
                         std::optional<double>& plane) {
  const int k = model.plane_normal;
  const char* axis = axes[static_cast<std::size_t>(k)];
  const Placed body = placed(model, state, i);
  if (body.has_terrain)
    return "is a terrain, whose slopes lead out of the plane; take a half_space or boxes";
  for (const Vector3& direction : body.directions) {
    const double along = std::abs(direction[k]);
    if (along > plane_round_off && along < 1.0 - plane_round_off)
      return fmt::format("has no mirror plane across {}: its axis or normal is oblique to it",
                         axis);
    if (along > plane_round_off && body.points.empty())
      return fmt::format("lies across the plane: its normal must have no part along {}", axis);
  }
  if (body.points.empty()) return "";
  double low = body.points.front()[k], high = low;
  for (const Vector3& point : body.points)
    low = std::min(low, point[k]), high = std::max(high, point[k]);
  const double middle = 0.5 * (low + high), allowed = plane_round_off * body.size;
  for (Vector3 point : body.points) {
    point[k] = 2.0 * middle - point[k];
    if (!has_near(body.points, point, 2.0 * allowed))
      return fmt::format(
          "has no mirror plane across {}: of its corner at {} = {:g} m there is no image "
          "on the other side of {} = {:g} m",
          axis, axis, 2.0 * middle - point[k], axis, middle);
  }
  if (!plane) plane = middle;
  if (std::abs(middle - *plane) > allowed)
    return fmt::format(
        "has its mirror plane at {} = {:g} m, the bodies before it at {:g} m; all must "
        "have the same",
        axis, middle, *plane);
  if (model.kind[i] != BodyKind::driven) return "";
  const MotionHistory& history = model.histories[static_cast<std::size_t>(model.history[i])];
  for (std::size_t entry = 0; entry < history.time.size(); ++entry) {
    const Vector3 turn = history.angular[entry] - history.angular[entry][k] * Vector3::Unit(k);
    if (history.linear[entry][k] != 0.0 || !turn.isZero(0.0))
      return fmt::format("is driven out of the plane at t = {:g} s", history.time[entry]);
  }
  return "";
}

}  // namespace scree::scenes
