#include "engine/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "collision/pairs/pair_table.hpp"
#include "contact/laws/laws.hpp"
#include "engine/base/check.hpp"
#include "engine/base/limits.hpp"

namespace scree {
namespace {

// Round-off of 1/(1+e), so that theta typed as that quotient is accepted.
constexpr double theta_round_off = 1e-15;
// Far more than any machine can compute, and far below where step numbers overflow.
constexpr double most_steps_of_run = 1e12;

void require_positive(double value, const char* field, const char* unit) {
  require(std::isfinite(value) && value > 0.0, field,
          fmt::format("{} is not allowed; must be a finite number > 0{}", value, unit));
}

void require_not_negative(double value, const char* field, const char* unit) {
  require(std::isfinite(value) && value >= 0.0, field,
          fmt::format("{} is not allowed; must be a finite number >= 0{}", value, unit));
}

void require_at_least(std::int64_t value, std::int64_t low, const char* field) {
  require(value >= low, field,
          fmt::format("{} is not allowed; must be an integer >= {}", value, low));
}

// How many bodies of one material there are.
struct Use {
  std::int64_t dynamic = 0, fixed = 0;
};

std::vector<Use> count_uses(const Model& model) {
  std::vector<Use> uses(model.materials.name.size());
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    Use& use = uses[static_cast<std::size_t>(model.material[static_cast<std::size_t>(body)])];
    ++(model.is_dynamic(body) ? use.dynamic : use.fixed);
  }
  for (const ZonedBody& zoned : model.zoned) {
    for (const MaterialIndex material : zoned.zones->materials())
      ++uses[static_cast<std::size_t>(material)].fixed;
  }
  return uses;
}

// Whether two bodies, at least one of them dynamic, can bring the two materials together.
bool can_meet(const std::vector<Use>& uses, std::size_t a, std::size_t b) {
  if (a == b) return uses[a].dynamic >= 2 || (uses[a].dynamic == 1 && uses[a].fixed >= 1);
  return (uses[a].dynamic > 0 && uses[b].dynamic + uses[b].fixed > 0) ||
         (uses[b].dynamic > 0 && uses[a].fixed > 0);
}

struct RestitutionBound {
  double e = 0.0;
  std::string pair;
};

void check_numbers(const PairLaw& law) {
  const auto& parameters = contact::Laws::parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const contact::LawParameter& p = parameters[i];
    const double value = contact::Laws::number(law, i);
    std::string field = "contact.";
    field += p.name;
    require(value >= p.low && value <= p.high, field,
            fmt::format("{} is not allowed; must be a number in [{:g}, {:g}]{}{}", value, p.low,
                        p.high, *p.unit == '\0' ? "" : " ", p.unit));
    require(value == p.absent || contact::Laws::takes(law.law, i), field,
            fmt::format("{} says nothing under the law \"{}\"; {}", value,
                        contact::Laws::name_of(law.law), p.meaning));
  }
  const contact::LawFault fault = contact::Laws::fault(law);
  if (fault.parameter == nullptr) return;
  std::string field = "contact.";
  field += fault.parameter;
  require(false, field, fault.text);
}

// Demands a law for every pair that can meet; returns the largest restitution of those under
// `fremond`, if any.
std::optional<RestitutionBound> check_pairs(const Model& model) {
  const MaterialTable& materials = model.materials;
  const std::vector<Use> uses = count_uses(model);
  std::optional<RestitutionBound> bound;
  for (std::size_t a = 0; a < uses.size(); ++a) {
    for (std::size_t b = a; b < uses.size(); ++b) {
      if (!can_meet(uses, a, b)) continue;
      const auto& law = materials.at(static_cast<MaterialIndex>(a), static_cast<MaterialIndex>(b));
      require(
          law.has_value(), "contact",
          fmt::format("no law for the materials \"{0}\" and \"{1}\", whose bodies can meet; add a "
                      "[[contact]] with between = [\"{0}\", \"{1}\"]",
                      materials.name[a], materials.name[b]));
      check_numbers(*law);
      if (contact::Laws::averages(*law) && (!bound || law->e > bound->e)) {
        bound = RestitutionBound{law->e, materials.name[a] + " - " + materials.name[b]};
      }
    }
  }
  return bound;
}

// What a law remembers of a contact goes on with it from zone to zone.
void check_zones(const Model& model) {
  const MaterialTable& materials = model.materials;
  if (model.zoned.empty() || !contact::Laws::any_memory(materials)) return;
  const std::vector<Use> uses = count_uses(model);
  for (const ZonedBody& zoned : model.zoned) {
    const MaterialIndex first = model.material[static_cast<std::size_t>(zoned.body)];
    for (const MaterialIndex zone : zoned.zones->materials()) {
      for (std::size_t other = 0; other < uses.size(); ++other) {
        if (uses[other].dynamic == 0) continue;
        const auto &one = materials.at(first, static_cast<MaterialIndex>(other)),
                   &another = materials.at(zone, static_cast<MaterialIndex>(other));
        require(one->numbers == another->numbers, "contact",
                fmt::format("laws that remember their contacts must be the same in all zones of a "
                            "ground; those of \"{2}\" with \"{0}\" and with \"{1}\" differ",
                            materials.name[static_cast<std::size_t>(first)],
                            materials.name[static_cast<std::size_t>(zone)], materials.name[other]));
      }
    }
  }
}

