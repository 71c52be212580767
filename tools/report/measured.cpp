#include "tools/report/measured.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "engine/measure/gauges.hpp"

namespace scree::report {
namespace {

using nlohmann::json;

constexpr std::size_t most_rows = 20;  // of a table in the page

// The impacts that lost most, in the order of time.
json describe_impacts(const ResultReader& results, const std::vector<std::string>& names) {
  std::vector<measure::Impact> log = results.impacts();
  double lost = 0.0, below = 0.0;
  for (const measure::Impact& impact : log) lost += impact.energy_lost;
  for (const measure::BelowThreshold& row : results.below_threshold())
    below -= row.normal_work + row.tangential_work + row.rolling_work + row.law_work;
  json impacts = {{"count", log.size()}, {"energy_lost", lost}, {"below", below}};
  std::ranges::stable_sort(log, std::greater<>(), &measure::Impact::energy_lost);
  log.resize(std::min(log.size(), most_rows));
  std::ranges::stable_sort(log, std::less<>(), &measure::Impact::step);
  impacts["rows"] = json::array();
  for (const measure::Impact& impact : log) {
    const std::string bodies =
        fmt::format("{} on {}", names[static_cast<std::size_t>(impact.body_b)],
                    names[static_cast<std::size_t>(impact.body_a)]);
    impacts["rows"].push_back({impact.time, bodies, -impact.velocity_before.x(),
                               impact.impulse.norm(), impact.energy_lost});
  }
  return impacts;
}

json describe_screens(const ResultReader& results, const std::vector<std::string>& names) {
  json list = json::array();
  const std::vector<measure::Crossing> crossings = results.crossings();
  std::int32_t index = 0;
  for (const ResultScreen& screen : results.screens()) {
    std::size_t along = 0, against = 0;
    json rows = json::array();
    for (const measure::Crossing& c : crossings) {
      if (c.screen != index) continue;
      ++(c.direction > 0 ? along : against);
      if (rows.size() == most_rows) continue;
      rows.push_back({c.time, names[static_cast<std::size_t>(c.body)],
                      c.direction > 0 ? "along" : "against", c.velocity.norm(), c.spin.norm(),
                      c.kinetic + c.rotation, c.height});
    }
    list.push_back({{"name", screen.name}, {"along", along}, {"against", against}, {"rows", rows}});
    ++index;
  }
  return list;
}

json describe_groups(const ResultReader& results) {
  const ResultGroups groups = results.groups();
  const bool counted = std::isfinite(groups.moved);
  json members = json::array(), pairs = json::array();
  for (std::size_t g = 0; g < groups.name.size(); ++g) {
    const std::vector<std::int32_t> moved = results.group_moved(g);
    json moved_text = "–";
    if (counted && !moved.empty()) moved_text = static_cast<double>(moved.back());
    const auto count = std::ranges::count(groups.of_body, static_cast<std::int32_t>(g));
    members.push_back({groups.name[g], static_cast<double>(count), moved_text});
  }
  for (std::size_t pair = 0; pair < groups.pair_a.size(); ++pair) {
    Vector3 sum = Vector3::Zero();
    double largest = 0.0;
    for (const Vector3& impulse : results.group_impulses(pair)) {
      sum += impulse;
      largest = std::max(largest, impulse.norm() / results.dt());
    }
    if (largest == 0.0) continue;
    pairs.push_back({groups.name[static_cast<std::size_t>(groups.pair_a[pair])],
                     groups.name[static_cast<std::size_t>(groups.pair_b[pair])],
                     fmt::format("({:.4g}, {:.4g}, {:.4g})", sum.x(), sum.y(), sum.z()), largest});
  }
  json text = {{"members", members}, {"pairs", pairs}};
  if (counted)
    text["moved"] = groups.moved;
  else
    text["moved"] = nullptr;
  return text;
}

// Mean over the cells of a step.
double mean_of(std::span<const measure::GaugeRow> cells,
               double (*value)(const measure::GaugeRow& row)) {
  double sum = 0.0;
  for (const measure::GaugeRow& row : cells) sum += value(row);
  return sum / static_cast<double>(cells.size());
}

// Of each gauge its last step, and the largest pressure of a step; of a grid the mean of its cells.
json describe_gauges(const ResultReader& results) {
  const auto pressure = [](const measure::GaugeRow& row) {
    return measure::pressure_of(row.stress);
  };
  const auto shear = [](const measure::GaugeRow& row) { return measure::shear_of(row.stress); };
  const auto density = [](const measure::GaugeRow& row) { return row.density; };
  json list = json::array();
  const std::vector<ResultGauge> gauges = results.gauges();
  for (std::size_t g = 0; g < gauges.size(); ++g) {
    const std::vector<measure::GaugeRow> rows = results.gauge_rows(g);
    const std::size_t n_cells = gauges[g].n_cells();
    json entry = {{"name", gauges[g].name}, {"cells", n_cells}};
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + n_cells <= rows.size(); i += n_cells)
      largest = std::max(largest, mean_of(std::span(rows).subspan(i, n_cells), pressure));
    if (rows.size() >= n_cells) {
      const auto last = std::span(rows).last(n_cells);
      entry["pressure"] = mean_of(last, pressure), entry["pressure_max"] = largest;
      entry["tau"] = mean_of(last, shear), entry["density"] = mean_of(last, density);
    }
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

json describe_measures(const ResultReader& results) {
  const std::vector<std::string> names = results.bodies().name;
  json text = json::object();
  if (results.logs_impacts()) text["impacts"] = describe_impacts(results, names);
  if (!results.screens().empty()) text["screens"] = describe_screens(results, names);
  if (results.has_groups()) text["groups"] = describe_groups(results);
  if (!results.gauges().empty()) text["gauges"] = describe_gauges(results);
  const auto reference = std::ranges::find(names, results.relative_to());
  if (reference != names.end()) text["relative_to"] = reference - names.begin();
  return text;
}

}  // namespace scree::report
