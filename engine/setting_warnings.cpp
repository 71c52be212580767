#include "engine/setting_warnings.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/base/infinity.hpp"
#include "engine/driven_paths.hpp"

namespace scree {
namespace {

// Whether more than gravity and contacts makes bodies faster than they are at the start.
bool has_other_drives(const Model& model) {
  return !model.loads.empty() || !model.field.empty() || model.cell.is_sheared() ||
         std::ranges::any_of(model.histories, is_driven_to_move);
}

// Half-spaces across gravity bound what can fall; slopes and terrains do not.
bool may_run_down(const Model& model, const State& state) {
  if (model.gravity.isZero(0.0)) return false;
  const Vector3 up = -model.gravity.normalized();
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (std::isfinite(model.radius[i])) continue;
    for (std::int32_t part = model.part_begin[i]; part < model.part_begin[i + 1]; ++part) {
      const auto shape = static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(part)]);
      const auto* plane = std::get_if<HalfSpace>(&model.shapes[shape]);
      if (plane == nullptr || (state.q[i] * plane->normal).cross(up).norm() > 1e-6) return true;
    }
  }
  return false;
}

double distance_to_box(const Vector3& low, const Vector3& high, const Vector3& x) {
  return (x - x.cwiseMax(low).cwiseMin(high)).norm();
}

// At least as near as any point of the screen.
double distance_to_screen(const Screen& screen, const Vector3& x) {
  const double off_plane = std::abs(screen.normal.dot(x - screen.point));
  if (screen.corners.empty()) return off_plane;
  Vector3 low = screen.corners.front(), high = low;
  for (const Vector3& corner : screen.corners)
    low = low.cwiseMin(corner), high = high.cwiseMax(corner);
  return std::max(off_plane, distance_to_box(low, high, x));
}

bool is_watched(std::span<const std::uint8_t> watched, std::size_t i) {
  return watched.empty() || watched[i] != 0;
}

}  // namespace

void warn_of_times(const SuggestedStep& suggested, const Settings& settings, WarningLog& log) {
  // Without gravity nobody knows how fast bodies become.
  if (std::isfinite(suggested.by_gravity) && suggested.dt() > short_step_limit * settings.time.dt)
    log.raise(Warning::short_step, suggested.dt() / settings.time.dt);
  if (settings.time.last_step() > most_steps)
    log.raise(Warning::many_steps, static_cast<double>(settings.time.last_step()));
}

void warn_of_stop_rule(const Model& model, const Settings& settings, const State& state,
                       WarningLog& log) {
  const StopSettings& stop = settings.stop;
  const double size = smallest_size(model), g = model.gravity.norm();
  if (!stop.wanted() || !std::isfinite(size)) return;
  const double speed = stop.displacement / stop.window;
  double start = 0.0;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (model.kind[i] == BodyKind::dynamic) start = std::max(start, state.v[i].norm());
  }
  const bool falls = stop.displacement >= 0.5 * g * stop.window * stop.window && g > 0.0,
             quick = g > 0.0 ? speed > quiet_share * std::sqrt(g * size)
                             : start > 0.0 && speed > quiet_share * start;
  if (falls || quick || stop.displacement > size) log.raise(Warning::loose_stop, speed);
}

void warn_of_devices(const Model& model, const Settings& settings, const State& state,
                     const SuggestedStep& suggested, WarningLog& log) {
  const MeasureSettings& measure = settings.measure;
  if ((measure.screens.empty() && measure.gauges.empty()) || has_other_drives(model) ||
      model.cell.is_periodic())
    return;
  const double T = settings.time.end;
  double reach = far_share * suggested.speed * T;
  if (may_run_down(model, state)) reach += 0.5 * model.gravity.norm() * T * T;
  std::int64_t blind = 0;
  const auto look = [&](std::span<const std::uint8_t> watched, const auto& distance) {
    double nearest = infinity;
    for (std::size_t i = 0; i < model.name.size(); ++i) {
      if (model.kind[i] == BodyKind::dynamic && is_watched(watched, i))
        nearest = std::min(nearest, distance(state.x[i]) - model.radius[i]);
    }
    blind += nearest > reach ? 1 : 0;
  };
  for (const Screen& screen : measure.screens)
    look(screen.watched, [&](const Vector3& x) { return distance_to_screen(screen, x); });
  for (const Gauge& gauge : measure.gauges) {
    if (gauge.kind != Gauge::Kind::bodies)
      look(gauge.counted,
           [&](const Vector3& x) { return distance_to_box(gauge.low, gauge.high, x); });
  }
  if (blind == 0) return;
  WarningEntry entry;
  entry.count = blind, entry.worst = static_cast<double>(blind);
  log.set(Warning::blind_device, entry);
}

}  // namespace scree
