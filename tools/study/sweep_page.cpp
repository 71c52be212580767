// The page of a sweep: curves and table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

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

// What is drawn along an abscissa.
struct Abscissa {
  std::size_t first_key = 0;  // where the columns of the keys begin
  std::size_t axis = 0;
};

bool is_list(const SweepAxis& axis) { return axis.kind == SweepAxis::Kind::list; }

// The first list with several numbers, and every distribution.
std::vector<Abscissa> abscissas_of(const SweepTable& table, const SweepPlan& plan) {
  const std::size_t first_key = plan.draws() ? 2 : 1;
  std::vector<Abscissa> found;
  for (const bool lists : {true, false}) {
    for (std::size_t k = 0; k < plan.axes.size(); ++k) {
      const SweepAxis& axis = plan.axes[k];
      const bool number = table.columns[first_key + k].kind == MemberColumn::Kind::number;
      const bool drawn = !is_list(axis), several = axis.values.size() > 1 && found.empty();
      if (number && (lists ? several : drawn)) found.push_back({first_key, k});
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
    if (k == abscissa.axis || !is_list(axis) || axis.values.size() < 2) continue;
    const std::size_t c = abscissa.first_key + k;
    label += label.empty() ? "" : ", ";
    label += fmt::format("{} = {}", table.columns[c].name, shown(row[c]));
  }
  return label;
}

struct MemberSum {
  double n = 0.0, sum = 0.0, squares = 0.0;

  void add(double value) { n += 1.0, sum += value, squares += value * value; }
  double mean() const { return sum / n; }
  double deviation() const {
    return n > 1.0 ? std::sqrt(std::max(0.0, (squares - n * mean() * mean()) / (n - 1.0))) : 0.0;
  }
};

plot::Panel panel_of(const SweepTable& table, const SweepPlan& plan, const Abscissa& abscissa,
                     std::size_t column) {
  const std::size_t x = abscissa.first_key + abscissa.axis;
  const bool drawn = !is_list(plan.axes[abscissa.axis]);
  const bool over_samples = plan.samples > 1 && !drawn;
  std::vector<std::string> labels;
  std::map<std::string, std::map<double, MemberSum>> curves;
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

// How many curves a panel would have.
std::size_t n_curves(const SweepPlan& plan, const Abscissa& abscissa) {
  std::size_t all = 1;
  for (std::size_t k = 0; k < plan.axes.size(); ++k)
    if (k != abscissa.axis && is_list(plan.axes[k])) all *= plan.axes[k].values.size();
  return all;
}

// A panel for each measure over each abscissa, and what they are.
std::string figure_of(const SweepTable& table, const SweepTask& task,
                      const std::vector<Abscissa>& abscissas, const std::string& title) {
  const SweepPlan& plan = task.plan;
  const std::size_t first = abscissas.front().first_key + plan.axes.size() + first_measure;
  std::vector<plot::Panel> panels;
  std::size_t all = 0;
  for (std::size_t m = 0; m < task.measures.size(); ++m) {
    for (const Abscissa& abscissa : abscissas) {
      panels.push_back(panel_of(table, plan, abscissa, first + m));
      all = std::max(all, n_curves(plan, abscissa));
    }
  }
  std::string text = plot::draw_svg(panels, title);
  if (all > most_curves) {
    text += fmt::format("<p>The first {} of {} curves; the table has all.</p>\n", most_curves, all);
  }
  if (plan.samples > 1 && is_list(plan.axes[abscissas.front().axis])) {
    text +=
        fmt::format("<p>Over lists: means over {} samples, bars of one standard deviation.</p>\n",
                    plan.samples);
  }
  if (!is_list(plan.axes[abscissas.back().axis])) {
    text +=
        "<p>Over what is drawn: a dot a run; where several runs drew one value, their mean with a "
        "bar of one standard deviation.</p>\n";
  }
  return text;
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
  const std::vector<Abscissa> abscissas = abscissas_of(table, task.plan);
  if (!abscissas.empty() && !task.measures.empty()) {
    text += figure_of(table, task, abscissas, title);
  } else {
    text += "<p>No curves: no key has several numbers, or nothing was measured.</p>\n";
  }
  if (table.rows.size() > most_rows)
    text += fmt::format("<p>The first {} runs; {} has all.</p>\n", most_rows, escaped(table_file));
  return text + html_table(table) + "</body></html>\n";
}

}  // namespace scree::study
