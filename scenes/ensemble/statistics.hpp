// Quantiles of an ensemble and how well they are known, cell by cell and line by line.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "scenes/ensemble/run_row.hpp"
#include "scenes/ensemble/run_trace.hpp"
#include "scenes/members.hpp"

namespace scree::ensemble {

// Order statistics between which a quantile lies with a given confidence, whatever the
// distribution: of n values the number below the quantile x_q is binomial (n, q), so that
//   P(X_(l) > x_q) = P(B <= l - 1),   P(X_(u) < x_q) = P(B >= u),
// and l and u are the innermost ranks at which each is at most (1 - confidence) / 2.
struct QuantileRanks {
  std::int64_t low = 0, high = 0;  // from 1; low 0, high n + 1: no value bounds it on this side
};
QuantileRanks quantile_ranks(std::int64_t n, double share, double confidence);

struct Quantile {
  double value = 0.0, low = 0.0, high = 0.0;  // NaN: not known from so few values
};
// `sorted` ascending. Values are nearest ranks (engine/base/quantile.hpp).
Quantile quantile_of(std::span<const double> sorted, double share, double confidence);

// Shares of the quantiles that maps and barriers tell of.
inline constexpr double told_shares[] = {0.5, 0.9, 0.95, 0.99};

// Half of the interval of a quantile over its value; infinite while it has no bound.
double relative_half_width(const Quantile& quantile);

// Rows 0 to n_runs - 1 of a table, of the runs that have results.
struct RunTable {
  const MemberStore& store;
  std::size_t n_runs = 0;

  bool has_results(std::size_t i) const;
  std::int64_t n_with_results() const;
  std::vector<LineCrossing> crossings(std::size_t i) const;
  std::vector<PassedCell> cells(std::size_t i) const;
  RunRow run(std::size_t i) const { return run_of(*store.row(i)); }
};

// The largest value of each run that crossed a line: a run counts once.
std::vector<double> values_at(const RunTable& table, std::int64_t barrier,
                              const std::function<double(const LineCrossing&)>& value);

// Whether what [ensemble.until] asks for is known; `width` is the relative half-width now.
bool is_known(const RunTable& table, const site::Site& site, double& width);

// Layers of the map, one after the other: passes, deposits, reach (probability), reach_error (its
// standard error sqrt(p (1 - p) / N)), and of each quantity mean, p50, p90, p95, p99 and max over
// the runs that passed the cell. NaN where none did. Values row by row from the south-west.
struct MapLayer {
  std::string name, unit;
  std::vector<float> values;
};
void for_each_layer(const RunTable& table, const site::MapGrid& grid, const Vector3& origin,
                    const std::function<void(const MapLayer&)>& use);

}  // namespace scree::ensemble
