#include "engine/scene_warnings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "collision/detect.hpp"
#include "contact/laws/laws.hpp"
#include "engine/base/infinity.hpp"
#include "engine/departures.hpp"
#include "engine/driven_paths.hpp"
#include "engine/late_things.hpp"
#include "engine/model/extent.hpp"
#include "engine/setting_warnings.hpp"
#include "engine/suggested_step.hpp"
#include "engine/support.hpp"

namespace scree {
namespace {

void warn_of_support(const Model& model, const State& state, WarningLog& log) {
  if (model.gravity.isZero(0.0)) return;
  WarningEntry entry;
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    if (!model.is_dynamic(body) || is_held_up(model, body)) continue;
    if (may_be_supported(model, state, static_cast<std::size_t>(body))) return;
    entry.add(body);
  }
  entry.worst = static_cast<double>(entry.count);
  log.set(Warning::no_support, entry);
}

bool is_zero(const Record& record) {
  return std::ranges::all_of(record.value, [](const Vector3& value) { return value.isZero(0.0); });
}

bool is_idle(const Load& load) { return is_zero(load.force) && is_zero(load.torque); }

// Whether a body at rest is pulled in a direction that it is free to go. Loads that may turn it
// count wherever it is free to turn.
bool is_pulled(const Model& model, BodyIndex body) {
  const auto steered = std::ranges::find(model.steered, body, &SteeredBody::body);
  const bool is_steered = steered != model.steered.end();
  const Freedom freedom = is_steered ? steered->freedom : Freedom{};
  const auto acts = [&](const Vector3& a) {
    return !freedom.directions.cwiseProduct(a).isZero(0.0);
  };
  if (acts(model.gravity)) return true;
  for (const FieldRecord& part : model.field) {
    if (std::ranges::any_of(part.acceleration.value, acts)) return true;
  }
  if (!is_steered) return false;
  for (std::int32_t k = steered->load_begin; k < steered->load_end; ++k) {
    const Load& load = model.loads[static_cast<std::size_t>(k)];
    if (load.axes == LoadAxes::body ? !is_zero(load.force)
                                    : std::ranges::any_of(load.force.value, acts))
      return true;
    if (freedom.rotations > 0 && !(is_zero(load.torque) && (load.central || is_zero(load.force))))
      return true;
  }
  return false;
}

void warn_of_stillness(const Model& model, const State& state, WarningLog& log) {
  if (std::ranges::any_of(model.histories, is_driven_to_move) || model.cell.is_sheared()) return;
  WarningEntry entry;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (model.kind[i] != BodyKind::dynamic) continue;
    if (!state.v[i].isZero(0.0) || !state.w[i].isZero(0.0) ||
        is_pulled(model, static_cast<BodyIndex>(i)))
      return;
    ++entry.count;
  }
  if (entry.count == 0) entry.count = model.n_bodies();  // none of which moves freely
  entry.worst = static_cast<double>(entry.count);
  log.set(Warning::nothing_moves, entry);
}

void warn_of_driven_stillness(const Model& model, WarningLog& log) {
  WarningEntry entry;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (model.history[i] < 0 ||
        is_driven_to_move(model.histories[static_cast<std::size_t>(model.history[i])]))
      continue;
    entry.add(static_cast<BodyIndex>(i));
  }
  entry.worst = static_cast<double>(entry.count);
  log.set(Warning::driven_still, entry);
}

void warn_of_step_length(const SuggestedStep& suggested, const Settings& settings,
                         WarningLog& log) {
  if (settings.time.dt > step_limit * suggested.dt())
    log.raise(Warning::long_step, settings.time.dt / suggested.dt());
}

