// Series over the steps of a run, from its result file, for the measures of studies.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "engine/files/result_reader.hpp"

namespace scree::study {

// Steps [first, last) of a run.
struct Window {
  std::size_t first = 0, last = 0;

  double count() const { return static_cast<double>(last - first); }
};

double sum_of(const std::vector<double>& values, std::size_t first, std::size_t last);

// Forces of the group `from` on the group `on`, a mean for each step [N]. Throws InputError when
// there is no such group.
std::vector<Vector3> group_forces(const ResultReader& results, const std::string& on,
                                  const std::string& from);
Vector3 mean_of(const std::vector<Vector3>& values, const Window& window);

// Number of the gauge of that name. Throws InputError when there is none.
std::size_t gauge_number(const ResultReader& results, const std::string& name);

// Works over the window [J]: put in by plates and loads, taken by contacts (with what the scheme
// takes where theta > 1/2), and the gain of kinetic and potential energy.
struct Works {
  double in = 0.0, contacts = 0.0, other = 0.0, gain = 0.0;

  double left() const { return in + contacts + other - gain; }
};
Works works_of(const ResultReader& results, const Window& window);

// What the solver did, for a row: steps, unconverged ones, sweeps, deepest penetration over `size`,
// largest imbalance; and, to be put at its end, seconds and hash.
nlohmann::ordered_json solver_row(const ResultReader& results, double size);
nlohmann::ordered_json end_row(const ResultReader& results);

}  // namespace scree::study
