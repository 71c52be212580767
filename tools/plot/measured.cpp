#include "tools/plot/measured.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/check.hpp"
#include "engine/files/result_tables.hpp"
#include "tools/plot/measured_words.hpp"

namespace scree::plot {
namespace {

void add_to(std::vector<double>& sum, const std::vector<double>& term) {
  sum.resize(term.size(), 0.0);
  for (std::size_t i = 0; i < term.size(); ++i) sum[i] += term[i];
}

bool is_term(const std::string& name) {
  return std::ranges::any_of(ledger_columns,
                             [&](const LedgerColumn& column) { return name == column.name; });
}

std::string with_unit(const std::string& label, const std::string& unit) {
  return fmt::format("{} [{}]", label, unit.empty() ? "-" : unit);
}

// Rows of a log as dots.
template <class Row, std::size_t N>
Plotted dots(const std::vector<Row>& rows, const std::array<Word<Row>, N>& words,
             const std::string& quantity, const std::string& name) {
  const Word<Row>* word = find_word(words, name);
  require(word != nullptr, quantity,
          fmt::format("there is no '{}'; known are {}", name, names_of(words)));
  Plotted plotted{with_unit(word->label, word->unit), {quantity, {}, {}}};
  for (const Row& row : rows) {
    plotted.curve.x.push_back(row.time);
    plotted.curve.y.push_back(word->value(row));
  }
  plotted.curve.deviation.assign(rows.size(), 0.0);
  return plotted;
}

// Passages along the normal less those against it, a step at each.
Plotted passed(const std::vector<measure::Crossing>& rows, const ResultReader& results,
               const std::string& quantity) {
  Plotted plotted{"passages along less against the normal [-]", {quantity, {0.0}, {0.0}}};
  std::vector<double>&x = plotted.curve.x, &y = plotted.curve.y;
  for (const measure::Crossing& row : rows) {
    x.insert(x.end(), {row.time, row.time});
    y.insert(y.end(), {y.back(), y.back() + row.direction});
  }
  x.push_back(results.time_end()), y.push_back(y.back());
  return plotted;
}

std::optional<Plotted> screen_quantity(const ResultReader& results, const std::string& quantity,
                                       const std::string& name, const std::string& word) {
  const std::vector<ResultScreen> screens = results.screens();
  const auto screen =
      std::ranges::find_if(screens, [&](const ResultScreen& s) { return s.name == name; });
  if (screen == screens.end()) return std::nullopt;
  std::vector<measure::Crossing> rows = results.crossings();
  std::erase_if(rows, [&](const measure::Crossing& c) {
    return c.screen != static_cast<std::int32_t>(screen - screens.begin());
  });
  if (word == "passed") return passed(rows, results, quantity);
  return dots(rows, crossing_words, quantity, word);
}

std::vector<double> added_up(std::vector<double> values) {
  double so_far = 0.0;
  for (double& value : values) value = so_far += value;
  return values;
}

// Of a column of the solver, or of a log: there a step at each of its rows.
std::optional<Plotted> sum_besides_ledger(const ResultReader& results, const std::string& quantity,
                                          const std::string& term) {
  const std::string sums = fmt::format("its sum means nothing; sums are of {}", known_sums);
  for (const SolverCount& column : solver_counts) {
    if (term != column.name) continue;
    require(term != "step", quantity, sums);
    return Plotted{"number so far [-]",
                   {quantity, results.solver("time"), added_up(results.solver(term))}};
  }
  for (const SolverNumber& column : solver_numbers) {
    if (term != column.name) continue;
    return Plotted{fmt::format("{} so far [{}]", column.name, column.unit),
                   {quantity, results.solver("time"), added_up(results.solver(term))}};
  }
  const std::size_t dot = term.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const std::string name = term.substr(0, dot), word = term.substr(dot + 1);
  const bool of_log = name == "impacts" && results.logs_impacts();
  const bool of_screen =
      std::ranges::any_of(results.screens(), [&](const ResultScreen& s) { return s.name == name; });
  require(of_log ? impacts_add_up(word) : of_screen && crossings_add_up(word), quantity, sums);
  Plotted rows = of_log ? dots(results.impacts(), impact_words, quantity, word)
                        : *screen_quantity(results, quantity, name, word);
  Plotted plotted{"so far: " + rows.y_label, {quantity, {0.0}, {0.0}}};
  std::vector<double>&x = plotted.curve.x, &y = plotted.curve.y;
  for (std::size_t i = 0; i < rows.curve.x.size(); ++i) {
    x.insert(x.end(), {rows.curve.x[i], rows.curve.x[i]});
    y.insert(y.end(), {y.back(), y.back() + rows.curve.y[i]});
  }
  x.push_back(results.time_end()), y.push_back(y.back());
  return plotted;
}

// On the second group from the first: mean force of each step, or the impulse added up.
Plotted pair_quantity(const ResultReader& results, const ResultGroups& groups,
                      const std::string& quantity, const std::string& name,
                      const std::string& word) {
  const std::size_t colon = name.find(':');
  const auto index = [&](const std::string& group) {
    const auto found = std::ranges::find(groups.name, group);
    require(found != groups.name.end(), quantity, fmt::format("there is no group '{}'", group));
    return static_cast<std::int32_t>(found - groups.name.begin());
  };
  const std::int32_t from = index(name.substr(0, colon)), on = index(name.substr(colon + 1));
  require(from != on, quantity, "impulses within a group are not recorded");
  std::size_t pair = 0;
  while (groups.pair_a[pair] != std::min(from, on) || groups.pair_b[pair] != std::max(from, on))
    require(++pair < groups.pair_a.size(), quantity, "there is no such pair of groups");
  const auto which = static_cast<std::size_t>(
      std::ranges::find(pair_words, std::string_view(word)) - pair_words.begin());
  require(which < pair_words.size(), quantity,
          fmt::format("there is no '{}'; known are {}", word, fmt::join(pair_words, ", ")));
  const bool force = which < n_pair_forces;
  const double sign = from < on ? 1.0 : -1.0, scale = force ? sign / results.dt() : sign;
  Plotted plotted{force ? "mean force of each step [N]" : "impulse so far [N s]",
                  {quantity, results.solver("time"), {}}};
  Vector3 sum = Vector3::Zero();
  for (const Vector3& impulse : results.group_impulses(pair)) {
    sum += impulse;
    const Vector3 value = scale * (force ? impulse : sum);
    plotted.curve.y.push_back(component(value, which));
  }
  return plotted;
}

std::optional<Plotted> group_quantity(const ResultReader& results, const std::string& quantity,
                                      const std::string& name, const std::string& word,
                                      bool is_body) {
  if (!results.has_groups()) return std::nullopt;
  const ResultGroups groups = results.groups();
  const bool is_pair = name.find(':') != std::string::npos;
  if (is_pair && is_body && !tells_of_pairs(word)) return std::nullopt;
  if (is_pair) return pair_quantity(results, groups, quantity, name, word);
  const auto group = std::ranges::find(groups.name, name);
  if (group == groups.name.end() || word != "moved") return std::nullopt;
  require(std::isfinite(groups.moved), quantity, "is not recorded; [record] moved asks for it");
  const auto moved = results.group_moved(static_cast<std::size_t>(group - groups.name.begin()));
  return Plotted{fmt::format("free bodies moved farther than {:g} m [-]", groups.moved),
                 {quantity, results.solver("time"), {moved.begin(), moved.end()}}};
}

// Of a gauge of one cell.
std::optional<Plotted> gauge_quantity(const ResultReader& results, const std::string& quantity,
                                      const std::string& name, const std::string& word) {
  const std::vector<ResultGauge> gauges = results.gauges();
  const auto gauge =
      std::ranges::find_if(gauges, [&](const ResultGauge& g) { return g.name == name; });
  if (gauge == gauges.end()) return std::nullopt;
  const Word<measure::GaugeRow>* what = find_word(gauge_words, word);
  require(what != nullptr, quantity,
          fmt::format("there is no '{}'; known are {}", word, names_of(gauge_words)));
  require(gauge->n_cells() == 1, quantity,
          "is of a grid; scree export --table gauges has its cells");
  Plotted plotted{with_unit(what->label, what->unit), {quantity, results.solver("time"), {}}};
  for (const measure::GaugeRow& row :
       results.gauge_rows(static_cast<std::size_t>(gauge - gauges.begin())))
    plotted.curve.y.push_back(what->value(row));
  return plotted;
}

}  // namespace

std::optional<Plotted> running_sum_of(const ResultReader& results, const std::string& quantity) {
  std::vector<double> sum;
  for (const std::string& term : terms_of_sum(quantity)) add_to(sum, results.ledger(term));
  if (quantity.starts_with("sum(") && quantity.ends_with(')')) {
    const std::string term = quantity.substr(4, quantity.size() - 5);
    if (!is_term(term)) return sum_besides_ledger(results, quantity, term);
    require(adds_up(term), quantity,
            fmt::format("{} is not of a step, so that its sum means nothing", term));
    sum = results.ledger(term);
  }
  if (sum.empty()) return std::nullopt;
  return Plotted{"energy [J]", {quantity, results.ledger("time"), added_up(std::move(sum))}};
}

std::optional<Plotted> measured_quantity(const ResultReader& results, const std::string& quantity) {
  const std::size_t dot = quantity.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const std::string name = quantity.substr(0, dot), word = quantity.substr(dot + 1);
  const std::vector<std::string> bodies = results.bodies().name;
  const bool is_body = std::ranges::find(bodies, name) != bodies.end();
  if (name == "impacts" && (results.logs_impacts() || !is_body))
    return dots(results.impacts(), impact_words, quantity, word);
  if (std::optional<Plotted> found = screen_quantity(results, quantity, name, word)) return found;
  if (std::optional<Plotted> found = gauge_quantity(results, quantity, name, word)) return found;
  return group_quantity(results, quantity, name, word, is_body);
}

std::string measured_quantities() {
  return fmt::format("contact_work, total_work, sum(Q) (added up over the run; of {}), {}",
                     known_sums, device_quantities);
}

}  // namespace scree::plot
