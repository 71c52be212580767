#include "engine/scene_warnings.hpp"

#include <algorithm>
#include <cmath>

#include "collision/detect.hpp"
#include "contact/laws/laws.hpp"
#include "engine/model/extent.hpp"
#include "engine/suggested_step.hpp"
#include "engine/support.hpp"

namespace scree {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// One more body that a warning is about; the first four are named.
void count_body(BodyIndex body, WarningEntry& entry) {
  if (entry.count < static_cast<std::int64_t>(entry.bodies.size()))
    entry.bodies[static_cast<std::size_t>(entry.count)] = body;
  ++entry.count;
}

void warn_of_support(const Model& model, const State& state, WarningLog& log) {
  if (model.gravity.isZero(0.0)) return;
  WarningEntry entry;
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    if (!model.is_dynamic(body)) continue;
    if (may_be_supported(model, state, static_cast<std::size_t>(body))) return;
    count_body(body, entry);
  }
  entry.worst = static_cast<double>(entry.count);
  log.set(Warning::no_support, entry);
}

bool is_driven_to_move(const MotionHistory& history) {
  const auto moves = [](const Vector3& value) { return !value.isZero(0.0); };
  return moves(history.start.v) || moves(history.start.w_W) ||
         std::ranges::any_of(history.linear, moves) || std::ranges::any_of(history.angular, moves);
}

void warn_of_stillness(const Model& model, const State& state, WarningLog& log) {
  if (!model.gravity.isZero(0.0) || std::ranges::any_of(model.histories, is_driven_to_move)) return;
  if (!model.loads.empty() || !model.field.empty()) return;
  WarningEntry entry;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (model.kind[i] != BodyKind::dynamic) continue;
    if (!state.v[i].isZero(0.0) || !state.w[i].isZero(0.0)) return;
    ++entry.count;
  }
  entry.worst = static_cast<double>(entry.count);
  log.set(Warning::nothing_moves, entry);
}

void warn_of_driven_stillness(const Model& model, WarningLog& log) {
  WarningEntry entry;
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (model.history[i] < 0 ||
        is_driven_to_move(model.histories[static_cast<std::size_t>(model.history[i])]))
      continue;
    count_body(static_cast<BodyIndex>(i), entry);
  }
  entry.worst = static_cast<double>(entry.count);
  log.set(Warning::driven_still, entry);
}

void warn_of_step_length(const Model& model, const Settings& settings, const State& state,
                         WarningLog& log) {
  const double suggested = suggest_step(model, state).dt();
  if (settings.time.dt > step_limit * suggested)
    log.raise(Warning::long_step, settings.time.dt / suggested);
}

void warn_of_sizes(const Model& model, WarningLog& log) {
  double heaviest = 0.0, lightest = infinity;
  BodyIndex heavy = -1, light = -1;
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    if (!model.is_dynamic(body)) continue;
    const double size = 2.0 * model.radius[i], mass = model.mass[i];
    if (size > largest_usual_size) log.raise(Warning::large_body, size, {body});
    if (size < smallest_usual_size) log.raise(Warning::small_body, size, {body});
    if (mass > largest_usual_mass) log.raise(Warning::heavy_body, mass, {body});
    if (mass > heaviest) heaviest = mass, heavy = body;
    if (mass < lightest) lightest = mass, light = body;
  }
  if (heaviest > mass_ratio_limit * lightest)
    log.raise(Warning::mass_ratio, heaviest / lightest, {light, heavy});
}

void warn_of_friction(const MaterialTable& materials, WarningLog& log) {
  const std::size_t n = materials.name.size();
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a; b < n; ++b) {
      const auto& law = materials.at(static_cast<MaterialIndex>(a), static_cast<MaterialIndex>(b));
      if (!law) continue;
      const auto& parameters = contact::Laws::parameters;
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        const double value = contact::Laws::number(*law, i);
        if (value > parameters[i].usual) {
          log.raise(Warning::large_friction, value);
          break;
        }
      }
    }
  }
}

