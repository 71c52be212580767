#include "engine/periodic_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/check.hpp"
#include "engine/base/infinity.hpp"
#include "engine/run.hpp"

namespace scree {

namespace {

constexpr const char* axis_name[3] = {"x", "y", "z"};

// Walls have no place along periodic axes.
bool has_place(const Model& model, std::size_t i) { return std::isfinite(model.radius[i]); }

// Puts body i into the cell. Returns the image in which it was.
PeriodCount bring_home(const Model& model, State& state, std::size_t i) {
  if (!has_place(model, i)) return {};
  const PeriodCount n = model.cell.cell_of(state.x[i], state.image_shift);
  if (n == PeriodCount{}) return n;
  const Vector3 way = model.cell.offset(n, state.image_shift);
  state.x[i] -= way;
  if (!state.window_x.empty()) state.window_x[i] -= way;
  const std::int32_t history = model.history[i];
  if (history >= 0 && static_cast<std::size_t>(history) < state.motion_start.size())
    state.motion_start[static_cast<std::size_t>(history)].x -= way;
  if (model.cell.is_sheared()) state.v[i].x() -= n[2] * model.cell.image_speed();
  return n;
}

// The images above go on; a shift of a whole period is none.
void shift_images(const Cell& cell, double h, State& state) {
  state.image_shift += h * cell.image_speed();
  const double periods = std::floor(state.image_shift / cell.length.x());
  if (periods == 0.0) return;
  state.image_shift -= periods * cell.length.x();
  const auto n = static_cast<std::int32_t>(periods);
  for (ContactKey& key : state.kept.key) key.image += n * periods_of(key.image)[2];
  for (PeriodCount& image : state.image) image[0] += n * image[2];
}

// Width along an axis of the world of a part that lies at q [m].
double width_along(const Shape& shape, const Quaternion& q, int axis) {
  return std::visit(
      [&](const auto& s) {
        double low = infinity, high = -infinity;
        for (const Vector3& point : s.placed_points()) {
          const double at = (q * point)(axis);
          low = std::min(low, at), high = std::max(high, at);
        }
        return high - low + 2.0 * s.rounding();
      },
      shape);
}

const SteeredBody* steered_body(const Model& model, std::size_t i) {
  for (const SteeredBody& steered : model.steered) {
    if (static_cast<std::size_t>(steered.body) == i) return &steered;
  }
  return nullptr;
}

bool turns(const Model& model, std::size_t i) {
  if (model.kind[i] == BodyKind::fixed) return false;
  if (model.kind[i] == BodyKind::driven) {
    const MotionHistory& history = model.histories[static_cast<std::size_t>(model.history[i])];
    return !history.start.w_W.isZero(0.0) ||
           std::any_of(history.angular.begin(), history.angular.end(),
                       [](const Vector3& w) { return !w.isZero(0.0); });
  }
  if (model.spin_locked[i] == 0) return true;
  const SteeredBody* steered = steered_body(model, i);
  return steered == nullptr || steered->freedom.rotations > 0;
}

template <class Visit>
void for_each_part(const Model& model, std::size_t i, const Visit& visit) {
  for (std::int32_t p = model.part_begin[i]; p < model.part_begin[i + 1]; ++p) {
    const auto shape = static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(p)]);
    visit(model.shapes[shape]);
  }
}

void check_size(const Model& model, const State& state, std::size_t i, int axis) {
  const double length = model.cell.length(axis);
  double size = 2.0 * model.radius[i];
  const bool may_turn = turns(model, i);
  if (!may_turn) {
    size = 0.0;
    for_each_part(model, i, [&](const Shape& shape) {
      size = std::max(size, width_along(shape, state.q[i], axis));
    });
  }
  require(2.0 * size <= length, "world.periodic",
          fmt::format("a period of {:g} m along {} is not allowed with the body '{}', {} {:g} m "
                      "across; must be at least twice that, {:g} m",
                      length, axis_name[axis], model.name[i],
                      may_turn ? "which is" : "of which a part is", size, 2.0 * size));
}

// Walls have to be the same after every period.
void check_wall(const Model& model, const State& state, std::size_t i, int axis) {
  constexpr double round_off = 1e-12;
  require(!turns(model, i), "world.periodic",
          fmt::format("the wall '{}' turns, so it is not periodic along {}", model.name[i],
                      axis_name[axis]));
  for_each_part(model, i, [&](const Shape& shape) {
    bool same = false;
    if (const auto* plane = std::get_if<HalfSpace>(&shape))
      same = std::abs((state.q[i] * plane->normal)(axis)) <= round_off;
    if (const auto* vessel = std::get_if<CylinderWall>(&shape)) {
      same = std::abs(std::abs((state.q[i] * vessel->axis)(axis)) - 1.0) <= round_off &&
             vessel->bottom == -infinity && vessel->top == infinity;
    }
    require(same, "world.periodic",
            fmt::format("the wall '{}' is not the same after a period along {}; half-spaces must "
                        "lie along it, and a round wall without ends have it for its axis",
                        model.name[i], axis_name[axis]));
  });
}

// A gauge longer than a period would count images twice; one beyond the cell of a sheared world
// would have to know how fast they move.
void check_gauge(const Cell& cell, const Gauge& gauge) {
  if (gauge.kind == Gauge::Kind::bodies) return;
  constexpr double round_off = 1e-12;
  for (int axis = 0; axis < 3; ++axis) {
    const double length = cell.length(axis), size = gauge.high(axis) - gauge.low(axis);
    require(length == 0.0 || size <= length * (1.0 + round_off), "gauge",
            fmt::format("'{}' is {:g} m long along {}, which is periodic; must be at most the "
                        "period, {:g} m",
                        gauge.name, size, axis_name[axis], length));
  }
  const double slack = round_off * cell.length.z(), bottom = cell.corner.z() - slack,
               top = cell.corner.z() + cell.length.z() + slack;
  require(!cell.is_sheared() || (gauge.low.z() >= bottom && gauge.high.z() <= top), "gauge",
          fmt::format("'{}' reaches out of the cell along z, where images of a sheared world move "
                      "with another velocity; must lie within [{:g}, {:g}] m",
                      gauge.name, cell.corner.z(), cell.corner.z() + cell.length.z()));
}

