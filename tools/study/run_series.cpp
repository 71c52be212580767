#include "tools/study/run_series.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contact/laws/laws.hpp"
#include "engine/base/check.hpp"
#include "engine/warning_words.hpp"

namespace scree::study {

double sum_of(const std::vector<double>& values, std::size_t first, std::size_t last) {
  return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(first),
                         values.begin() + static_cast<std::ptrdiff_t>(last), 0.0);
}

std::vector<Vector3> group_forces(const ResultReader& results, const std::string& on,
                                  const std::string& from) {
  const ResultGroups groups = results.groups();
  const auto group = [&](const std::string& wanted) {
    const auto found = std::find(groups.name.begin(), groups.name.end(), wanted);
    require(found != groups.name.end(), "groups", "has no group '" + wanted + "'");
    return static_cast<std::int32_t>(found - groups.name.begin());
  };
  const std::int32_t first = group(on), second = group(from);
  for (std::size_t p = 0; p < groups.pair_a.size(); ++p) {
    const bool on_b = groups.pair_a[p] == second && groups.pair_b[p] == first;
    if (!on_b && !(groups.pair_a[p] == first && groups.pair_b[p] == second)) continue;
    std::vector<Vector3> forces = results.group_impulses(p);
    const double sign = on_b ? 1.0 : -1.0;
    for (Vector3& force : forces) force *= sign / results.dt();
    return forces;
  }
  // They never met.
  return std::vector<Vector3>(static_cast<std::size_t>(results.n_steps()), Vector3::Zero());
}

Vector3 mean_of(const std::vector<Vector3>& values, const Window& window) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t k = window.first; k < window.last; ++k) sum += values[k];
  return sum / window.count();
}

std::size_t gauge_number(const ResultReader& results, const std::string& name) {
  const std::vector<ResultGauge> gauges = results.gauges();
  for (std::size_t i = 0; i < gauges.size(); ++i) {
    if (gauges[i].name == name) return i;
  }
  throw InputError("has no gauge '" + name + "'");
}

Works works_of(const ResultReader& results, const Window& window) {
  // The ledger has a row for the start.
  const auto done = [&](const std::string& name) {
    return sum_of(results.ledger(name), window.first + 1, window.last + 1);
  };
  Works works;
  works.in = done("driven_work") + done("external_work");
  works.contacts =
      done("contact_normal_work") + done("contact_tangential_work") + done("numerical_dissipation");
  for (const contact::LawEnergy& energy : contact::Laws::energies)
    works.contacts += done(energy.name);
  works.other = done("projection_work");
  for (const char* name : {"kinetic", "potential"}) {
    const std::vector<double> energy = results.ledger(name);
    works.gain += energy[window.last] - energy[window.first];
  }
  return works;
}

nlohmann::ordered_json solver_row(const ResultReader& results, double size) {
  const std::vector<double> converged = results.solver("converged"),
                            depth = results.solver("max_penetration"),
                            iterations = results.solver("iterations");
  double imbalance = 0.0;
  for (const double balance : results.ledger("balance"))
    imbalance = std::max(imbalance, std::abs(balance));
  return {{"steps", results.n_steps()},
          {"unconverged_steps", std::count(converged.begin(), converged.end(), 0.0)},
          {"iterations_mean",
           sum_of(iterations, 0, iterations.size()) / static_cast<double>(results.n_steps())},
          {"penetration_max_over_d", *std::max_element(depth.begin(), depth.end()) / size},
          {"imbalance_over_scale", imbalance / results.ledger("energy_scale").back()},
          {"warnings", warning_words(results.warnings())}};
}

nlohmann::ordered_json end_row(const ResultReader& results) {
  double seconds = 0.0;
  for (const char* name :
       {"seconds_detect", "seconds_assemble", "seconds_solve", "seconds_advance"})
    seconds += sum_of(results.solver(name), 0, static_cast<std::size_t>(results.n_steps()));
  return {{"seconds", seconds}, {"state_hash", results.state_hash()}};
}

}  // namespace scree::study
