#include "tools/study/press_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tools/plot/figure.hpp"

namespace scree::study {
namespace {

constexpr double radians = std::numbers::pi / 180.0;

// K0 of a soil that has not been loaded more than now: Jaky 1944, J. Soc. Hungarian Arch. Eng. 78.
double jaky(double angle) { return 1.0 - std::sin(angle * radians); }

std::string member_of(const PageRow& row) { return row.at("member").get<std::string>(); }

// Column `y` of all members over column `x`; of x its logarithm to the base of ten where that is
// asked for, and values of 0 left out.
plot::Panel panel_of(const PressResults& results, const std::string& x, const std::string& y,
                     const std::string& x_label, const std::string& y_label, bool log_x,
                     bool dots) {
  plot::Panel panel{x_label, y_label, {}};
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    if (!is_done(results.rows[i])) continue;
    plot::Curve curve{member_of(results.rows[i]), {}, {}};
    const std::vector<double>&x_values = results.curves[i].at(x),
          &y_values = results.curves[i].at(y);
    for (std::size_t k = 0; k < x_values.size(); ++k) {
      if (log_x && !(x_values[k] > 0.0)) continue;
      curve.x.push_back(log_x ? std::log10(x_values[k]) : x_values[k]);
      curve.y.push_back(y_values[k]);
    }
    if (dots) curve.deviation.assign(curve.x.size(), 0.0);
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

// A line across a panel at a height.
void add_level(plot::Panel& panel, const std::string& label, double level) {
  double low = 1e300, high = -1e300;
  for (const plot::Curve& curve : panel.curves) {
    for (const double x : curve.x) low = std::min(low, x), high = std::max(high, x);
  }
  if (low < high) panel.curves.push_back({label, {low, high}, {level, level}});
}

// The rows that checks look at.
std::vector<PageRow> rows_that_count(const PressResults& results) {
  std::vector<PageRow> rows;
  for (const PageRow& row : results.rows) {
    if (is_done(row)) rows.push_back(row);
  }
  return rows;
}

void check_oedometer(const PressResults& results, const std::vector<PageRow>& rows,
                     std::vector<Check>& checks) {
  for (const PageRow& row : rows) {
    const double K0 = number(row, "K0_mean_of_loading");
    // No bar: Jaky's angle is that of the packing, the larger the denser it has fallen.
    checks.push_back(
        {fmt::format("K0 of {}, against Jaky's 1 - sin phi", member_of(row)),
         fmt::format("{:.3f}, of phi = {:.1f} degrees", K0,
                     std::asin(std::clamp(1.0 - K0, 0.0, 1.0)) / radians),
         fmt::format("{:.3f} at {:g} degrees; told, no bar", jaky(results.angle), results.angle),
         true});
    // Void ratios of random close and loose packings of balls: 0.6366 (Scott, Kilgour 1969, J.
    // Phys. D 2, 863) and 0.555 (Onoda, Liniger 1990, Phys. Rev. Lett. 64, 2727) of the volume. A
    // narrow box is looser at its walls.
    constexpr double wide = 10.0;
    if (results.shape == "sphere" && number(row, "side_over_d") >= wide)
      checks.push_back(
          check_band(fmt::format("void ratio of {}, random close to loose packing", member_of(row)),
                     number(row, "void_ratio_middle"), 0.571, 0.802));
  }
  add_worst(checks, rows,
            "void ratio lost per decade of pressure: rigid grains have no stiffness to show",
            {"compression_index"}, 0.02);
  add_worst(checks, rows, "force on the lid against p A and its weight", {"lid_error"}, 0.01);
  add_worst(checks, rows, "force on the floor against that and the weight of the grains",
            {"floor_error"}, 0.01);
  add_worst(checks, rows, "forces on opposite sides", {"side_difference"}, 0.01);
}

void check_biaxial(const std::vector<PageRow>& rows, const std::string& shape,
                   std::vector<Check>& checks) {
  double low = 1.0, high = 0.0;
  int count = 0;
  for (const PageRow& row : rows) {
    const double critical = number(row, "sin_phi_critical");
    low = std::min(low, critical), high = std::max(high, critical), ++count;
    const bool dense = number(row, "packing_friction") < number(row, "friction");
    // Discs with a friction of 0.4 in plane shear: 0.25 (da Cruz, Emam, Prochnow, Roux, Chevoir
    // 2005, Phys. Rev. E 72, 021309).
    if (shape == "disc" && number(row, "friction") >= 0.3)
      checks.push_back(check_band(
          fmt::format("sin phi at the end of {}, 0.25 in plane shear of discs (da Cruz et al. "
                      "2005)",
                      member_of(row)),
          critical, 0.20, 0.33));
    if (!dense) continue;
    const double peak = number(row, "phi_peak_deg"), end = number(row, "phi_critical_deg");
    checks.push_back({fmt::format("peak of the dense {} above its end [degrees]", member_of(row)),
                      fmt::format("{:.1f} and {:.1f}", peak, end), "above", peak > end});
    // Bolton 1986, Geotechnique 36, 65: plane strain.
    const double dilation = 0.8 * number(row, "psi_at_peak_deg");
    checks.push_back({fmt::format("peak less end of {} [degrees], against 0.8 psi (Bolton 1986)",
                                  member_of(row)),
                      fmt::format("{:.1f}, {:.1f}", peak - end, dilation), "within 4",
                      std::abs(peak - end - dilation) <= 4.0});
  }
  if (count > 1)
    checks.push_back({"sin phi at the end, of all members: one critical state per friction",
                      fmt::format("{:.3f} to {:.3f}", low, high), "told, no bar", true});
  add_worst(checks, rows, "pressure on the side against p", {"side_pressure_error"}, 0.01);
  add_worst(checks, rows, "forces on opposite platens", {"force_balance_x", "force_balance_z"},
            0.01);
}

std::vector<Check> checks_of(const PressResults& results) {
  const std::vector<PageRow> rows = rows_that_count(results);
  std::vector<Check> checks;
  if (results.kind == PressKind::oedometer)
    check_oedometer(results, rows, checks);
  else
    check_biaxial(rows, results.shape, checks);
  add_worst(checks, rows, "overlap of grains over their size", {"penetration_max_over_d"}, 0.01);
  add_worst(checks, rows, "energy that the ledger does not name", {"work_left"}, 1e-9);
  return checks;
}

const char* title_of(PressKind kind) {
  return kind == PressKind::oedometer ? "Oedometer: grains under a lid"
                                      : "Biaxial compression in a plane";
}

}  // namespace

std::string press_figures(const PressResults& results) {
  if (results.kind == PressKind::oedometer) {
    const char* log_p = "log10 of the pressure [Pa]";
    plot::Panel k0 = panel_of(results, "pressure [Pa]", "K0", log_p, "K0", true, true);
    add_level(k0, fmt::format("Jaky: 1 - sin {:g} deg", results.angle), jaky(results.angle));
    return plot::draw_svg(
        {panel_of(results, "pressure [Pa]", "void ratio", log_p, "void ratio of the box", true,
                  false),
         panel_of(results, "pressure [Pa]", "settlement", log_p,
                  "settlement / height under own weight", true, false),
         k0,
         panel_of(results, "sigma_zz lid [Pa]", "sigma_h sides [Pa]", "stress under the lid [Pa]",
                  "stress on the sides [Pa]", false, true)},
        title_of(results.kind));
  }
  plot::Panel strength = panel_of(results, "axial strain", "sin phi mean of 1 %", "axial strain",
                                  "(s1 - s3) / (s1 + s3), mean of 1 %", false, false);
  add_level(strength, "da Cruz et al. 2005, mu = 0.4", 0.25);
  return plot::draw_svg({strength,
                         panel_of(results, "axial strain", "sigma_1 [p]", "axial strain",
                                  "axial stress [p]", false, false),
                         panel_of(results, "axial strain", "volumetric strain", "axial strain",
                                  "volumetric strain, compaction positive", false, false),
                         panel_of(results, "axial strain", "packing", "axial strain",
                                  "area that is grain", false, false)},
                        title_of(results.kind));
}

std::string press_text(const PressResults& results) {
  std::string text;
  for (const PageRow& row : results.rows) {
    if (!is_done(row)) continue;
    text += fmt::format("{:24} ", member_of(row));
    if (results.kind == PressKind::oedometer)
      text +=
          fmt::format("K0 {:.3f} (middle {:.3f})  void ratio {:.3f} -> {:.3f}  settlement {:.4f}\n",
                      number(row, "K0"), number(row, "K0_middle"), number(row, "void_ratio_first"),
                      number(row, "void_ratio"), number(row, "settlement"));
    else
      text += fmt::format(
          "phi peak {:.1f}, end {:.1f} degrees  packing {:.3f} -> {:.3f}  psi {:.1f} degrees\n",
          number(row, "phi_peak_deg"), number(row, "phi_critical_deg"),
          number(row, "packing_first"), number(row, "packing_last"),
          number(row, "psi_at_peak_deg"));
  }
  return text + checks_text(checks_of(results));
}

std::string press_page(const PressResults& results, const std::string& command) {
  return study_page(
      title_of(results.kind), results.rows, command,
      checks_table(checks_of(results)) + press_figures(results) + rows_table(results.rows));
}

}  // namespace scree::study
