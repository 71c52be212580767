#include "tools/bench/summary.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "tools/plot/figure.hpp"

namespace scree::bench {
namespace {

bool same_problem(const Row& a, const Row& b) { return a.scene == b.scene && a.size == b.size; }

// A number in `width` characters; a dash where there is none.
std::string cell(double value, int width, int digits) {
  return std::isfinite(value) ? fmt::format("{:>{}.{}f}", value, width, digits)
                              : fmt::format("{:>{}}", "-", width);
}

std::string problem_lines(const Row& row, std::size_t n_rows) {
  return fmt::format(
      "\n{} {}: {} bodies, {} contacts; {} bytes a body, {} bytes a contact\n{} to {} {:g}: "
      "residuals scaled {:.2g}, "
      "published {:.2g}, siconos {:.2g}\nstate {} after {} steps, {} row{}\n",
      row.scene, row.size, row.bodies, row.contacts, cell(row.bytes_per_body, 0, 0),
      cell(row.bytes_per_contact, 0, 0), row.method, row.measure, row.tolerance,
      row.residual_scaled, row.residual_published, row.residual_siconos, row.state_hash, row.steps,
      n_rows, n_rows == 1 ? "" : "s");
}

std::string row_line(const Row& row) {
  const auto ms = [](double seconds, int width) { return cell(1e3 * seconds, width, 3); };
  return fmt::format(
      "{:>8} {:>2} {} {} {} {} {} {} {} {:>6g} {:>6g} {} {} {} {} {} {} {}\n", row.backend,
      row.threads, ms(row.step_seconds, 10), ms(row.step_seconds_p95, 10),
      ms(row.step_seconds_mean, 10), ms(row.detect_seconds, 8), ms(row.assemble_seconds, 8),
      ms(row.solve_seconds, 9), ms(row.advance_seconds, 8), row.sweeps_median, row.sweeps_p95,
      cell(row.solve_ns, 7, 1), cell(row.sweep_ns, 7, 1), cell(100.0 * row.triad_share, 7, 1),
      cell(100.0 * row.triad_at_size_share, 6, 1), cell(row.speed_up_step, 6, 2),
      cell(row.speed_up_solve, 6, 2), cell(100.0 * row.efficiency_step, 6, 0));
}

constexpr const char* heading =
    " backend  n    step ms     p95 ms    mean ms = detect assemble     solve  advance sweeps    "
    "p95 solve ns sweep ns % triad % size "
    "x step x solve eff %\n";

std::string csv_cell(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }
std::string csv_cell(std::int64_t value) { return fmt::format("{}", value); }
std::string csv_cell(const std::string& value) { return value; }

}  // namespace

void add_speed_ups(std::vector<Row>& rows) {
  for (Row& row : rows) {
    const Row* base = nullptr;
    for (const Row& other : rows) {
      if (!same_problem(row, other) || other.threads != 1) continue;
      if (base == nullptr || (base->backend != row.backend && other.backend == row.backend))
        base = &other;
    }
    if (base == nullptr) continue;
    row.speed_up_step = base->step_seconds_mean / row.step_seconds_mean;
    row.speed_up_solve = base->solve_seconds / row.solve_seconds;
    row.efficiency_step = row.speed_up_step / static_cast<double>(row.threads);
    row.efficiency_solve = row.speed_up_solve / static_cast<double>(row.threads);
  }
}

std::vector<std::string> mismatches(const std::vector<Row>& rows) {
  const auto bits = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  std::vector<std::string> lines;
  for (const Row& row : rows) {
    const Row& first = *std::find_if(rows.begin(), rows.end(),
                                     [&](const Row& other) { return same_problem(row, other); });
    const char* what = row.state_hash != first.state_hash ? "state"
                       : !bits(row.residual_scaled, first.residual_scaled) ||
                               !bits(row.residual_published, first.residual_published) ||
                               !bits(row.residual_siconos, first.residual_siconos)
                           ? "residual"
                           : nullptr;
    if (what == nullptr) continue;
    lines.push_back(fmt::format(
        "{} {}: the {} of {} with {} threads differs from that of {} with {}: states {} and {}",
        row.scene, row.size, what, row.backend, row.threads, first.backend, first.threads,
        row.state_hash, first.state_hash));
  }
  return lines;
}

std::string bench_table(const Summary& summary) {
  std::string text =
      fmt::format("{} on {} ({} processors); each step the median of {} repeats\n", summary.program,
                  summary.processor, summary.processors, summary.repeats);
  const auto out = std::back_inserter(text);
  text += "memory bandwidth by threads, triad:";
  const char* separator = " ";
  for (const auto& [threads, bandwidth] : summary.triad()) {
    fmt::format_to(out, "{}{}: {:.1f} GB/s", separator, threads, 1e-9 * bandwidth);
    separator = ", ";
  }
  text += '\n';
  const Row* previous = nullptr;
  for (const Row& row : summary.rows) {
    if (previous == nullptr || !same_problem(*previous, row)) {
      const auto n = std::count_if(summary.rows.begin(), summary.rows.end(),
                                   [&](const Row& other) { return same_problem(row, other); });
      text += problem_lines(row, static_cast<std::size_t>(n)) + heading;
    }
    text += row_line(row);
    previous = &row;
  }
  if (std::any_of(summary.rows.begin(), summary.rows.end(),
                  [](const Row& row) { return row.triad_share > 1.0; })) {
    text += "% triad above 100 %: the data of that row stay in the caches\n";
  }
  return text;
}

std::string bench_csv(const std::vector<Row>& rows) {
  const Row empty;
  std::vector<std::string> cells;
  for_each_column(empty, [&](const char* name, const auto&) { cells.emplace_back(name); });
  std::string text = fmt::format("{}\n", fmt::join(cells, ","));
  for (const Row& row : rows) {
    cells.clear();
    for_each_column(row, [&](const char*, const auto& value) { cells.push_back(csv_cell(value)); });
    fmt::format_to(std::back_inserter(text), "{}\n", fmt::join(cells, ","));
  }
  return text;
}

nlohmann::ordered_json bench_json(const Summary& summary) {
  using Json = nlohmann::ordered_json;
  Json triad = Json::array(), rows = Json::array();
  for (const auto& [threads, bandwidth] : summary.triad()) {
    triad.push_back({{"threads", threads}, {"bytes_per_second", bandwidth}});
  }
  for (const Row& row : summary.rows) rows.push_back(row_to_json<Json>(row));
  return {{"program", summary.program},
          {"processor", summary.processor},
          {"processors", summary.processors},
          {"repeats", summary.repeats},
          {"triad", triad},
          {"rows", rows}};
}

std::string bench_plot(const Summary& summary) {
  std::map<std::string, std::size_t> panel_of;
  std::vector<plot::Panel> panels;
  std::map<std::string, std::size_t> curve_of;
  const auto add_point = [&](const Row& row, const char* what, double speed_up) {
    const std::string y_label = fmt::format("{}: speed-up of {} [-]", row.scene, what);
    const auto [panel, is_new] = panel_of.emplace(y_label, panels.size());
    if (is_new) {
      plot::Curve ideal{.label = "ideal", .x = {}, .y = {}};
      for (const Lanes& lane : summary.lanes) ideal.x.push_back(lane.threads);
      std::sort(ideal.x.begin(), ideal.x.end());
      ideal.y = ideal.x;
      panels.push_back({.x_label = "threads [-]", .y_label = y_label, .curves = {ideal}});
    }
    std::vector<plot::Curve>& curves = panels[panel->second].curves;
    const std::string label = fmt::format("{} bodies, {}", row.bodies, row.backend);
    const auto [curve, is_new_curve] = curve_of.emplace(y_label + label, curves.size());
    if (is_new_curve) curves.push_back({.label = label, .x = {}, .y = {}});
    curves[curve->second].x.push_back(static_cast<double>(row.threads));
    curves[curve->second].y.push_back(speed_up);
  };
  for (const Row& row : summary.rows) {
    if (row.backend == backend_name(Backend::serial)) continue;
    add_point(row, "a step", row.speed_up_step), add_point(row, "the solver", row.speed_up_solve);
  }
  return plot::draw_svg(panels, fmt::format("{} on {}", summary.program, summary.processor));
}

}  // namespace scree::bench
