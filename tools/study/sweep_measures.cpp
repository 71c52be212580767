#include "tools/study/sweep_measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "engine/base/check.hpp"
#include "engine/base/printable.hpp"
#include "engine/files/result_tables.hpp"
#include "engine/measure/groups.hpp"
#include "engine/periodic_cell.hpp"
#include "scenes/read/document.hpp"
#include "tools/plot/measured_words.hpp"
#include "tools/plot/motions.hpp"
#include "tools/study/nothing.hpp"

namespace scree::study {
namespace {

using Value = std::function<double(const StepView& view)>;

struct Quantity {
  std::string unit;
  bool adds_up = false;  // a sum over the run means something
  Values values;

  Quantity(std::string of_unit, bool sums, Values of)
      : unit(std::move(of_unit)), adds_up(sums), values(std::move(of)) {}
  // One number a step.
  Quantity(std::string of_unit, bool sums, Value of)
      : Quantity(std::move(of_unit), sums,
                 [value = std::move(of)](const StepView& view, std::vector<double>& found) {
                   found.push_back(value(view));
                 }) {}
};

bool is_wall_time(std::string_view name) { return name.starts_with("seconds_"); }

std::optional<Quantity> column(const std::string& name) {
  for (const LedgerColumn& column : ledger_columns) {
    if (name == column.name)
      return Quantity("J", plot::adds_up(name), Value([column](const StepView& view) {
                        return column.value(view.record.ledger);
                      }));
  }
  // The record before the first step has no solve.
  for (const SolverCount& column : solver_counts) {
    if (name == column.name)
      return Quantity("", name != "step", Value([value = column.value](const StepView& view) {
                        return view.record.step > 0 ? static_cast<double>(value(view.record))
                                                    : nothing;
                      }));
  }
  for (const SolverNumber& column : solver_numbers) {
    const std::string unit = column.unit;
    if (name == column.name && !is_wall_time(name))
      return Quantity(unit == "-" ? "" : unit, true,
                      Value([value = column.value](const StepView& view) {
                        return view.record.step > 0 ? value(view.record) : nothing;
                      }));
  }
  return std::nullopt;
}

// Works added up since the start: of contacts, or of everything.
std::optional<Quantity> work_so_far(const std::string& name) {
  const std::vector<std::string> names = plot::terms_of_sum(name);
  if (names.empty()) return std::nullopt;
  std::vector<LedgerColumn> terms;
  for (const LedgerColumn& column : ledger_columns)
    if (std::ranges::find(names, column.name) != names.end()) terms.push_back(column);
  return Quantity("J", false, Value([terms, sum = 0.0](const StepView& view) mutable {
                    for (const LedgerColumn& term : terms) sum += term.value(view.record.ledger);
                    return sum;
                  }));
}

std::vector<Vector3> places(const Model& model, const State& state) {
  std::vector<Vector3> x = state.x;
  for (Vector3& place : x) place += model.origin;
  return x;
}

auto mover(const Model& model, const State& state) {
  return [&model, &state](std::size_t i) {
    return model.kind[i] == BodyKind::dynamic && state.active[i] != 0;
  };
}

double height(const StepView& view) {
  const double found =
      plot::highest(places(view.model, view.state), plot::upward(view.model.gravity),
                    mover(view.model, view.state));
  return std::isfinite(found) ? found : nothing;
}

Value run_out(const Scene& scene) {
  const Vector3 middle =
      plot::middle_of(places(scene.model, scene.state), mover(scene.model, scene.state));
  return [middle](const StepView& view) {
    return plot::farthest(places(view.model, view.state), middle, plot::upward(view.model.gravity),
                          mover(view.model, view.state));
  };
}

Value body_motion(const plot::Motion& motion, std::size_t i, const Scene& scene) {
  const BodyIndex relative_to = scene.settings.measure.relative_to;
  measure::Reference reference;
  if (relative_to >= 0) {
    const auto r = static_cast<std::size_t>(relative_to);
    reference.start = {scene.state.x[r], scene.state.q[r]};
  }
  return [value = motion.value, i, start = scene.state.x[i], relative_to,
          reference](const StepView& view) mutable {
    if (view.state.active[i] == 0) return nothing;
    if (relative_to >= 0) {
      const auto r = static_cast<std::size_t>(relative_to);
      reference.now = {path_end(view.model.cell, view.state, r), view.state.q[r]};
    }
    const Vector3 position = view.state.x[i] + view.model.origin,
                  displacement =
                      reference.displacement(start, path_end(view.model.cell, view.state, i));
    return value({position, view.state.v[i], view.state.w[i], displacement});
  };
}

// A word that only measuring devices have.
bool names_a_device(const std::string& word) {
  return word == "passed" || word == "moved" || plot::find_word(plot::impact_words, word) ||
         plot::find_word(plot::crossing_words, word) || plot::find_word(plot::gauge_words, word) ||
         plot::tells_of_pairs(word);
}

[[noreturn]] void fail(const std::string& text, const std::string& message) {
  throw InputError(printable(fmt::format("--measure {}: {}", text, message)));
}

std::string with_guess(const std::string& word, const std::vector<std::string>& known,
                       const std::string& otherwise) {
  const std::string guess = scenes::nearest(word, known);
  return guess.empty() ? otherwise : fmt::format("did you mean '{}'?", guess);
}

// Of a body; other devices were looked for before.
Quantity motion_of(const std::string& text, const std::string& name, const std::string& what,
                   const Scene& scene) {
  std::vector<std::string> words, names = scene.model.name;
  for (const plot::Motion& motion : plot::motions) words.emplace_back(motion.name);
  const auto word = std::ranges::find(words, what);
  const auto body = std::ranges::find(names, name);
  if (word == words.end() && body == names.end() && names_a_device(what)) {
    fail(text, fmt::format("there is no screen, group or gauge '{}', or nothing that has '{}'",
                           name, what));
  }
  if (word == words.end())
    fail(text, fmt::format("a body has no '{}'; known are {}", what, fmt::join(words, ", ")));
  if (body == names.end()) {
    fail(text, fmt::format("there is no body '{}'; {}", name,
                           with_guess(name, names, fmt::format("the scene has {}", names.size()))));
  }
  const plot::Motion& motion = plot::motions[static_cast<std::size_t>(word - words.begin())];
  return {motion.unit, false,
          body_motion(motion, static_cast<std::size_t>(body - names.begin()), scene)};
}

Quantity measured_of(const std::string& text, const std::string& quantity, const Scene& scene,
                     Devices& devices) {
  const std::size_t dot = quantity.rfind('.');
  const std::string name = quantity.substr(0, dot), what = quantity.substr(dot + 1);
  const bool is_body = std::ranges::find(scene.model.name, name) != scene.model.name.end();
  try {
    std::optional<DeviceQuantity> found = device_quantity(devices, scene.settings.measure, name,
                                                          what, scene.settings.time.dt, is_body);
    if (found) return {found->unit, found->adds_up, std::move(found->values)};
  } catch (const InputError& error) {
    fail(text, error.what());
  }
  if (name == "impacts" && !is_body)
    fail(text, "the scene logs no impacts; impacts = { speed = ... } in [record] asks for them");
  return motion_of(text, name, what, scene);
}

Quantity quantity_of(const std::string& text, const std::string& quantity, const Scene& scene,
                     Devices& devices) {
  if (std::optional<Quantity> found = column(quantity)) return *found;
  if (std::optional<Quantity> found = work_so_far(quantity)) return *found;
  if (quantity == "height") return {"m", false, Value(height)};
  if (quantity == "run_out") return {"m", false, run_out(scene)};
  if (is_wall_time(quantity)) fail(text, "wall times differ from run to run, so a sweep has none");
  if (quantity == "contact_forces" || quantity == "published")
    fail(text, fmt::format("is no single number at each step; {}", known_measures()));
  if (quantity.find('.') != std::string::npos) return measured_of(text, quantity, scene, devices);
  std::vector<std::string> known = {"height", "run_out", "contact_work", "total_work"};
  for (const LedgerColumn& column : ledger_columns) known.emplace_back(column.name);
  for (const SolverCount& column : solver_counts) known.emplace_back(column.name);
  for (const SolverNumber& column : solver_numbers) {
    if (!is_wall_time(column.name)) known.emplace_back(column.name);
  }
  fail(text,
       fmt::format("unknown quantity '{}'; {}", quantity,
                   with_guess(quantity, known, fmt::format("known are {}", known_measures()))));
}

SweepMeasure read_measure(const std::string& text, const Scene& scene, Devices& devices) {
  using Kind = SweepMeasure::Kind;
  SweepMeasure measure{Kind::end, text, text, ""};
  const std::size_t open = text.find('(');
  if (open != std::string::npos && text.back() == ')') {
    const std::pair<const char*, Kind> kinds[] = {
        {"end", Kind::end}, {"max", Kind::max}, {"min", Kind::min}, {"sum", Kind::sum}};
    const std::string name = text.substr(0, open);
    const auto* const found =
        std::ranges::find_if(kinds, [&](const auto& kind) { return name == kind.first; });
    // Names of bodies may have brackets too.
    if (found != std::end(kinds)) {
      measure.kind = found->second;
      measure.quantity = text.substr(open + 1, text.size() - open - 2);
    } else if (text.find('.') == std::string::npos || name.find('.') == std::string::npos) {
      fail(text,
           fmt::format("unknown '{}'; known are end, max, min and sum, as max(rock.vx)", name));
    }
  }
  const Quantity quantity = quantity_of(text, measure.quantity, scene, devices);
  if (measure.kind == Kind::sum && !quantity.adds_up) {
    fail(text, fmt::format("its sum means nothing; sums are of {}", plot::known_sums));
  }
  measure.unit = quantity.unit;
  return measure;
}

}  // namespace

std::string known_measures() {
  return fmt::format(
      "end, max, min or sum of terms of the ledger (kinetic, balance, ...; sums of works only) and "
      "columns of the solver (contacts, iterations, ...); end, max or min of contact_work, "
      "total_work, height, run_out, BODY.x, .y, .z, .displacement, .vx, .vy, .vz, .speed, .spin, "
      "{}",
      plot::device_quantities);
}

std::vector<SweepMeasure> read_measures(const std::vector<std::string>& texts, const Scene& scene) {
  std::vector<SweepMeasure> measures;
  std::set<std::string> seen;
  Devices devices(scene.model, scene.settings.measure);
  for (const std::string& text : texts) {
    if (!seen.insert(text).second) fail(text, "is there twice");
    measures.push_back(read_measure(text, scene, devices));
  }
  return measures;
}

MeasureRecorder::MeasureRecorder(const std::vector<SweepMeasure>& measures, const Scene& scene)
    : devices_(std::make_unique<Devices>(scene.model, scene.settings.measure)),
      values_(measures.size(), nothing) {
  for (const SweepMeasure& measure : measures) {
    kinds_.push_back(measure.kind);
    if (measure.kind == SweepMeasure::Kind::sum) values_[kinds_.size() - 1] = 0.0;
    quantities_.push_back(quantity_of(measure.text, measure.quantity, scene, *devices_).values);
  }
}

void MeasureRecorder::add(std::size_t measure, double value) {
  using Kind = SweepMeasure::Kind;
  const Kind kind = kinds_[measure];
  double& kept = values_[measure];
  if (kind == Kind::end)
    kept = value;
  else if (std::isnan(value))
    return;
  else if (std::isnan(kept))  // a sum begins at zero
    kept = value;
  else if (kind == Kind::sum)
    kept += value;
  else
    kept = kind == Kind::max ? std::max(kept, value) : std::min(kept, value);
}

void MeasureRecorder::operator()(const StepView& view) {
  devices_->follow(view);
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    of_step_.clear();
    quantities_[k](view, of_step_);
    for (const double value : of_step_) add(k, value);
  }
}

}  // namespace scree::study