// Of bodies that are there at the start, where these are allowed, and of those that appear later
// with what is in their place now.
void warn_of_overlaps(const Model& model, const Settings& settings, const State& state,
                      WarningLog& log) {
  const bool late = std::ranges::find(state.active, std::uint8_t{0}) != state.active.end();
  if (!settings.allow_initial_overlap && !late) return;
  const std::vector<double> thickness = thinnest_extents(model);
  const std::vector<std::uint8_t> all(state.active.size(), 1);
  for (const collision::Overlap& overlap : collision::find_overlaps(
           model, {state.x, state.q, state.image_shift}, all, settings.overlap_tolerance)) {
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

// Events, motions and a stop rule whose time comes after the end.
void warn_of_late_things(const Model& model, const Settings& settings, WarningLog& log) {
  const double end = settings.time.end;
  const auto later = [end](double time) { return std::isfinite(time) && time >= end; };
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    if (later(model.appears_at[i])) log.raise(Warning::never_happens, model.appears_at[i], {body});
    if (later(model.vanishes_at[i]))
      log.raise(Warning::never_happens, model.vanishes_at[i], {body});
    if (model.history[i] < 0) continue;
    const MotionHistory& history = model.histories[static_cast<std::size_t>(model.history[i])];
    // A table of which no more than a part of one line between two entries is reached, as one in
    // milliseconds is not.
    const std::size_t count = history.time.size();
    const double first_needed = history.time[count > 2 ? 1 : 0];
    if (count > 1 && later(first_needed)) log.raise(Warning::never_happens, first_needed, {body});
  }
  for (const SteeredBody& steered : model.steered) {
    for (std::int32_t k = steered.load_begin; k < steered.load_end; ++k) {
      const Load& load = model.loads[static_cast<std::size_t>(k)];
      for (const Record* record : {&load.force, &load.torque}) {
        if (record->time.size() > 1 && later(record->time[record->time.size() > 2 ? 1 : 0]))
          log.raise(Warning::never_happens, record->time[0], {steered.body});
      }
    }
  }
  for (const FieldRecord& part : model.field) {
    const std::vector<double>& time = part.acceleration.time;
    if (time.size() > 1 && later(time[time.size() > 2 ? 1 : 0]))
      log.raise(Warning::never_happens, time[0]);
  }
  const StopSettings& stop = settings.stop;
  // A window that ends with the run is judged at its last step.
  if (stop.wanted() && later(stop.after + stop.window - 0.5 * settings.time.dt))
    log.raise(Warning::never_happens, stop.after + stop.window);
}

}  // namespace

WarningLog warnings_of_scene(const Model& model, const Settings& settings, const State& state) {
  WarningLog log;
  warn_of_support(model, state, log);
  warn_of_stillness(model, state, log);
  warn_of_driven_stillness(model, log);
  warn_of_step_length(model, settings, state, log);
  warn_of_sizes(model, log);
  if (model.gravity.norm() > gravity_limit) log.raise(Warning::large_gravity, model.gravity.norm());
  warn_of_friction(model.materials, log);
  const contact::SolverOptions& solver = settings.step.solver;
  if (solver.measure != contact::Measure::published && solver.tolerance > tolerance_limit) {
    log.raise(Warning::loose_tolerance, solver.tolerance);
  }
  warn_of_closing(model, settings, log);
  warn_of_overlaps(model, settings, state, log);
  warn_of_late_things(model, settings, log);
  return log;
}

void renew_late_warnings(const Model& model, const Settings& settings, WarningLog& log) {
  WarningLog late;
  warn_of_late_things(model, settings, late);
  if (late.any() || log[Warning::never_happens].count > 0)
    log.set(Warning::never_happens, late[Warning::never_happens]);
}

void warn_of_density(double density, BodyIndex body, WarningLog& log) {
  if (density < least_density) log.raise(Warning::low_density, density, {body});
  if (density > largest_density) log.raise(Warning::high_density, density, {body});
}

}  // namespace scree