void warn_of_sizes(const Model& model, WarningLog& log) {
  double heaviest = 0.0, lightest = infinity;
  BodyIndex heavy = -1, light = -1;
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    if (!model.is_dynamic(body)) continue;
    const double size = 2.0 * model.radius[i], mass = model.mass[i];
    if (size > largest_usual_size) log.raise(Warning::large_body, size, {body});
    // A single point has no size.
    if (size > 0.0 && size < smallest_usual_size) log.raise(Warning::small_body, size, {body});
    if (mass > largest_usual_mass) log.raise(Warning::heavy_body, mass, {body});
    if (mass > heaviest) heaviest = mass, heavy = body;
    if (mass < lightest) lightest = mass, light = body;
  }
  if (heaviest > mass_ratio_limit * lightest)
    log.raise(Warning::mass_ratio, heaviest / lightest, {light, heavy});
}

// Positions are numbers with 53 bits: far away, their spacing is no longer small beside bodies.
void warn_of_distances(const Model& model, const State& state, WarningLog& log) {
  const std::vector<double> thickness = thinnest_extents(model);
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    if (model.kind[i] == BodyKind::fixed || !(thickness[i] > 0.0)) continue;
    const double farthest = state.x[i].cwiseAbs().maxCoeff();
    const double share = (std::nextafter(farthest, infinity) - farthest) / thickness[i];
    if (share > spacing_limit) log.raise(Warning::far_away, share, {body});
  }
}

// Of the ground, of tables and of fields, compared with gravity: a model in a centrifuge is shaken
// as much more.
void warn_of_accelerations(const Model& model, WarningLog& log) {
  const double shaken = std::max(ground_limit, ground_over_gravity * model.gravity.norm());
  const auto peak_of = [](const std::vector<Vector3>& values) {
    double peak = 0.0;
    for (const Vector3& value : values) peak = std::max(peak, value.norm());
    return peak;
  };
  for (const FieldRecord& part : model.field) {
    const double peak = peak_of(part.acceleration.value);
    if (peak > (part.ground ? shaken : gravity_limit)) log.raise(Warning::large_acceleration, peak);
  }
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const std::int32_t k = model.history[static_cast<std::size_t>(body)];
    if (k < 0) continue;
    const MotionHistory& history = model.histories[static_cast<std::size_t>(k)];
    if (history.kind != HistoryKind::acceleration) continue;
    const double peak = peak_of(history.linear);
    if (peak > shaken) log.raise(Warning::large_acceleration, peak, {body});
  }
}

// Loads and accelerations that are given, and are zero.
void warn_of_idle_records(const Model& model, WarningLog& log) {
  WarningEntry entry;
  for (const FieldRecord& part : model.field) {
    if (is_zero(part.acceleration)) ++entry.count;
  }
  for (const SteeredBody& steered : model.steered) {
    for (std::int32_t k = steered.load_begin; k < steered.load_end; ++k) {
      if (is_idle(model.loads[static_cast<std::size_t>(k)])) entry.add(steered.body);
    }
  }
  entry.worst = static_cast<double>(entry.count);
  log.set(Warning::idle_record, entry);
}

// A point as far outside as if it were in other axes or another unit.
void warn_of_load_points(const Model& model, WarningLog& log) {
  for (const SteeredBody& steered : model.steered) {
    const double radius = model.radius[static_cast<std::size_t>(steered.body)];
    for (std::int32_t k = steered.load_begin; k < steered.load_end; ++k) {
      const Load& load = model.loads[static_cast<std::size_t>(k)];
      const double share = load.point.norm() / radius;
      if (!load.central && !is_zero(load.force) && share > most_arm)
        log.raise(Warning::far_load, share, {steered.body});
    }
  }
}

// Values that rasters without a header for it have where there is no data.
bool is_usual_no_data(double height) {
  constexpr double usual[] = {-9999.0, -99999.0, -32768.0, -32767.0, 9999.0, 32767.0, 65535.0};
  return std::abs(height) >= 1e30 || std::ranges::find(usual, height) != std::end(usual);
}

