#include "tools/plot/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "engine/base/check.hpp"
#include "engine/files/result_path.hpp"
#include "engine/files/result_tables.hpp"
#include "engine/measure/groups.hpp"
#include "scenes/read/document.hpp"
#include "tools/plot/measured.hpp"
#include "tools/plot/motions.hpp"
#include "tools/plot/published.hpp"

namespace scree::plot {
namespace {

using measure::Reference;

// Calls action(frame, start) for every frame.
template <class Action>
void each_frame(const ResultReader& results, const std::string& quantity, Action&& action) {
  require(results.n_frames() > 0, quantity, "the result file holds no frames");
  const ResultFrame start = results.frame(0);
  for (std::int64_t i = 0; i < results.n_frames(); ++i) action(results.frame(i), start);
}

Vector3 upward_of(const ResultReader& results) { return upward(results.gravity()); }

bool moves(const ResultBodies& bodies, const ResultFrame& frame, std::size_t i) {
  return bodies.mass[i] > 0.0 && frame.active[i] != 0;
}

// Highest centre of mass of a body that moves freely, from the map's zero.
Plotted height(const ResultReader& results) {
  Plotted plotted{"height of the highest centre of mass [m]", {"height", {}, {}}};
  const Vector3 up = upward_of(results);
  const ResultBodies bodies = results.bodies();
  each_frame(results, "height", [&](const ResultFrame& frame, const ResultFrame&) {
    plotted.curve.x.push_back(frame.time);
    plotted.curve.y.push_back(
        highest(frame.position, up, [&](std::size_t i) { return moves(bodies, frame, i); }));
  });
  return plotted;
}

// Farthest horizontal distance of a centre of mass from the middle of all at the start.
Plotted run_out(const ResultReader& results) {
  Plotted plotted{"run-out [m]", {"run-out", {}, {}}};
  const Vector3 up = upward_of(results);
  const ResultBodies bodies = results.bodies();
  each_frame(results, "run_out", [&](const ResultFrame& frame, const ResultFrame& start) {
    const Vector3 middle =
        middle_of(start.position, [&](std::size_t i) { return moves(bodies, start, i); });
    plotted.curve.x.push_back(frame.time);
    plotted.curve.y.push_back(farthest(frame.position, middle, up,
                                       [&](std::size_t i) { return moves(bodies, frame, i); }));
  });
  return plotted;
}

std::string choices(const std::string& word, const std::vector<std::string>& known,
                    const char* list) {
  const std::string guess = scenes::nearest(word, known);
  return guess.empty() ? fmt::format("known are {}", list)
                       : fmt::format("did you mean '{}'?", guess);
}

// The first of many names.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size()));
  const std::string list = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  return names.size() > most ? fmt::format("{}, ... ({} bodies)", list, names.size()) : list;
}

// The body that displacements are relative to.
std::optional<std::size_t> reference_body(const ResultReader& results) {
  const std::string name = results.relative_to();
  if (name.empty()) return std::nullopt;
  const std::vector<std::string> names = results.bodies().name;
  const auto body = std::find(names.begin(), names.end(), name);
  require(body != names.end(), "relative_to", fmt::format("there is no body '{}'", name));
  return static_cast<std::size_t>(body - names.begin());
}

int axis_of(char letter) { return letter == 'x' ? 0 : letter == 'y' ? 1 : 2; }

// One component of a vector that has a row a step.
Plotted of_steps(const ResultReader& results, const std::string& quantity,
                 const std::string& y_label, const std::vector<Vector3>& values) {
  Plotted plotted{y_label, {quantity, results.solver("time"), {}}};
  for (const Vector3& value : values) plotted.curve.y.push_back(value[axis_of(quantity.back())]);
  return plotted;
}

constexpr std::array ground_quantities = {"ground.ax",
                                          "ground.ay",
                                          "ground.az",
                                          "ground.velocity_x",
                                          "ground.velocity_y",
                                          "ground.velocity_z",
                                          "ground.displacement_x",
                                          "ground.displacement_y",
                                          "ground.displacement_z"};

// Motion of the ground on which the scene's axes are fixed.
Plotted ground_motion(const ResultReader& results, const std::string& quantity) {
  const ResultGround ground = results.ground();
  require(!ground.acceleration.empty(), quantity,
          "the scene has no [world] acceleration of kind = \"ground\", or no step was done");
  if (quantity.starts_with("ground.v"))
    return of_steps(results, quantity, "ground velocity [m/s]", ground.velocity);
  if (quantity.starts_with("ground.d"))
    return of_steps(results, quantity, "ground displacement [m]", ground.displacement);
  return of_steps(results, quantity, "ground acceleration [m/s2]", ground.acceleration);
}

constexpr std::array load_quantities = {"load_x",   "load_y",   "load_z",
                                        "torque_x", "torque_y", "torque_z"};

template <class Names>
bool is_among(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The index of the body that a quantity is of.
std::size_t body_of(const ResultReader& results, const std::string& quantity) {
  const std::string name = quantity.substr(0, quantity.rfind('.'));
  const std::vector<std::string> names = results.bodies().name;
  const auto body = std::find(names.begin(), names.end(), name);
  require(
      body != names.end(), quantity,
      fmt::format("there is no body '{}'; {}", name, choices(name, names, some_of(names).c_str())));
  return static_cast<std::size_t>(body - names.begin());
}

// Resultant of the loads on a body, or their moment about its centre of mass.
Plotted body_load(const ResultReader& results, const std::string& quantity) {
  const std::size_t body = body_of(results, quantity);
  for (const ResultLoad& load : results.loads()) {
    if (static_cast<std::size_t>(load.body) != body) continue;
    const bool torque = quantity.find(".torque_") != std::string::npos;
    return of_steps(results, quantity, torque ? "torque of loads [N m]" : "loads [N]",
                    torque ? load.torque : load.force);
  }
  throw InputError(quantity + ": the body carries no load, or no step was done");
}

Plotted body_motion(const ResultReader& results, const std::string& quantity) {
  const std::size_t dot = quantity.rfind('.');
  const std::string what = quantity.substr(dot + 1);
  if (is_among(load_quantities, what)) return body_load(results, quantity);
  const auto motion =
      std::find_if(motions.begin(), motions.end(), [&](const Motion& m) { return what == m.name; });
  std::string list;
  for (const Motion& m : motions) list += (list.empty() ? "" : ", ") + std::string(m.name);
  for (const char* load : load_quantities) list += ", " + std::string(load);
  std::error_code error;
  require(motion != motions.end() || !std::filesystem::is_regular_file(quantity, error), quantity,
          "is a file; result files come first, and then quantities");
  if (motion == motions.end()) {
    const std::string name = quantity.substr(0, dot);
    const std::vector<std::string> names = results.bodies().name;
    require(
        std::ranges::find(names, name) != names.end(), quantity,
        fmt::format("the run has no body, screen, group or gauge '{}' that has '{}'; `scree plot "
                    "--help` lists what is known",
                    name, what));
    throw InputError(fmt::format("{}: a body has no '{}'; known are {}", quantity, what, list));
  }
  const std::size_t i = body_of(results, quantity);
  Plotted plotted{fmt::format("{} [{}]", motion->quantity, motion->unit), {quantity, {}, {}}};
  const std::optional<std::size_t> reference = reference_body(results);
  if (reference && what == "displacement") {
    plotted.y_label =
        fmt::format("displacement relative to {} [m]", results.bodies().name[*reference]);
  }
  const Cell cell = results.cell();
  each_frame(results, quantity, [&](const ResultFrame& frame, const ResultFrame& start) {
    plotted.curve.x.push_back(frame.time);
    Reference seen_from;
    if (reference) {
      const std::size_t r = *reference;
      seen_from = {{start.position[r], start.orientation[r]},
                   {path_of(cell, frame, r), frame.orientation[r]}};
    }
    const Vector3 displacement = seen_from.displacement(start.position[i], path_of(cell, frame, i));
    const BodyMotion moved{frame.position[i], frame.velocity[i], frame.spin[i], displacement};
    plotted.curve.y.push_back(frame.active[i] != 0 ? motion->value(moved) : NAN);
  });
  return plotted;
}

template <class Table>
bool has(const Table& table, const std::string& name) {
  return std::any_of(table.begin(), table.end(),
                     [&](const auto& column) { return name == column.name; });
}

Plotted plotted_quantity(const ResultReader& results, const std::string& quantity) {
  if (has(ledger_columns, quantity))
    return {"energy [J]", {quantity, results.ledger("time"), results.ledger(quantity)}};
  if (has(solver_counts, quantity))
    return {"number a step [-]", {quantity, results.solver("time"), results.solver(quantity)}};
  for (const SolverNumber& column : solver_numbers) {
    if (quantity != column.name) continue;
    return {fmt::format("{} [{}]", column.name, column.unit),
            {quantity, results.solver("time"), results.solver(quantity)}};
  }
  if (quantity == "height") return height(results);
  if (quantity == "run_out") return run_out(results);
  if (std::optional<Plotted> found = running_sum_of(results, quantity)) return *found;
  if (std::optional<Plotted> found = measured_quantity(results, quantity)) return *found;
  if (is_among(ground_quantities, quantity)) return ground_motion(results, quantity);
  if (quantity.find('.') != std::string::npos) return body_motion(results, quantity);
  std::vector<std::string> known = {"height",    "run_out",      "contact_forces",
                                    "published", "contact_work", "total_work"};
  for (const LedgerColumn& column : ledger_columns) known.emplace_back(column.name);
  for (const SolverCount& column : solver_counts) known.emplace_back(column.name);
  for (const SolverNumber& column : solver_numbers) known.emplace_back(column.name);
  throw InputError(fmt::format("{}: unknown quantity; {}", quantity,
                               choices(quantity, known, known_quantities().c_str())));
}

// Normal forces of the contacts of one frame, those that carry any.
Panel contact_forces(const ResultReader& results, std::optional<std::int64_t> chosen) {
  require(results.has_contacts() && results.n_frames() > 0, "contact_forces",
          "the result file holds no contacts");
  const std::int64_t frame = chosen.value_or(results.n_frames() - 1);
  const double dt = results.dt();
  std::vector<double> forces;
  for (const Vector3& impulse : results.contacts(frame).impulse) {
    if (impulse.x() > 0.0) forces.push_back(impulse.x() / dt);
  }
  require(!forces.empty(), "contact_forces",
          fmt::format("no contact of frame {} carries a force", frame));
  const auto bins = static_cast<std::size_t>(
      std::clamp(std::sqrt(static_cast<double>(forces.size())), 5.0, 40.0));
  const double largest = *std::max_element(forces.begin(), forces.end());
  Curve curve{"contacts", {}, std::vector<double>(bins, 0.0)};
  for (std::size_t i = 0; i <= bins; ++i)
    curve.x.push_back(largest * static_cast<double>(i) / static_cast<double>(bins));
  for (const double force : forces) {
    curve.y[std::min(static_cast<std::size_t>(force / largest * static_cast<double>(bins)),
                     bins - 1)] += 1.0;
  }
  const double time = results.frame_times().at(static_cast<std::size_t>(frame));
  return {fmt::format("normal force, mean over the step that ends at t = {:.6g} s [N]", time),
          "number of contacts [-]",
          {curve},
          true};
}

}  // namespace

std::vector<Panel> panels_of(const ResultReader& results,
                             const std::vector<std::string>& quantities,
                             std::optional<std::int64_t> frame) {
  std::vector<Panel> panels;
  for (const std::string& quantity : quantities) {
    if (quantity == "contact_forces") {
      panels.push_back(contact_forces(results, frame));
      continue;
    }
    if (quantity == "published") {
      const std::vector<Panel> six = published_panels(results);
      panels.insert(panels.end(), six.begin(), six.end());
      continue;
    }
    Plotted plotted = plotted_quantity(results, quantity);
    auto panel = std::find_if(panels.begin(), panels.end(), [&](const Panel& p) {
      return !p.bars && p.y_label == plotted.y_label;
    });
    if (panel == panels.end())
      panel = panels.insert(panels.end(), Panel{time_label, plotted.y_label, {}, false});
    panel->curves.push_back(std::move(plotted.curve));
  }
  return panels;
}

namespace {

// Title and law, and the name of the file where these are those of another run as well.
std::vector<std::string> labels_of(const std::vector<PlottedRun>& runs) {
  std::vector<std::string> labels;
  for (const PlottedRun& run : runs) {
    std::string label = run.results->title();
    if (label.empty()) label = run.file;
    const std::string law = law_of(*run.results);
    labels.push_back(law.empty() ? label : fmt::format("{} ({})", label, law));
  }
  const std::vector<std::string> plain = labels;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (std::count(plain.begin(), plain.end(), plain[i]) > 1)
      labels[i] = fmt::format("{}, {}", plain[i], runs[i].file);
  }
  return labels;
}

}  // namespace

