#include "scenes/ensemble/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::ensemble {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr float no_value = std::numeric_limits<float>::quiet_NaN();

// P(B = k), k = 0 to n, by the ratio of neighbours from the largest on; no factorials.
std::vector<double> binomial(std::int64_t n, double p) {
  std::vector<double> share(static_cast<std::size_t>(n) + 1, 0.0);
  const auto mode = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(std::floor((static_cast<double>(n) + 1.0) * p)), 0, n);
  share[static_cast<std::size_t>(mode)] = 1.0;
  double sum = 1.0;
  for (std::int64_t k = mode; k < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    share[i + 1] =
        share[i] * (static_cast<double>(n - k) / static_cast<double>(k + 1)) * (p / (1.0 - p));
    sum += share[i + 1];
  }
  for (std::int64_t k = mode; k > 0; --k) {
    const auto i = static_cast<std::size_t>(k);
    share[i - 1] =
        share[i] * (static_cast<double>(k) / static_cast<double>(n - k + 1)) * ((1.0 - p) / p);
    sum += share[i - 1];
  }
  for (double& one : share) one /= sum;
  return share;
}

// Column of the table.
std::size_t column_of(const MemberStore& store, const char* name) {
  const auto& columns = store.table().columns;
  return static_cast<std::size_t>(std::ranges::find(columns, name, &MemberColumn::name) -
                                  columns.begin());
}

const std::string& text_of(const MemberStore& store, std::size_t i, const char* name) {
  return std::get<std::string>((*store.row(i))[column_of(store, name)]);
}

// The values of one quantity in every cell, cell by cell, in the order of the runs.
struct CellValues {
  std::vector<std::size_t> begin;  // [n_cells + 1]
  std::vector<float> value;
};

CellValues values_in_cells(const RunTable& table, const std::vector<std::int64_t>& passes,
                           std::size_t quantity) {
  CellValues cells;
  cells.begin.push_back(0);
  for (const std::int64_t count : passes)
    cells.begin.push_back(cells.begin.back() + static_cast<std::size_t>(count));
  cells.value.resize(cells.begin.back());
  std::vector<std::size_t> next(cells.begin.begin(), cells.begin.end() - 1);
  for (std::size_t i = 0; i < table.n_runs; ++i) {
    for (const PassedCell& cell : table.cells(i))
      cells.value[next[static_cast<std::size_t>(cell.cell)]++] = cell.value[quantity];
  }
  return cells;
}

float ranked(const std::vector<float>& sorted, double share) {
  const auto rank =
      static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size()) - 1e-9));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

void layers_of_quantity(const RunTable& table, const std::vector<std::int64_t>& passes,
                        std::size_t quantity, const std::function<void(const MapLayer&)>& use) {
  CellValues cells = values_in_cells(table, passes, quantity);
  const std::size_t n = passes.size();
  std::vector<MapLayer> layers;
  const auto add = [&](const std::string& statistic) {
    layers.push_back({fmt::format("{}_{}", site::quantity_names[quantity], statistic),
                      site::quantity_units[quantity], std::vector<float>(n, no_value)});
  };
  add("mean");
  for (const double share : told_shares) add(fmt::format("p{:.0f}", 100.0 * share));
  add("max");
  std::vector<float> sorted;
  for (std::size_t c = 0; c < n; ++c) {
    if (passes[c] == 0) continue;
    sorted.assign(cells.value.begin() + static_cast<std::ptrdiff_t>(cells.begin[c]),
                  cells.value.begin() + static_cast<std::ptrdiff_t>(cells.begin[c + 1]));
    std::ranges::sort(sorted);
    double sum = 0.0;
    for (const float value : sorted) sum += static_cast<double>(value);
    std::size_t l = 0;
    layers[l++].values[c] = static_cast<float>(sum / static_cast<double>(sorted.size()));
    for (const double share : told_shares) layers[l++].values[c] = ranked(sorted, share);
    layers[l].values[c] = sorted.back();
  }
  for (const MapLayer& layer : layers) use(layer);
}

}  // namespace

QuantileRanks quantile_ranks(std::int64_t n, double share, double confidence) {
  const double tail = 0.5 * (1.0 - confidence);
  const std::vector<double> probability = binomial(n, share);
  QuantileRanks ranks{0, n + 1};
  double below = 0.0;  // P(B <= l - 1)
  while (ranks.low < n && below + probability[static_cast<std::size_t>(ranks.low)] <= tail)
    below += probability[static_cast<std::size_t>(ranks.low++)];
  double above = 0.0;  // P(B >= u)
  while (ranks.high > 1 && above + probability[static_cast<std::size_t>(ranks.high - 1)] <= tail)
    above += probability[static_cast<std::size_t>(--ranks.high)];
  return ranks;
}

