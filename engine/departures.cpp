#include "engine/departures.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "engine/base/infinity.hpp"
#include "engine/ledger.hpp"
#include "engine/model/warnings.hpp"

namespace scree {
namespace {

constexpr double gap_share = 0.01;  // [-] of a radius

// The plan of a body and its lowest point, in the axes of the raster [m].
struct Footprint {
  double low_x = infinity, low_y = infinity, high_x = -infinity, high_y = -infinity;
  double bottom = infinity;
};

// Of the ball around the body: it holds the box.
Footprint ball_around(const Model& model, const State& state, std::size_t body,
                      const Vector3& shift) {
  const Vector3 x = state.x[body] - shift;
  const double r = model.radius[body];
  return {x.x() - r, x.y() - r, x.x() + r, x.y() + r, x.z() - r};
}

Footprint box_around(const Model& model, const State& state, std::size_t body,
                     const Vector3& shift) {
  Footprint box;
  for (std::int32_t p = model.part_begin[body]; p < model.part_begin[body + 1]; ++p) {
    const auto shape = static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(p)]);
    std::visit(
        [&](const auto& s) {
          for (const Vector3& point : s.placed_points()) {
            const Vector3 at = state.q[body] * point + state.x[body] - shift;
            box.low_x = std::min(box.low_x, at.x() - s.rounding());
            box.low_y = std::min(box.low_y, at.y() - s.rounding());
            box.high_x = std::max(box.high_x, at.x() + s.rounding());
            box.high_y = std::max(box.high_y, at.y() + s.rounding());
            box.bottom = std::min(box.bottom, at.z() - s.rounding());
          }
        },
        model.shapes[shape]);
  }
  return box;
}

// Cells under a footprint; what lies beyond the raster is cut off.
struct Cells {
  std::int32_t west = 0, south = 0, east = -1, north = -1;
};

std::int32_t cell_at(double coordinate, std::int32_t last) {
  if (!(coordinate > 0.0)) return 0;
  return coordinate >= last ? last : static_cast<std::int32_t>(coordinate);
}

Cells cells_under(const Raster& raster, const Footprint& foot) {
  const std::int32_t last_column = raster.columns - 2, last_row = raster.rows - 2;
  return {cell_at((foot.low_x - raster.x) / raster.dx, last_column),
          cell_at((foot.low_y - raster.y) / raster.dy, last_row),
          cell_at((foot.high_x - raster.x) / raster.dx, last_column),
          cell_at((foot.high_y - raster.y) / raster.dy, last_row)};
}

bool has_data_under_all(const TerrainRaster& ground, const Footprint& foot) {
  const Raster& raster = ground.raster;
  if (!(foot.low_x >= raster.x && foot.low_y >= raster.y && foot.high_x <= raster.x_end() &&
        foot.high_y <= raster.y_end()))
    return false;
  if (!ground.has_holes) return true;
  const Cells cells = cells_under(raster, foot);
  return !ground.has_hole_in(cells.west, cells.south, cells.east, cells.north);
}

// By more than `margin` [m]: what lies on the ground may have a gap to it.
bool is_above_all(const Raster& raster, const Footprint& foot, double margin) {
  const Cells cells = cells_under(raster, foot);
  for (std::int32_t row = cells.south; row <= cells.north + 1; ++row) {
    for (std::int32_t column = cells.west; column <= cells.east + 1; ++column) {
      // Without data it is NaN, and not higher.
      if (raster.at(column, row) >= foot.bottom - margin) return false;
    }
  }
  return true;
}

bool is_on(const TerrainRaster& ground, const Model& model, const State& state, std::size_t body,
           const Vector3& shift) {
  if (has_data_under_all(ground, ball_around(model, state, body, shift))) return true;
  const Vector3 centre = state.x[body] - shift;
  if (!ground_at(ground.raster, centre.x(), centre.y()).known()) return false;
  const Footprint box = box_around(model, state, body, shift);
  return has_data_under_all(ground, box) ||
         is_above_all(ground.raster, box, gap_share * model.radius[body]);
}

bool has_vanished(const Model& model, const State& state, std::size_t body) {
  return state.active[body] == 0 && model.vanishes_at[body] <= state.time;
}

// Distance in plan of p from the line between two points.
double plan_distance(const Vector3& p, const Vector3& from, const Vector3& to) {
  const Vector3 along(to.x() - from.x(), to.y() - from.y(), 0.0),
      arm(p.x() - from.x(), p.y() - from.y(), 0.0);
  const double square = along.squaredNorm();
  const double share = square > 0.0 ? std::clamp(arm.dot(along) / square, 0.0, 1.0) : 0.0;
  return (arm - share * along).norm();
}

// Whether the line down from p, in the axes of a convex polyhedron where `down` points that way,
// meets it.
bool lies_under(const ConvexPolyhedron& solid, const Vector3& p, const Vector3& down) {
  double enters = 0.0, leaves = infinity;
  for (std::size_t f = 0; f < solid.face_normal.size(); ++f) {
    const double height = solid.face_normal[f].dot(p) - solid.face_offset[f],
                 rate = solid.face_normal[f].dot(down);
    if (rate < 0.0) enters = std::max(enters, -height / rate);
    if (rate > 0.0) leaves = std::min(leaves, -height / rate);
    if (rate == 0.0 && height > 0.0) return false;
  }
  return enters <= leaves;
}