void check_theta(const Model& model, double theta) {
  const std::optional<RestitutionBound> bound = check_pairs(model);
  const double high = bound ? 1.0 / (1.0 + bound->e) : 1.0;
  const std::string interval =
      bound ? fmt::format(
                  "[1/2, 1/(1+e)] = [0.5, {}], e = {} being the largest restitution of the "
                  "pairs under the law fremond ({})",
                  high, bound->e, bound->pair)
            : "[1/2, 1] = [0.5, 1]";
  require(theta >= 0.5 && theta <= high + theta_round_off, "time.theta",
          fmt::format("{} is not allowed; must be in {}", theta, interval));
}

// Once for all bodies: a look at all names for each new one would take hours for a million bodies.
void check_names(const Model& model) {
  std::vector<std::string_view> names(model.name.begin(), model.name.end());
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  require(twice == names.end(), "body",
          twice == names.end()
              ? ""
              : fmt::format("the name '{}' is given twice; names must be unique", *twice));
}

void check_solver(const contact::SolverOptions& solver) {
  require_positive(solver.tolerance, "solver.tolerance", "");
  require(solver.tolerance <= 1.0, "solver.tolerance",
          fmt::format("{} is not allowed; must be at most 1", solver.tolerance));
  require_positive(solver.velocity_tolerance, "solver.velocity_tolerance", "");
  require(solver.velocity_tolerance <= 1.0, "solver.velocity_tolerance",
          fmt::format("{} is not allowed; must be at most 1", solver.velocity_tolerance));
  require_at_least(solver.max_iterations, 1, "solver.max_iterations");
  require_at_least(solver.min_iterations, 0, "solver.min_iterations");
  require(solver.min_iterations <= solver.max_iterations, "solver.min_iterations",
          fmt::format("{} is not allowed; must be at most max_iterations = {}",
                      solver.min_iterations, solver.max_iterations));
}

}  // namespace

double largest_theta(const Model& model) {
  const std::optional<RestitutionBound> bound = check_pairs(model);
  return bound ? 1.0 / (1.0 + bound->e) : 1.0;
}

void check_settings(const Model& model, const Settings& settings) {
  check_names(model);
  collision::require_pairs(model);
  require_positive(settings.time.dt, "time.dt", " [s]");
  require_positive(settings.time.end, "time.end", " [s]");
  require(settings.time.end >= settings.time.dt, "time.end",
          fmt::format("{} is not allowed; must be at least one step, dt = {} [s]",
                      settings.time.end, settings.time.dt));
  require(settings.time.end / settings.time.dt <= most_steps_of_run, "time.end",
          fmt::format("{} s in steps of dt = {} s are {:.3g} steps; at most {:g} are allowed",
                      settings.time.end, settings.time.dt, settings.time.end / settings.time.dt,
                      most_steps_of_run));
  check_theta(model, settings.time.theta);
  check_zones(model);
  require(
      settings.step.closing == Closing::impact || settings.time.theta == 1.0, "law.closing",
      "\"two_step\" is not allowed with theta below 1, where the mean velocity of a step carries "
      "on past the touch; take theta = 1, or correction = \"repeated\"");
  check_solver(settings.step.solver);
  require_at_least(settings.step.max_passes, 1, "solver.max_passes");
  require_not_negative(settings.step.activation_gamma, "law.activation_gamma", "");
  require(
      settings.step.activation_gamma <= 1.0, "law.activation_gamma",
      fmt::format("{} is not allowed; must be a number in [0, 1]", settings.step.activation_gamma));
  require_not_negative(settings.step.correction_slop, "law.correction_slop", "");
  require_not_negative(settings.step.catch_share, "law.catch_share", "");
  require_not_negative(settings.output.frames_per_second, "output.frames_per_second", " [1/s]");
  require_at_least(settings.checkpoint.every_steps, 0, "checkpoint.every_steps");
  require_not_negative(settings.checkpoint.every_minutes, "checkpoint.every_minutes", " [min]");
  require_not_negative(settings.stop.displacement, "stop.displacement", " [m]");
  require_not_negative(settings.stop.after, "stop.after", " [s]");
  if (settings.stop.wanted()) require_positive(settings.stop.window, "stop.window", " [s]");
  require_not_negative(settings.overlap_tolerance, "start.overlap_tolerance", "");
  require(settings.threads >= 0 && settings.threads <= most_threads, "solver.threads",
          fmt::format("{} is not allowed; must be an integer from 0 (all processors) to {}",
                      settings.threads, most_threads));
}

void check_motion(const Model& model, const Settings& settings, const State& state) {
  const double h = settings.time.dt;
  for (std::size_t i = 0; i < state.v.size(); ++i) {
    if (model.kind[i] == BodyKind::fixed) continue;
    const double fall = model.kind[i] == BodyKind::dynamic ? h * h * model.gravity.norm() : 0.0;
    const double way = h * state.v[i].norm() + fall;
    require(
        way <= admitted_length.high, "time.dt",
        fmt::format("body '{}' would go {:.3g} m in one step of {:g} s; at most {:g} m is allowed",
                    model.name[i], way, h, admitted_length.high));
  }
}

}  // namespace scree
