#include "tools/report/facts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "engine/step_warnings.hpp"
#include "tools/common/coarse_terrain.hpp"

namespace scree::report {
namespace {

using nlohmann::json;
using Column = std::vector<double>;

std::size_t largest_row(const Column& values) {
  std::size_t row = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(std::abs(values[i]) <= std::abs(values[row]))) row = i;
  }
  return row;
}

double largest(const Column& values) {
  return values.empty() ? 0.0 : std::abs(values[largest_row(values)]);
}
double total(const Column& values) { return std::accumulate(values.begin(), values.end(), 0.0); }
double mean(const Column& values) {
  return values.empty() ? 0.0 : total(values) / static_cast<double>(values.size());
}

std::string setting(const ResultReader& results, const std::string& name) {
  const std::map<std::string, std::string> settings = results.settings();
  const auto found = settings.find(name);
  return found == settings.end() ? "" : found->second;
}

std::string measure_of(const ResultReader& results) {
  const std::string measure = setting(results, "measure");
  return measure.empty() ? "scaled" : measure;
}

void warn_of_unconverged(const ResultReader& results, std::vector<std::string>& warnings) {
  const Column converged = results.solver("converged"), time = results.solver("time");
  // Of `combined`, whose parts have tolerances of their own, there is no column.
  const std::string asked = measure_of(results), measure = asked == "combined" ? "scaled" : asked;
  const Column residual = results.solver("residual_" + measure);
  std::size_t count = 0, worst = converged.size();
  for (std::size_t i = 0; i < converged.size(); ++i) {
    if (converged[i] != 0.0) continue;
    ++count;
    if (worst == converged.size() || !(residual[i] <= residual[worst])) worst = i;
  }
  if (count == 0) return;
  const double share = 100.0 * static_cast<double>(count) / static_cast<double>(converged.size());
  warnings.push_back(
      fmt::format("{} of {} steps ({:.2g} %) did not reach the tolerance. Worst residual ({}): "
                  "{:.3g}, at t = {:.6g} s.",
                  count, converged.size(), share, measure, residual[worst], time[worst]));
}

double smallest_body(const ResultReader& results) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const ResultShape& shape : results.shapes()) {
    double radius = shape.radius;
    for (const Vector3& vertex : shape.vertices) radius = std::max(radius, vertex.norm());
    if (radius > 0.0) smallest = std::min(smallest, 2.0 * radius);
  }
  return smallest;
}

void warn_of_penetration(const ResultReader& results, std::vector<std::string>& warnings) {
  const Column depth = results.solver("max_penetration"), time = results.solver("time");
  const double deepest = largest(depth), size = smallest_body(results);
  if (!(deepest > penetration_limit * size)) return;
  warnings.push_back(fmt::format(
      "Bodies overlap by up to {:.3g} m, at t = {:.6g} s: {:.2g} % of the smallest body's size "
      "({:.3g} m).{}",
      deepest, time[largest_row(depth)], 100.0 * deepest / size, size,
      deepest > deep_penetration * size ? " Use correction = \"projection\" or a smaller step."
                                        : ""));
}

double relative_balance(const ResultReader& results) {
  const double scale = largest(results.ledger("energy_scale")),
               balance = largest(results.ledger("balance"));
  return scale > 0.0      ? balance / scale
         : balance == 0.0 ? 0.0
                          : std::numeric_limits<double>::infinity();
}

void warn_of_balance(const ResultReader& results, std::vector<std::string>& warnings) {
  const double relative = relative_balance(results);
  if (relative <= balance_limit) return;
  const Column time = results.ledger("time");
  warnings.push_back(
      fmt::format("The energy ledger does not close: the balance of a step reaches {:.3g} of the "
                  "energy scale, at t = {:.6g} s "
                  "(limit {:.0e}).",
                  relative, time.at(largest_row(results.ledger("balance"))), balance_limit));
}

json figures(const ResultReader& results) {
  const auto solver = [&](const char* name) { return results.solver(name); };
  json text = {{"bodies", results.n_bodies()},
               {"steps", results.n_steps()},
               {"time_end", results.time_end()},
               {"contacts_max", largest(solver("contacts"))},
               {"contacts_mean", mean(solver("contacts"))},
               {"iterations_max", largest(solver("iterations"))},
               {"iterations_mean", mean(solver("iterations"))},
               {"penetration_max", largest(solver("max_penetration"))},
               {"balance_relative", relative_balance(results)},
               {"energy_scale", largest(results.ledger("energy_scale"))}};
  const Column converged = solver("converged");
  text["unconverged"] = std::count(converged.begin(), converged.end(), 0.0);
  for (const char* name : {"residual_scaled", "residual_published", "residual_siconos"})
    text[name] = largest(solver(name));
  for (const char* name :
       {"max_positive_normal_work", "max_positive_tangential_work", "max_positive_rolling_work"})
    text[name] = largest(results.ledger(name));
  for (const char* name :
       {"seconds_detect", "seconds_assemble", "seconds_solve", "seconds_advance"})
    text[name] = total(solver(name));
  return text;
}

json describe_pairs(const ResultReader& results) {
  const std::vector<std::string> materials = results.materials();
  const auto name = [&](std::int32_t material) {
    return materials.at(static_cast<std::size_t>(material));
  };
  json pairs = json::array();
  for (const ResultPair& pair : results.pairs()) {
    json& entry = pairs.emplace_back();
    entry = {{"a", name(pair.material_a)}, {"b", name(pair.material_b)}, {"law", pair.law}};
    for (const auto& [key, value] : pair.number) entry[key] = value;
  }
  return pairs;
}

json numbers_of(const std::string& text) {
  json numbers = json::array();
  for (const char* at = text.c_str(); *at != '\0';) {
    char* end = nullptr;
    numbers.push_back(std::strtod(at, &end));
    if (end == at) return json::array();
    at = *end == ',' ? end + 1 : end;
  }
  return numbers;
}

}  // namespace

std::vector<std::string> find_warnings(const ResultReader& results) {
  std::vector<std::string> warnings;
  if (!results.finished()) {
    warnings.push_back(
        fmt::format("The run did not reach its end: the file stops at t = {:.6g} s{}.",
                    results.time_end(), results.failure().empty() ? "" : "; " + results.failure()));
  }
  for (const std::string& note : coarse_terrains(results.scene_files()))
    warnings.push_back(note + ".");
  for (const RecordedWarning& warning : results.warnings()) {
    warnings.push_back(fmt::format("{}. {} ({})", warning.message, warning.advice, warning.id));
  }
  if (results.records_warnings()) return warnings;
  // Files of earlier programs: what their tables tell.
  warn_of_unconverged(results, warnings);
  warn_of_penetration(results, warnings);
  warn_of_balance(results, warnings);
  return warnings;
}

json describe_run(const ResultReader& results) {
  return {{"title", results.title()},
          {"program", results.program()},
          {"scene_sha256", results.scene_sha256()},
          {"scene_source", results.scene_source()},
          {"state_hash", results.state_hash()},
          {"finished", results.finished()},
          {"settings", results.settings()},
          {"pairs", describe_pairs(results)},
          {"gravity", numbers_of(setting(results, "gravity"))},
          {"measure", measure_of(results)},
          {"warnings", find_warnings(results)},
          {"limits", {{"balance", balance_limit}, {"penetration", overlap_limit}}},
          {"figures", figures(results)}};
}

}  // namespace scree::report
