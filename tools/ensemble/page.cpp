// The page of an ensemble: the map, the lines, the worst runs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "engine/base/printable.hpp"
#include "engine/base/version.hpp"
#include "tools/common/base64.hpp"
#include "tools/common/html.hpp"
#include "tools/ensemble/outputs.hpp"
#include "tools/picture/image.hpp"
#include "tools/plot/figure.hpp"

namespace scree::ensemble {
namespace {

constexpr int most_pixels = 900;  // of the longer side of the map
constexpr std::size_t most_dots = 3000;

std::string escaped(const std::string& text) { return escape_html(printable(text)); }

std::string shown(double value) {
  return std::isnan(value) ? "&ndash;" : fmt::format("{:.4g}", value);
}

// From map coordinates to pixels of the picture.
struct MapView {
  const Ensemble& ensemble;
  double scale = 1.0;
  int width = 0, height = 0;

  explicit MapView(const Ensemble& all) : ensemble(all) {
    const site::MapGrid& map = all.map();
    scale = most_pixels / std::max(map.width(), map.height());
    width = std::max(1, static_cast<int>(std::lround(map.width() * scale)));
    height = std::max(1, static_cast<int>(std::lround(map.height() * scale)));
  }
  double x(double local) const { return (local - ensemble.map().low.x()) * scale; }
  double y(double local) const {
    return static_cast<double>(height) - (local - ensemble.map().low.y()) * scale;
  }
};

// Yellow to dark red; p in (0, 1], by its logarithm from 1/1000 on.
std::array<double, 3> colour_of(double p) {
  const double s = std::clamp(1.0 + std::log10(std::max(p, 1e-3)) / 3.0, 0.0, 1.0);
  return {1.0 - 0.5 * s, 0.88 * (1.0 - s) * (1.0 - s), 0.25 * (1.0 - s)};
}

// Ground in grey by its slope, lit from the north-west, and in colour how probable it is that a
// rock comes by.
std::string map_png(const MapView& view, const std::vector<float>& reach) {
  picture::Image image(view.width, view.height);
  const Ensemble& ensemble = view.ensemble;
  const Vector3 light = Vector3(-1.0, 1.0, 1.5).normalized();
  for (int row = 0; row < view.height; ++row) {
    for (int column = 0; column < view.width; ++column) {
      const double x = ensemble.map().low.x() + (column + 0.5) / view.scale,
                   y = ensemble.map().low.y() + (view.height - row - 0.5) / view.scale;
      const site::GroundSurface::Point ground = ensemble.ground().at(x, y);
      const bool known = std::isfinite(ground.height);
      const double grey = known ? 0.35 + 0.6 * std::max(0.0, ground.normal.dot(light)) : 1.0;
      std::array<double, 3> rgb = {grey, grey, grey};
      const std::int32_t cell = cell_of(ensemble.map(), x, y);
      if (cell >= 0 && reach[static_cast<std::size_t>(cell)] > 0.0F) {
        const auto colour = colour_of(static_cast<double>(reach[static_cast<std::size_t>(cell)]));
        for (std::size_t k = 0; k < 3; ++k) rgb[k] = 0.3 * rgb[k] + 0.7 * colour[k];
      }
      for (std::size_t k = 0; k < 3; ++k)
        image.pixel(column, row)[k] = static_cast<std::uint8_t>(255.0 * std::min(rgb[k], 1.0));
    }
  }
  return picture::encode_png(image);
}

std::string polyline(const MapView& view, const std::vector<Vector3>& points,
                     const std::string& style) {
  std::string text = "<polyline points=\"";
  for (const Vector3& x : points)
    text += fmt::format("{:.1f},{:.1f} ", view.x(x.x()), view.y(x.y()));
  return text + "\" " + style + "/>\n";
}

std::string map_svg(const ReportPage& page) {
  const MapView view(page.ensemble);
  std::vector<float> reach;
  for_each_layer(page.table, page.ensemble.map(), page.ensemble.scene().model.origin,
                 [&](const MapLayer& layer) {
                   if (layer.name == "reach") reach = layer.values;
                 });
  std::string text = fmt::format(
      "<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n<image width=\"{0}\" "
      "height=\"{1}\" href=\"data:image/png;base64,{2}\"/>\n",
      view.width, view.height, encode_base64(map_png(view, reach)));
  const Vector3& origin = page.ensemble.scene().model.origin;
  const std::size_t every = std::max<std::size_t>(1, page.table.n_runs / most_dots);
  for (std::size_t i = 0; i < page.table.n_runs; i += every) {
    if (!page.table.has_results(i)) continue;
    const RunRow run = page.table.run(i);
    if (run.end != "rest") continue;
    text += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.5\" fill=\"#123\"/>\n",
                        view.x(run.end_x - origin.x()), view.y(run.end_y - origin.y()));
  }
  for (const RunPath& path : page.paths)
    text += polyline(view, path.x, "fill=\"none\" stroke=\"#06c\" stroke-width=\"1\"");
  for (const site::Barrier& barrier : page.ensemble.site().barriers) {
    text += polyline(view, barrier.corners, "fill=\"none\" stroke=\"#000\" stroke-width=\"2.5\"");
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                        view.x(barrier.corners[0].x()) + 4.0, view.y(barrier.corners[0].y()) - 4.0,
                        escaped(barrier.name));
  }
  return text + "</svg>\n";
}