void warn_of_cliffs(const Raster& raster, BodyIndex body, WarningLog& log) {
  double highest = 0.0;
  const auto look = [&](double a, double b, double spacing) {
    const double cliff = std::abs(a - b);  // NaN: no data there
    const bool odd = cliff > most_cliff * spacing || (cliff > 0.1 * most_cliff * spacing &&
                                                      (is_usual_no_data(a) || is_usual_no_data(b)));
    if (odd && cliff > highest) highest = cliff;
  };
  for (std::int32_t row = 0; row < raster.rows; ++row) {
    for (std::int32_t column = 0; column < raster.columns; ++column) {
      const double here = raster.at(column, row);
      if (column + 1 < raster.columns) look(here, raster.at(column + 1, row), raster.dx);
      if (row + 1 < raster.rows) look(here, raster.at(column, row + 1), raster.dy);
    }
  }
  if (highest > 0.0) log.raise(Warning::odd_terrain, highest, {body});
}

void warn_of_terrains(const Model& model, WarningLog& log) {
  for (const TerrainPart& part : terrains_of(model)) {
    const TerrainRaster& ground =
        *std::get<Terrain>(model.shapes[static_cast<std::size_t>(part.shape)]).ground;
    const Raster& raster = ground.raster;
    if (ground.steepest > 0.1 * most_cliff * std::min(1.0, raster.dx / raster.dy))
      warn_of_cliffs(raster, part.body, log);
  }
}

// As the stress that it is over the largest body that it holds.
void warn_of_cohesion(const Model& model, WarningLog& log) {
  const auto& parameters = contact::Laws::parameters;
  const auto named = std::ranges::find_if(parameters, [](const auto& parameter) {
    return std::string_view(parameter.name) == "cohesion";
  });
  if (named == parameters.end()) return;
  const auto cohesion = static_cast<std::size_t>(named - parameters.begin());
  const std::size_t n = model.materials.name.size();
  std::vector<double> largest(n, 0.0);
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    double& size = largest[static_cast<std::size_t>(model.material[i])];
    if (model.is_dynamic(body)) size = std::max(size, 2.0 * model.radius[i]);
  }
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a; b < n; ++b) {
      const auto& law =
          model.materials.at(static_cast<MaterialIndex>(a), static_cast<MaterialIndex>(b));
      const double size = std::max(largest[a], largest[b]);
      if (!law || !(size > 0.0)) continue;
      const double stress = contact::Laws::number(*law, cohesion) / (size * size);
      if (stress > cohesion_limit) log.raise(Warning::large_cohesion, stress);
    }
  }
}

void warn_of_tolerances(const contact::SolverOptions& solver, WarningLog& log) {
  if (solver.tolerance > tolerance_limit) log.raise(Warning::loose_tolerance, solver.tolerance);
  if (solver.measure == contact::Measure::combined &&
      solver.velocity_tolerance > velocity_tolerance_limit)
    log.raise(Warning::loose_tolerance, solver.velocity_tolerance);
}

// The first two bodies of a pair of materials, of which one moves freely; none: no such bodies
// meet.
std::optional<std::array<BodyIndex, 2>> bodies_of_pair(const Model& model, MaterialIndex a,
                                                       MaterialIndex b) {
  const auto first = [&](MaterialIndex material, bool moves, BodyIndex other) {
    for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
      if (body != other && model.material[static_cast<std::size_t>(body)] == material &&
          (!moves || model.is_dynamic(body)))
        return body;
    }
    return BodyIndex{-1};
  };
  for (const auto& [moving, still] : {std::pair(a, b), std::pair(b, a)}) {
    const BodyIndex one = first(moving, true, -1);
    const BodyIndex two = one < 0 ? -1 : first(still, false, one);
    if (two >= 0) return std::array{one, two};
  }
  return std::nullopt;
}

void warn_of_friction(const Model& model, WarningLog& log) {
  const MaterialTable& materials = model.materials;
  const std::size_t n = materials.name.size();
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a; b < n; ++b) {
      const auto first = static_cast<MaterialIndex>(a), second = static_cast<MaterialIndex>(b);
      const auto& law = materials.at(first, second);
      if (!law) continue;
      const auto& parameters = contact::Laws::parameters;
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        const double value = contact::Laws::number(*law, i);
        if (!(value > parameters[i].usual)) continue;
        if (const auto bodies = bodies_of_pair(model, first, second))
          log.raise(Warning::large_friction, value, {(*bodies)[0], (*bodies)[1]});
        break;
      }
    }
  }
}

