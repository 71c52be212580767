#include "tools/report/curves.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/laws/laws.hpp"

namespace scree::report {
namespace {

constexpr std::array works = {"external_work",
                              "drag_work",
                              "driven_work",
                              "shear_work",
                              "contact_normal_work",
                              "contact_tangential_work",
                              "contact_rolling_work",
                              "numerical_dissipation",
                              "projection_work",
                              "event_energy",
                              "balance"};
constexpr std::array levels = {"kinetic",
                               "balance",
                               "energy_scale",
                               "max_positive_normal_work",
                               "max_negative_normal_work",
                               "max_positive_tangential_work",
                               "max_negative_tangential_work",
                               "max_positive_rolling_work",
                               "max_negative_rolling_work"};
constexpr std::array solver_columns = {
    "contacts",        "candidates",      "iterations",         "passes",
    "rounds",          "residual_scaled", "residual_published", "residual_siconos",
    "max_penetration", "seconds_detect",  "seconds_assemble",   "seconds_solve",
    "seconds_advance"};

void add_curve(const std::string& name, std::span<const double> time,
               std::span<const double> values, Payload& payload) {
  std::vector<double> t, v;
  for (const std::size_t row : thin(values, max_curve_points)) {
    t.push_back(time[row]);
    v.push_back(values[row]);
  }
  payload.add<double>("curve/" + name + "/time", t, 1, Filter::bits);
  payload.add<double>("curve/" + name + "/value", v, 1, Filter::bits);
}

// Rows [begin, end) with the lowest and the highest finite value; `begin` for both if there is
// none.
std::pair<std::size_t, std::size_t> extremes(std::span<const double> values, std::size_t begin,
                                             std::size_t end) {
  std::size_t low = begin, high = begin;
  for (std::size_t i = begin; i < end; ++i) {
    if (!std::isfinite(values[i])) continue;
    if (!(values[low] <= values[i])) low = i;
    if (!(values[high] >= values[i])) high = i;
  }
  return {low, high};
}

// The loads on all bodies together, and the ground, by axis.
void add_load_curves(const ResultReader& results, Payload& payload) {
  const std::vector<double> time = results.solver("time");
  const auto add = [&](const std::string& name, const std::vector<Vector3>& values) {
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<double> component;
      for (const Vector3& value : values) component.push_back(value[axis]);
      add_curve(name + "xyz"[axis], time, component, payload);
    }
  };
  std::vector<Vector3> sum;
  for (const ResultLoad& load : results.loads()) {
    sum.resize(load.force.size(), Vector3::Zero());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += load.force[i];
  }
  if (!sum.empty()) add("load/", sum);
  if (const ResultGround ground = results.ground(); !ground.acceleration.empty())
    add("ground/a", ground.acceleration);
}

}  // namespace

std::vector<std::size_t> thin(std::span<const double> values, std::size_t max_points) {
  std::vector<std::size_t> rows;
  const std::size_t n = values.size(), stretches = n <= max_points ? n : max_points / 4;
  for (std::size_t k = 0; k < stretches; ++k) {
    const std::size_t begin = k * n / stretches, end = (k + 1) * n / stretches;
    const auto [low, high] = extremes(values, begin, end);
    rows.insert(rows.end(), {begin, std::min(low, high), std::max(low, high), end - 1});
  }
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::vector<double> running_sum(std::span<const double> values) {
  std::vector<double> sums;
  double sum = 0.0;
  for (const double value : values) sums.push_back(sum += value);
  return sums;
}

void add_curves(const ResultReader& results, Payload& payload) {
  const std::vector<double> time = results.ledger("time");
  for (const char* name : levels) add_curve(name, time, results.ledger(name), payload);
  for (const char* name : works)
    add_curve(std::string("sum/") + name, time, running_sum(results.ledger(name)), payload);
  for (const contact::LawEnergy& energy : contact::Laws::energies) {
    add_curve(std::string("sum/") + energy.name, time, running_sum(results.ledger(energy.name)),
              payload);
  }
  std::vector<double> potential = results.ledger("potential");
  const double start = potential.empty() ? 0.0 : potential.front();
  for (double& value : potential) value -= start;
  add_curve("potential_change", time, potential, payload);
  const std::vector<double> step_time = results.solver("time");
  for (const char* name : solver_columns) add_curve(name, step_time, results.solver(name), payload);
  add_load_curves(results, payload);
}

}  // namespace scree::report