void check_shear(const Model& model, const Settings& settings) {
  const Cell& cell = model.cell;
  const char* field = "world.shear_rate";
  require(std::isfinite(cell.shear_rate), field, "must be a finite number [1/s]");
  require(cell.length.x() > 0.0 && cell.length.z() > 0.0, field,
          "shears along x what is above along z; both must be periodic");
  require(model.gravity.isZero(0.0), field,
          "goes with gravity = [0, 0, 0] only: images that pass by have no common height");
  require(settings.step.frames == Frames::start, field, "goes with [law] frames = \"start\" only");
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    require(model.kind[i] == BodyKind::dynamic, field,
            fmt::format("goes with bodies that move freely only; '{}' {}", model.name[i],
                        model.kind[i] == BodyKind::fixed ? "is fixed" : "is driven"));
  }
  for (const SteeredBody& steered : model.steered) {
    const std::string& name = model.name[static_cast<std::size_t>(steered.body)];
    require(!steered.drag.acts(), field,
            fmt::format("goes without drag, which '{}' has: it knows what is at rest", name));
    require(steered.freedom.directions.x() != 0.0 && steered.freedom.directions.z() != 0.0, field,
            fmt::format("goes with bodies that are free along x and z; '{}' is not", name));
  }
}

}  // namespace

void enter_cell(const Model& model, State& state) {
  if (!model.cell.is_periodic() || state.step > 0) return;
  state.image.assign(state.x.size(), PeriodCount{});
  for (std::size_t i = 0; i < state.x.size(); ++i) bring_home(model, state, i);
}

void stay_in_cell(const Model& model, const Settings& settings, State& state, Workspace& work,
                  StepRecord& record) {
  const Cell& cell = model.cell;
  if (!cell.is_periodic()) return;
  if (cell.is_sheared()) shift_images(cell, settings.time.dt, state);
  work.gone.assign(state.x.size(), 0);
  bool any = false;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (model.kind[i] == BodyKind::fixed) continue;
    const double before = state.v[i].squaredNorm();
    const PeriodCount n = bring_home(model, state, i);
    if (n == PeriodCount{}) continue;
    any = true;
    work.gone[i] = image_code(n[0], n[1], n[2]);
    for (std::size_t axis = 0; axis < n.size(); ++axis) state.image[i][axis] += n[axis];
    if (cell.is_sheared() && state.active[i] != 0)
      record.ledger.shear_work += 0.5 * model.mass[i] * (state.v[i].squaredNorm() - before);
  }
  if (!any) return;
  for (ContactKey& key : state.kept.key) {
    const auto a = static_cast<std::size_t>(key.body_a), b = static_cast<std::size_t>(key.body_b);
    if (has_place(model, a) && has_place(model, b)) key.image += work.gone[b] - work.gone[a];
  }
}

void check_reach(const Model& model, const State& state, double h, const Workspace& work) {
  const double drift = 0.5 * h * std::abs(model.cell.image_speed());
  // What pulls one body counts in the reach of all: the one that is told of comes farthest.
  std::size_t farthest = state.x.size();
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (state.active[i] == 0 || !has_place(model, i)) continue;
    if (farthest == state.x.size() || work.reach[i] > work.reach[farthest]) farthest = i;
  }
  if (farthest == state.x.size()) return;
  const double reach = work.reach[farthest] + drift;
  for (int axis = 0; axis < 3; ++axis) {
    const double half = 0.5 * model.cell.length(axis);
    if (half == 0.0 || reach <= half) continue;
    throw RunFailure(fmt::format(
        "step {} (t = {:g} s): body '{}' may come {:.3g} m far in a step, more than half the "
        "period along {}, {:g} m; take a smaller dt",
        state.step + 1, state.time, model.name[farthest], reach, axis_name[axis], half));
  }
}

void check_cell(const Model& model, const Settings& settings, const State& state) {
  const Cell& cell = model.cell;
  if (!cell.is_periodic()) {
    require(!cell.is_sheared(), "world.shear_rate",
            "shears a periodic world only; give periodic = [Lx, Ly, Lz] too");
    return;
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (cell.length(axis) == 0.0) continue;
    for (std::size_t i = 0; i < model.name.size(); ++i) {
      for_each_part(model, i, [&](const Shape& shape) {
        require(!std::holds_alternative<Terrain>(shape), "world.periodic",
                fmt::format("does not go with terrain, which '{}' is: it has rims", model.name[i]));
      });
      if (has_place(model, i))
        check_size(model, state, i, axis);
      else
        check_wall(model, state, i, axis);
    }
    for (const Load& load : model.loads) {
      require(!load.span || load.span->axis(axis) == 0.0, "world.periodic",
              fmt::format("a load acts on an area between two walls along {}, which is periodic",
                          axis_name[axis]));
    }
  }
  require(settings.measure.screens.empty(), "screen",
          "does not go with [world] periodic: what leaves the cell comes back at the other side");
  for (const Gauge& gauge : settings.measure.gauges) check_gauge(cell, gauge);
  if (cell.is_sheared()) check_shear(model, settings);
}

}  // namespace scree