namespace {

// A message says which of the runs it is about.
Plotted quantity_of_run(const PlottedRun& run, const std::string& quantity) {
  try {
    return plotted_quantity(*run.results, quantity);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", run.file, error.what()));
  }
}

}  // namespace

std::vector<Panel> panels_of(const std::vector<PlottedRun>& runs,
                             const std::vector<std::string>& quantities) {
  const std::vector<std::string> labels = labels_of(runs);
  std::vector<Panel> panels;
  for (const std::string& quantity : quantities) {
    require(quantity != "contact_forces" && quantity != "published", quantity,
            "is drawn of one run only");
    for (std::size_t i = 0; i < runs.size(); ++i) {
      Plotted plotted = quantity_of_run(runs[i], quantity);
      plotted.curve.label = fmt::format("{}: {}", plotted.curve.label, labels[i]);
      auto panel = std::find_if(panels.begin(), panels.end(),
                                [&](const Panel& p) { return p.y_label == plotted.y_label; });
      if (panel == panels.end())
        panel = panels.insert(panels.end(), Panel{time_label, plotted.y_label, {}, false});
      panel->curves.push_back(std::move(plotted.curve));
    }
  }
  return panels;
}

std::string known_quantities() {
  return std::string(
             "terms of the ledger (kinetic, balance, ...), columns of the solver (contacts, "
             "iterations, ...), height, run_out, contact_forces, published (panels of the paper), "
             "BODY.x, .y, .z, .displacement, .vx, .vy, .vz, .speed, .spin, .load_x, .load_y, "
             ".load_z, .torque_x, .torque_y, .torque_z, ground.ax, .ay, .az, .velocity_x, "
             ".displacement_x, ... of ground that shakes, ") +
         measured_quantities();
}

}  // namespace scree::plot