std::string barrier_rows(const BarrierTable& table, double confidence) {
  std::string text =
      "<table><tr><th>line</th><th>quantity</th><th>runs that cross</th><th>mean</th>";
  for (const double share : told_shares) text += fmt::format("<th>{:.0f} %</th>", 100.0 * share);
  text += "<th>largest</th></tr>\n";
  for (const BarrierQuantity& quantity : table.quantities) {
    text += fmt::format("<tr><td>{}</td><td>{} [{}]</td><td>{} of {}</td><td>{}</td>",
                        escaped(quantity.barrier), quantity.quantity, quantity.unit,
                        quantity.sorted.size(), table.n_runs, shown(quantity.mean));
    for (const Quantile& one : quantity.quantiles) {
      text += fmt::format("<td>{}<br><small>{} to {}</small></td>", shown(one.value),
                          shown(one.low), shown(one.high));
    }
    text += fmt::format("<td>{}</td></tr>\n",
                        quantity.sorted.empty() ? "&ndash;" : shown(quantity.sorted.back()));
  }
  return text +
         fmt::format(
             "</table>\n<p>A run counts once a line, with its largest value there; runs "
             "that do not cross count for nothing. Small: interval of the quantile with a "
             "confidence of {:g} %, by order statistics; a dash: too few runs to tell.</p>\n",
             100.0 * confidence);
}

std::string warning_list(const RunTable& table) {
  const std::vector<WarnedRuns> warnings = warnings_of(table);
  if (warnings.empty()) return "";
  std::string text = "<h2>Warnings</h2>\n<ul>\n";
  for (const WarnedRuns& warning : warnings) {
    text += fmt::format("<li>{} of {} runs, worst in run {}: {}. {} ({})</li>\n", warning.runs,
                        table.n_runs, escaped(warning.worst_run), escaped(warning.message),
                        escaped(warning.advice), escaped(warning.id));
  }
  return text + "</ul>\n";
}

// Share of the runs that stay below a value, at a line.
std::string curves_of(const BarrierTable& table, const std::string& quantity) {
  plot::Panel panel;
  panel.y_label = "share of the runs that cross [-]";
  for (const BarrierQuantity& one : table.quantities) {
    if (one.quantity != quantity || one.sorted.empty()) continue;
    panel.x_label = quantity + " [" + one.unit + "]";
    plot::Curve curve{one.barrier, {}, {}};
    const std::size_t n = one.sorted.size(), every = std::max<std::size_t>(1, n / 500);
    for (std::size_t i = 0; i < n; i += every) {
      curve.x.push_back(one.sorted[i]);
      curve.y.push_back(static_cast<double>(i + 1) / static_cast<double>(n));
    }
    panel.curves.push_back(std::move(curve));
  }
  return panel.curves.empty() ? "" : plot::draw_svg({panel}, "");
}

std::string run_out_svg(const RunTable& table) {
  std::vector<double> run_out;
  for (std::size_t i = 0; i < table.n_runs; ++i) {
    if (table.has_results(i)) run_out.push_back(table.run(i).run_out);
  }
  if (run_out.empty()) return "";
  const double high = std::max(*std::ranges::max_element(run_out), 1e-9);
  constexpr std::size_t bins = 30;
  plot::Panel panel{"run-out [m]", "runs", {}, true};
  plot::Curve curve{"runs", {}, std::vector<double>(bins, 0.0)};
  for (std::size_t k = 0; k <= bins; ++k)
    curve.x.push_back(high * static_cast<double>(k) / static_cast<double>(bins));
  for (const double one : run_out) {
    const auto k = static_cast<std::size_t>(one / high * static_cast<double>(bins));
    curve.y[std::min(k, bins - 1)] += 1.0;
  }
  panel.curves.push_back(std::move(curve));
  return plot::draw_svg({panel}, "");
}