Quantile quantile_of(std::span<const double> sorted, double share, double confidence) {
  const auto n = static_cast<std::int64_t>(sorted.size());
  if (n == 0) return {nothing, nothing, nothing};
  const auto rank = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(n) - 1e-9));
  const QuantileRanks ranks = quantile_ranks(n, share, confidence);
  const auto at = [&](std::int64_t r) {
    return r >= 1 && r <= n ? sorted[static_cast<std::size_t>(r - 1)] : nothing;
  };
  return {at(std::clamp<std::int64_t>(rank, 1, n)), at(ranks.low), at(ranks.high)};
}

double relative_half_width(const Quantile& quantile) {
  const double width = 0.5 * (quantile.high - quantile.low) / quantile.value;
  return std::isfinite(width) ? width : std::numeric_limits<double>::infinity();
}

bool RunTable::has_results(std::size_t i) const {
  const std::string& status = text_of(store, i, "status");
  return status == "done" || status == "unconverged";
}

std::int64_t RunTable::n_with_results() const {
  std::int64_t n = 0;
  for (std::size_t i = 0; i < n_runs; ++i) n += has_results(i) ? 1 : 0;
  return n;
}

std::vector<LineCrossing> RunTable::crossings(std::size_t i) const {
  return crossings_of(text_of(store, i, "crossings"));
}

std::vector<PassedCell> RunTable::cells(std::size_t i) const {
  return cells_of(text_of(store, i, "cells"));
}

std::vector<double> values_at(const RunTable& table, std::int64_t barrier,
                              const std::function<double(const LineCrossing&)>& value) {
  std::vector<double> values;
  for (std::size_t i = 0; i < table.n_runs; ++i) {
    double largest = nothing;
    for (const LineCrossing& crossing : table.crossings(i)) {
      if (crossing.barrier != barrier) continue;
      const double one = value(crossing);
      if (!(largest >= one)) largest = one;
    }
    if (!std::isnan(largest)) values.push_back(largest);
  }
  return values;
}

bool is_known(const RunTable& table, const site::Site& site, double& width) {
  const site::Until& until = *site.until;
  std::vector<double> values = values_at(
      table, until.barrier, [&](const LineCrossing& c) { return c.value(until.quantity); });
  std::ranges::sort(values);
  width = relative_half_width(quantile_of(values, until.share, site.confidence));
  return width <= until.tolerance;
}

void for_each_layer(const RunTable& table, const site::MapGrid& grid, const Vector3& origin,
                    const std::function<void(const MapLayer&)>& use) {
  const auto n = static_cast<std::size_t>(grid.n_cells());
  std::vector<std::int64_t> passes(n, 0), deposits(n, 0);
  for (std::size_t i = 0; i < table.n_runs; ++i) {
    for (const PassedCell& cell : table.cells(i)) ++passes[static_cast<std::size_t>(cell.cell)];
    if (!table.has_results(i)) continue;
    const RunRow run = table.run(i);
    const std::int32_t cell = cell_of(grid, run.end_x - origin.x(), run.end_y - origin.y());
    if (run.end == "rest" && cell >= 0) ++deposits[static_cast<std::size_t>(cell)];
  }
  const double runs = static_cast<double>(table.n_with_results());
  const auto layer = [&](const char* name, const auto& value_of) {
    MapLayer made{name, "", std::vector<float>(n, no_value)};
    for (std::size_t c = 0; c < n; ++c) {
      if (passes[c] > 0) made.values[c] = static_cast<float>(value_of(c));
    }
    use(made);
  };
  layer("passes", [&](std::size_t c) { return static_cast<double>(passes[c]); });
  layer("deposits", [&](std::size_t c) { return static_cast<double>(deposits[c]); });
  layer("reach", [&](std::size_t c) { return static_cast<double>(passes[c]) / runs; });
  layer("reach_error", [&](std::size_t c) {
    const double p = static_cast<double>(passes[c]) / runs;
    return std::sqrt(p * (1.0 - p) / runs);
  });
  for (std::size_t k = 0; k < site::n_quantities; ++k) layers_of_quantity(table, passes, k, use);
}

}  // namespace scree::ensemble