// Of what else carries bodies; the inside of a cylinder and single points have nothing above them.
bool lies_under(const Shape& shape, const Pose& pose, const Vector3& p) {
  const Vector3 down = pose.q.conjugate() * Vector3(0.0, 0.0, -1.0),
                at = pose.q.conjugate() * (p - pose.x);
  if (const auto* plane = std::get_if<HalfSpace>(&shape)) return plane->normal.dot(down) < 0.0;
  if (const auto* solid = std::get_if<ConvexPolyhedron>(&shape))
    return lies_under(*solid, at, down);
  return std::visit(
      [&](const auto& round) {
        const std::span<const Vector3> points = round.placed_points();
        if (!(round.rounding() > 0.0) || points.empty()) return false;
        const Vector3 from = pose.q * points.front() + pose.x, to = pose.q * points.back() + pose.x;
        return plan_distance(p, from, to) <= round.rounding() &&
               p.z() >= std::min(from.z(), to.z()) - round.rounding();
      },
      shape);
}

// Whether something else that contacts do not move lies under the centre of a body.
bool is_above_other_ground(const Model& model, const State& state, std::size_t body) {
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (model.kind[i] == BodyKind::dynamic || state.active[i] == 0) continue;
    for (std::int32_t p = model.part_begin[i]; p < model.part_begin[i + 1]; ++p) {
      const auto shape = static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(p)]);
      if (lies_under(model.shapes[shape], {state.x[i], state.q[i]}, state.x[body])) return true;
    }
  }
  return false;
}

// The first of them by name, and the one that was fastest.
void warn_of_departure(const Model& model, std::size_t body, State& state) {
  WarningEntry entry = state.warnings[Warning::left_terrain];
  const double energy = kinetic_energy(model, state, body);
  if (entry.count == 0 || energy > entry.worst) entry.worst = energy, entry.time = state.time;
  entry.add(static_cast<BodyIndex>(body));
  state.warnings.set(Warning::left_terrain, entry);
}

}  // namespace

std::vector<TerrainPart> terrains_of(const Model& model) {
  std::vector<TerrainPart> terrains;
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    for (std::int32_t p = model.part_begin[i]; p < model.part_begin[i + 1]; ++p) {
      const std::int32_t shape = model.part_shape[static_cast<std::size_t>(p)];
      if (std::holds_alternative<Terrain>(model.shapes[static_cast<std::size_t>(shape)]))
        terrains.push_back({body, shape});
    }
  }
  return terrains;
}

bool is_on_terrain(const Model& model, const State& state, std::span<const TerrainPart> terrains,
                   std::size_t body) {
  const bool on_terrain = std::ranges::any_of(terrains, [&](const TerrainPart& part) {
    if (has_vanished(model, state, static_cast<std::size_t>(part.body))) return false;
    const auto& terrain = std::get<Terrain>(model.shapes[static_cast<std::size_t>(part.shape)]);
    // The body that owns a terrain does not turn.
    const Vector3 shift = terrain.shift + state.x[static_cast<std::size_t>(part.body)];
    return is_on(*terrain.ground, model, state, body, shift);
  });
  return on_terrain || is_above_other_ground(model, state, body);
}

void note_departures(const Model& model, std::span<const TerrainPart> terrains,
                     const StepRecord& record, State& state) {
  if (terrains.empty()) return;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (model.kind[i] != BodyKind::dynamic || state.active[i] == 0 || has_left(state, i) ||
        is_on_terrain(model, state, terrains, i))
      continue;
    state.left.resize(state.x.size(), 0);
    state.left[i] = record.step;
    warn_of_departure(model, i, state);
  }
}

Departure departure_of(const Model& model, const State& state, double dt, std::size_t body) {
  Departure departure;
  departure.step = state.left[body];
  departure.time = static_cast<double>(departure.step) * dt;
  departure.body = static_cast<std::int32_t>(body);
  departure.position = state.x[body] + model.origin;
  departure.orientation = state.q[body] * model.q_BU[body];
  departure.velocity = state.v[body];
  departure.spin = model.q_BU[body].conjugate() * state.w[body];
  departure.kinetic = 0.5 * model.mass[body] * state.v[body].squaredNorm();
  departure.rotation = 0.5 * state.w[body].dot(model.inertia[body].cwiseProduct(state.w[body]));
  return departure;
}

std::vector<Departure> departures_of(const Model& model, const State& state, double dt) {
  std::vector<Departure> list;
  for (std::size_t i = 0; i < state.left.size(); ++i) {
    if (state.left[i] != 0) list.push_back(departure_of(model, state, dt, i));
  }
  std::ranges::stable_sort(list, {}, &Departure::step);
  return list;
}

}  // namespace scree