// Of bodies that are there at the start, where these are allowed or the tolerance of overlaps is
// loose, and of those that appear later with what is in their place now.
void warn_of_overlaps(const Model& model, const Settings& settings, const State& state,
                      WarningLog& log) {
  const bool late = std::ranges::find(state.active, std::uint8_t{0}) != state.active.end();
  const double tolerance = std::min(settings.overlap_tolerance, loose_overlap);
  if (!settings.allow_initial_overlap && !late && settings.overlap_tolerance == tolerance) return;
  const std::vector<double> thickness = thinnest_extents(model);
  const std::vector<std::uint8_t> all(state.active.size(), 1);
  for (const collision::Overlap& overlap :
       collision::find_overlaps(model, {state.x, state.q, state.image_shift}, all, tolerance)) {
    const auto a = static_cast<std::size_t>(overlap.body_a),
               b = static_cast<std::size_t>(overlap.body_b);
    const bool at_start = state.active[a] != 0 && state.active[b] != 0;
    const bool meet =
        model.appears_at[a] < model.vanishes_at[b] && model.appears_at[b] < model.vanishes_at[a];
    if (!meet) continue;
    log.raise(at_start ? Warning::initial_overlap : Warning::late_overlap,
              overlap.depth / std::min(thickness[a], thickness[b]),
              {overlap.body_a, overlap.body_b});
  }
}

// A two-step rule that no pair of the scene obeys.
void warn_of_closing(const Model& model, const Settings& settings, WarningLog& log) {
  if (settings.step.closing != Closing::two_step) return;
  double least = infinity;
  for (const std::optional<PairLaw>& pair : model.materials.pair_law) {
    if (pair) least = std::min(least, pair->e);
  }
  if (least > 0.0 && std::isfinite(least)) log.raise(Warning::idle_closing, least);
}

}  // namespace

WarningLog warnings_of_scene(const Model& model, const Settings& settings, const State& state) {
  const SuggestedStep suggested = suggest_step(model, state);
  WarningLog log;
  warn_of_support(model, state, log);
  warn_of_stillness(model, state, log);
  warn_of_driven_stillness(model, log);
  warn_of_driven_paths(model, settings, state, log);
  warn_of_step_length(suggested, settings, log);
  warn_of_times(suggested, settings, log);
  warn_of_stop_rule(model, settings, state, log);
  warn_of_devices(model, settings, state, suggested, log);
  warn_of_sizes(model, log);
  warn_of_distances(model, state, log);
  if (model.gravity.norm() > gravity_limit) log.raise(Warning::large_gravity, model.gravity.norm());
  warn_of_friction(model, log);
  warn_of_accelerations(model, log);
  warn_of_idle_records(model, log);
  warn_of_load_points(model, log);
  warn_of_terrains(model, log);
  warn_of_cohesion(model, log);
  warn_of_tolerances(settings.step.solver, log);
  warn_of_closing(model, settings, log);
  warn_of_overlaps(model, settings, state, log);
  warn_of_late_things(model, settings, log);
  return log;
}

void renew_late_warnings(const Model& model, const Settings& settings, WarningLog& log) {
  WarningLog late;
  warn_of_late_things(model, settings, late);
  for (const Warning warning : {Warning::never_happens, Warning::cut_record}) {
    if (late[warning].count > 0 || log[warning].count > 0) log.set(warning, late[warning]);
  }
}

void warn_of_density(double density, BodyIndex body, WarningLog& log) {
  if (density < least_density) log.raise(Warning::low_density, density, {body});
  if (density > largest_density) log.raise(Warning::high_density, density, {body});
}

void warn_of_inertia(const Matrix3& given, const Matrix3& filled, BodyIndex body, WarningLog& log) {
  double worst = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double ratio = given(axis, axis) / filled(axis, axis);
    if (ratio > most_inertia || ratio < least_inertia)
      worst = std::max({worst, ratio, 1.0 / ratio});
  }
  if (worst > 1.0) log.raise(Warning::odd_inertia, worst, {body});
}

}  // namespace scree
