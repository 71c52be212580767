// The curves of a report: ledger and solver columns over time, thinned without losing extremes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/files/result_reader.hpp"
#include "tools/report/payload.hpp"

namespace scree::report {

inline constexpr std::size_t max_curve_points = 4000;

// Rows to keep, in rising order: all of them if they are few, else the first, lowest, highest and
// last of each of `max_points / 4` equal stretches. Values that are not finite are never chosen as
// extremes.
std::vector<std::size_t> thin(std::span<const double> values, std::size_t max_points);

// Running sum, row by row.
std::vector<double> running_sum(std::span<const double> values);

// Adds the arrays `curve/NAME/time` and `curve/NAME/value` for every curve: columns of the ledger
// and of the solver by their names, `sum/NAME` for running sums of works, and `potential_change`.
void add_curves(const ResultReader& results, Payload& payload);

}  // namespace scree::report
