// The page of a sweep: curves and table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "engine/base/version.hpp"
#include "tools/plot/figure.hpp"
#include "tools/study/page_parts.hpp"
#include "tools/study/sweep_table.hpp"

namespace scree::study {
namespace {

constexpr std::size_t most_curves = 12, most_rows = 1000;

std::string label_of(const MemberColumn& column) {
  return column.unit.empty() ? column.name : fmt::format("{} [{}]", column.name, column.unit);
}

std::string shown(const MemberCell& cell) {
  if (const auto* number = std::get_if<double>(&cell))
    return std::isnan(*number) ? "" : fmt::format("{:.8g}", *number);
  if (const auto* count = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *count);
  return std::get<std::string>(cell);
}

// Where the columns of the keys begin, and which of them is drawn along the abscissa: the first
// list with several numbers, else the first distribution.
struct Abscissa {
  std::size_t first_key = 0;
  std::optional<std::size_t> axis;
};

Abscissa abscissa_of(const SweepTable& table, const SweepPlan& plan) {
  Abscissa found{plan.draws() ? 2U : 1U, {}};
  for (const bool lists : {true, false}) {
    for (std::size_t k = 0; k < plan.axes.size() && !found.axis; ++k) {
      const SweepAxis& axis = plan.axes[k];
      const bool list = axis.kind == SweepAxis::Kind::list;
      const bool number = table.columns[found.first_key + k].kind == MemberColumn::Kind::number;
      if (number && list == lists && (!list || axis.values.size() > 1)) found.axis = k;
    }
  }
  return found;
}

// The values of the other lists that change.
std::string curve_label(const SweepTable& table, const SweepPlan& plan, const Abscissa& abscissa,
                        const MemberRow& row) {
  std::string label;
  for (std::size_t k = 0; k < plan.axes.size(); ++k) {
    const SweepAxis& axis = plan.axes[k];
    if (k == *abscissa.axis || axis.kind != SweepAxis::Kind::list || axis.values.size() < 2)
      continue;
    const std::size_t c = abscissa.first_key + k;
    label += label.empty() ? "" : ", ";
    label += fmt::format("{} = {}", table.columns[c].name, shown(row[c]));
  }
  return label;
}

struct Sum {
  double n = 0.0, sum = 0.0, squares = 0.0;

  void add(double value) { n += 1.0, sum += value, squares += value * value; }
  double mean() const { return sum / n; }
  double deviation() const {
    return n > 1.0 ? std::sqrt(std::max(0.0, (squares - n * mean() * mean()) / (n - 1.0))) : 0.0;
  }
};

plot::Panel panel_of(const SweepTable& table, const SweepPlan& plan, const Abscissa& abscissa,
                     std::size_t column) {
  const std::size_t x = abscissa.first_key + *abscissa.axis;
  const bool over_samples =
      plan.samples > 1 && plan.axes[*abscissa.axis].kind == SweepAxis::Kind::list;
  const bool drawn = plan.axes[*abscissa.axis].kind != SweepAxis::Kind::list;
  std::vector<std::string> labels;
  std::map<std::string, std::map<double, Sum>> curves;
  for (const MemberRow& row : table.rows) {
    const std::string label = curve_label(table, plan, abscissa, row);
    if (std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
    const double value = std::get<double>(row[column]);
    if (std::isfinite(value)) curves[label][std::get<double>(row[x])].add(value);
  }
  plot::Panel panel{label_of(table.columns[x]), label_of(table.columns[column]), {}, false};
  for (const std::string& label : labels) {
    if (panel.curves.size() == most_curves) break;
    plot::Curve curve{label, {}, {}, {}};
    const bool dots = over_samples || drawn || curves[label].size() < 2;
    for (const auto& [at, sum] : curves[label]) {
      curve.x.push_back(at), curve.y.push_back(sum.mean());
      if (dots) curve.deviation.push_back(sum.deviation());
    }
    if (!curve.x.empty()) panel.curves.push_back(std::move(curve));
  }
  return panel;
}

std::string html_table(const SweepTable& table) {
  std::string text = "<table><thead><tr>";
  for (const MemberColumn& column : table.columns)
    text += fmt::format("<th>{}</th>", escaped(label_of(column)));
  text += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(table.rows.size(), most_rows); ++i) {
    text += "<tr>";
    for (const MemberCell& cell : table.rows[i])
      text += fmt::format("<td>{}</td>", escaped(shown(cell)));
    text += "</tr>\n";
  }
  return text + "</tbody></table>\n";
}

std::string counts_text(const SweepTable& table) {
  std::string text =
      fmt::format("{} runs: {} done", table.rows.size(), count_status(table, "done"));
  for (const char* status : {"unconverged", "failed", "refused"}) {
    if (const std::size_t n = count_status(table, status); n > 0)
      text += fmt::format(", {} {}", n, status);
  }
  return text;
}

}  // namespace

std::string sweep_page(const SweepTable& table, const SweepTask& task, const std::string& title,
                       const std::string& table_file) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>"
      "<style>{1}</style></head><body>\n<h1>{0}</h1>\n<p>{2}, one a line of {3}. {4}",
      escaped(title), page_style, counts_text(table), escaped(table_file), program_name());
  if (task.plan.draws()) text += fmt::format(", seed {}", task.plan.seed);
  text += fmt::format(", hash {}.</p>\n", table.hash);
  const Abscissa abscissa = abscissa_of(table, task.plan);
  if (abscissa.axis && !task.measures.empty()) {
    const std::size_t first = abscissa.first_key + task.plan.axes.size() + first_measure;
    std::vector<plot::Panel> panels;
    std::size_t all = 1;
    for (std::size_t k = 0; k < task.plan.axes.size(); ++k) {
      const SweepAxis& axis = task.plan.axes[k];
      if (k != *abscissa.axis && axis.kind == SweepAxis::Kind::list) all *= axis.values.size();
    }
    for (std::size_t m = 0; m < task.measures.size(); ++m)
      panels.push_back(panel_of(table, task.plan, abscissa, first + m));
    text += plot::draw_svg(panels, title);
    if (all > most_curves)
      text +=
          fmt::format("<p>The first {} of {} curves; the table has all.</p>\n", most_curves, all);
    if (task.plan.samples > 1 && task.plan.axes[*abscissa.axis].kind == SweepAxis::Kind::list)
      text += fmt::format("<p>Means over {} samples, bars of one standard deviation.</p>\n",
                          task.plan.samples);
  } else {
    text += "<p>No curves: no key has several numbers, or nothing was measured.</p>\n";
  }
  if (table.rows.size() > most_rows)
    text += fmt::format("<p>The first {} runs; {} has all.</p>\n", most_rows, escaped(table_file));
  return text + html_table(table) + "</body></html>\n";
}

}  // namespace scree::study