std::string worst_rows(const ReportPage& page) {
  std::string text =
      "<table><tr><th>run</th><th>rock</th><th>mass [kg]</th><th>energy [J]</th><th>velocity "
      "[m/s]</th><th>jump [m]</th><th>run-out [m]</th><th>end</th><th>again, as a result "
      "file</th></tr>\n";
  for (const RunPath& path : page.paths) {
    const RunRow run = page.table.run(path.run);
    text += fmt::format(
        "<tr><td>{0}</td><td>{1}</td><td>{2}</td><td>{3}</td><td>{4}</td><td>{5}</td><td>{6}</td>"
        "<td>{7}</td><td><code>{8} --replay {0}</code></td></tr>\n",
        path.run, escaped(run.rock), shown(run.mass), shown(run.energy), shown(run.velocity),
        shown(run.jump), shown(run.run_out), run.end, escaped(page.command));
  }
  return text + "</table>\n";
}

// Energy and height of the worst runs over the way seen from above.
std::string worst_svg(const std::vector<RunPath>& paths) {
  plot::Panel energy{"horizontal way [m]", "kinetic energy [J]", {}},
      height{"horizontal way [m]", "centre above ground [m]", {}};
  for (const RunPath& path : paths) {
    plot::Curve e{fmt::format("run {}", path.run), {}, path.energy}, h = e;
    h.y = path.height;
    double way = 0.0;
    for (std::size_t i = 0; i < path.x.size(); ++i) {
      if (i > 0) {
        const Vector3 d = path.x[i] - path.x[i - 1];
        way += std::sqrt(d.x() * d.x() + d.y() * d.y());
      }
      e.x.push_back(way), h.x.push_back(way);
    }
    energy.curves.push_back(std::move(e)), height.curves.push_back(std::move(h));
  }
  return paths.empty() ? "" : plot::draw_svg({energy, height}, "");
}

}  // namespace

std::string report_page(const ReportPage& page) {
  const Ensemble& ensemble = page.ensemble;
  std::int64_t unconverged = 0, left = 0, rest = 0;
  for (std::size_t i = 0; i < page.table.n_runs; ++i) {
    const RunRow run = page.table.run(i);
    unconverged += run.status == "unconverged" ? 1 : 0;
    left += run.end == "left" ? 1 : 0, rest += run.end == "rest" ? 1 : 0;
  }
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
      "<style>body{{font:15px sans-serif;max-width:1000px;margin:2em auto;padding:0 1em}}"
      "table{{border-collapse:collapse}}td,th{{border:1px solid #ccc;padding:3px 7px;"
      "text-align:right}}svg text{{font:13px sans-serif}}small{{color:#666}}</style></head><body>\n"
      "<h1>{0}</h1>\n<p>{1} runs, seed {2}: {3} came to rest, {4} left the ground or the map, {5} "
      "were still moving at the end of their time or have no results; {6} have steps that did not "
      "reach the tolerance.",
      escaped(page.title), page.table.n_runs, ensemble.site().seed, rest, left,
      static_cast<std::int64_t>(page.table.n_runs) - rest - left, unconverged);
  if (ensemble.site().until) {
    const site::Until& until = *ensemble.site().until;
    double width = 0.0;
    const bool known = is_known(page.table, ensemble.site(), width);
    text += fmt::format(
        " The {:g} % quantile of {} at {} is {} to {:.3g} of its value (asked for: {:g}).",
        100.0 * until.share, site::quantity_names[static_cast<std::size_t>(until.quantity)],
        escaped(ensemble.site().barriers[static_cast<std::size_t>(until.barrier)].name),
        known ? "known" : "known only", width, until.tolerance);
  }
  text += "</p>\n" + warning_list(page.table) + "<h2>Where rocks come by</h2>\n" + map_svg(page);
  text += fmt::format(
      "<p>Colour: probability that a run passes the cell, yellow 1/1000 to dark red 1; dots: where "
      "runs came to rest; blue: the {} runs with the largest energy. Cells of {:g} m. The layers "
      "are in the folder maps.</p>\n",
      page.paths.size(), ensemble.map().cell);
  if (!page.barriers.quantities.empty()) {
    text += "<h2>At the lines</h2>\n" + barrier_rows(page.barriers, ensemble.site().confidence);
    text += curves_of(page.barriers, "energy") + curves_of(page.barriers, "top");
  }
  text += "<h2>Run-out</h2>\n" + run_out_svg(page.table);
  text += "<h2>Worst runs</h2>\n" + worst_rows(page) + worst_svg(page.paths);
  return text + fmt::format("<p><small>{}; runs hash {}</small></p></body></html>\n",
                            escaped(program_name()), page.table.store.hash(page.table.n_runs));
}

}  // namespace scree::ensemble
