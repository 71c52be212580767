#include "tools/study/column_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/base/printable.hpp"
#include "tools/plot/figure.hpp"
#include "tools/study/column_laws.hpp"
#include "tools/study/column_measures.hpp"
#include "tools/study/nothing.hpp"
#include "tools/study/study_page.hpp"

namespace scree::study {
namespace {

using json = nlohmann::ordered_json;

double number_or_nothing(const json& row, const std::string& key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_number() ? found->get<double>() : nothing;
}

std::string cell(const json& value) {
  // What is not finite is null once it has been a file.
  if (value.is_null() || (value.is_number_float() && !std::isfinite(value.get<double>())))
    return "";
  if (!value.is_string()) return value.dump();
  std::string text = value.get<std::string>();
  std::replace(text.begin(), text.end(), ',', ';');
  std::replace(text.begin(), text.end(), '\n', ' ');
  return csv_field(text);
}

// Mean and standard deviation over the seeds.
struct Point {
  double aspect = 0.0;  // [-] measured, mean
  double mean = 0.0, deviation = 0.0;
  int count = 0;
};

struct Sum {
  int n = 0;
  double a = 0.0, x = 0.0, xx = 0.0;

  Point point() const {
    const double mean = x / n;
    return {a / n, mean, n > 1 ? std::sqrt(std::max(0.0, (xx - n * mean * mean) / (n - 1))) : 0.0,
            n};
  }
};

// Series of a quantity: by shape and friction, over the nominal aspect ratio.
std::map<std::string, std::vector<Point>> series_of(const std::vector<json>& rows,
                                                    const std::string& quantity) {
  std::map<std::string, std::map<double, Sum>> sums;
  for (const json& row : rows) {
    if (!is_done(row)) continue;
    const std::string shape = row.at("shape");
    std::string label = shape.empty() ? "this study" : shape;
    if (!row.at("friction").is_null())
      label += fmt::format(", mu = {:g}", number_or_nothing(row, "friction"));
    const double value = number_or_nothing(row, quantity);
    Sum& sum = sums[label][number_or_nothing(row, "aspect")];
    ++sum.n, sum.a += number_or_nothing(row, "aspect_measured"), sum.x += value,
        sum.xx += value * value;
  }
  std::map<std::string, std::vector<Point>> series;
  for (const auto& [label, by_aspect] : sums) {
    for (const auto& entry : by_aspect) series[label].push_back(entry.second.point());
  }
  return series;
}

// The two branches of a law up to the aspect ratio `high`, with a gap between them where it jumps.
plot::Curve law_curve(const char* name, const Branches& law, double high) {
  constexpr int points = 100;  // of a branch
  plot::Curve curve{name, {}, {}, {}};
  const auto add = [&curve](double a, double value) {
    curve.x.push_back(a), curve.y.push_back(value);
  };
  const double middle = std::min(law.at, high);
  for (int i = 0; i <= points; ++i) add(middle * i / points, law.below(middle * i / points));
  if (law.at >= high) return curve;
  add(law.at, nothing);
  for (int i = 0; i <= points; ++i)
    add(law.at + (high - law.at) * i / points, law.above(law.at + (high - law.at) * i / points));
  return curve;
}

plot::Panel panel_of(const std::vector<json>& rows, bool round, const std::string& quantity,
                     const std::string& label, bool heights) {
  plot::Panel panel{"aspect ratio H0 / r0", label, {}, false};
  double high = 2.0;
  for (const auto& [name, points] : series_of(rows, quantity)) {
    plot::Curve curve{name, {}, {}, {}};
    for (const Point& point : points) {
      high = std::max(high, 1.15 * point.aspect);
      curve.x.push_back(point.aspect), curve.y.push_back(point.mean),
          curve.deviation.push_back(point.deviation);
    }
    panel.curves.push_back(std::move(curve));
  }
  for (const ColumnLaw& law : column_laws) {
    if (law.round != round || (heights && !law.height)) continue;
    panel.curves.push_back(law_curve(law.name, heights ? *law.height : law.run_out, high));
  }
  return panel;
}

// Exponent of the least-squares line through the logarithms.
double exponent(const std::vector<Point>& points) {
  LineFit line;
  for (const Point& point : points) line.add(std::log(point.aspect), std::log(point.mean));
  return line.slope();
}

// The members that did not come to rest in time, if any.
std::string not_quiet(const std::vector<json>& rows, const std::string& key,
                      const std::string& what) {
  std::vector<std::string> names;
  for (const json& row : rows) {
    if (is_done(row) && !row.at(key).get<bool>()) names.push_back(row.at("member"));
  }
  return names.empty() ? ""
                       : fmt::format("{}: {} of {} members ({})\n", what, names.size(), rows.size(),
                                     fmt::join(names, ", "));
}

}  // namespace

std::string results_csv(const std::vector<json>& rows) {
  std::vector<std::string> columns;
  for (const json& row : rows) {
    if (columns.empty() || is_done(row)) {
      columns.clear();
      for (const auto& entry : row.items()) columns.push_back(entry.key());
      if (is_done(row)) break;
    }
  }
  std::string text = fmt::format("{}\n", fmt::join(columns, ","));
  for (const json& row : rows) {
    std::vector<std::string> cells;
    for (const std::string& column : columns)
      cells.push_back(row.contains(column) ? cell(row.at(column)) : "");
    text += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return text;
}

std::string results_svg(const std::vector<json>& rows, bool round) {
  return plot::draw_svg(
      {panel_of(rows, round, "run_out_mass_99", "run-out, 99 % of the mass: (r - r0) / r0", false),
       panel_of(rows, round, "run_out_chain", "run-out, farthest in contact: (r - r0) / r0", false),
       panel_of(rows, round, "final_height", "final height / r0", true)},
      round ? "Axisymmetric column collapse" : "Column collapse in a slice");
}

std::string results_text(const std::vector<json>& rows) {
  std::string text;
  for (const auto& [label, points] : series_of(rows, "run_out_mass_99")) {
    for (const Point& point : points) {
      text += fmt::format("{:24} a = {:<6.3g} run-out (99 % of the mass) {:.3f}", label,
                          point.aspect, point.mean);
      text += point.count > 1
                  ? fmt::format(" +- {:.3f} over {} seeds\n", point.deviation, point.count)
                  : "\n";
    }
    if (points.size() >= 3)
      text += fmt::format("{:24} run-out grows as a^{:.2f}\n", label, exponent(points));
  }
  text += not_quiet(rows, "packing_quiet", "Let go while the packing was still moving");
  text += not_quiet(rows, "collapse_quiet", "Still moving at the end of the collapse");
  return text;
}

}  // namespace scree::study
