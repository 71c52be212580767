#include "tools/study/flow_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/check.hpp"
#include "engine/base/input_file.hpp"
#include "tools/plot/figure.hpp"
#include "tools/study/study_page.hpp"

namespace scree::study {
namespace {

// Flows whose friction counts: on a slope those that are steady.
bool counts(FlowKind kind, const FlowRow& row) {
  return is_done(row) && (kind == FlowKind::shear || row.at("flow") == "steady");
}

std::vector<double> column(FlowKind kind, const std::vector<FlowRow>& rows, const char* key) {
  std::vector<double> values;
  for (const FlowRow& row : rows) {
    if (counts(kind, row)) values.push_back(number(row, key));
  }
  return values;
}

const char* friction_key(FlowKind kind) { return kind == FlowKind::shear ? "mu_bulk" : "mu"; }

plot::Curve dots(const std::string& label, const std::vector<double>& x,
                 const std::vector<double>& y, std::vector<double> deviation = {}) {
  if (deviation.empty()) deviation.assign(x.size(), 0.0);
  return {label, x, y, std::move(deviation)};
}

plot::Curve law_curve(const std::string& label, const FrictionLaw& law, double high) {
  constexpr int points = 200;
  plot::Curve curve{label, {}, {}, {}};
  for (int i = 0; i <= points; ++i) {
    const double I = high * i / points;
    curve.x.push_back(I), curve.y.push_back(law(I));
  }
  return curve;
}

std::string law_text(const FrictionLaw& law) {
  return fmt::format("mu_s = {:.3f}, mu_2 = {:.3f}, I_0 = {:.3f}", law.mu_s, law.mu_2, law.I_0);
}

plot::Panel friction_panel(const FlowResults& results, const FlowFits& fits) {
  const std::vector<double> I = column(results.kind, results.rows, "inertial");
  plot::Panel panel{"inertial number I", "friction mu", {}};
  panel.curves.push_back(dots(results.kind == FlowKind::shear ? "shear" : "slopes", I,
                              column(results.kind, results.rows, friction_key(results.kind)),
                              results.kind == FlowKind::shear
                                  ? column(results.kind, results.rows, "mu_error")
                                  : std::vector<double>{}));
  double high = 0.1;
  for (const double value : I) high = std::max(high, 1.1 * value);
  if (fits.friction)
    panel.curves.push_back(
        law_curve("fit: " + law_text(fits.friction->law), fits.friction->law, high));
  if (results.reference)
    panel.curves.push_back(
        law_curve("plane shear: " + law_text(*results.reference), *results.reference, high));
  for (const PublishedLaw& published : published_laws)
    panel.curves.push_back(law_curve(published.name, published.law, high));
  return panel;
}

plot::Panel packing_panel(const FlowResults& results, const FlowFits& fits) {
  const std::vector<double> I = column(results.kind, results.rows, "inertial");
  plot::Panel panel{"inertial number I", "packing fraction", {}};
  panel.curves.push_back(dots("measured", I, column(results.kind, results.rows, "packing")));
  if (fits.packing && !I.empty()) {
    const double high = 1.1 * *std::max_element(I.begin(), I.end());
    panel.curves.push_back(
        {fmt::format("fit: {:.3f} - {:.3f} I", fits.packing->intercept, -fits.packing->slope),
         {0.0, high},
         {fits.packing->intercept, fits.packing->intercept + high * fits.packing->slope},
         {}});
  }
  return panel;
}

// Velocities over the height; of shear as a share of the plate's, of a slope with Bagnold's.
plot::Panel velocity_panel(const FlowResults& results) {
  const bool shear = results.kind == FlowKind::shear;
  plot::Panel panel{"height [d]", shear ? "velocity / largest" : "velocity [sqrt(g d)]", {}};
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    const FlowRow& row = results.rows[i];
    if (!is_done(row)) continue;
    const FlowProfile& profile = results.profiles[i];
    const double largest = *std::max_element(profile.velocity.begin(), profile.velocity.end());
    plot::Curve curve{shear ? fmt::format("I = {:.3g}", number(row, "inertial"))
                            : fmt::format("{:g} degrees", number(row, "slope_deg")),
                      {},
                      {},
                      {}};
    for (std::size_t c = 0; c < profile.height.size(); ++c) {
      if (profile.packing[c] < 0.05) continue;
      curve.x.push_back(profile.height[c]);
      curve.y.push_back(profile.velocity[c] / (shear && largest > 0.0 ? largest : 1.0));
    }
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

// Stresses over the height: of shear both, even; on a slope both over what the weight above makes.
plot::Panel stress_panel(const FlowResults& results) {
  const bool shear = results.kind == FlowKind::shear;
  plot::Panel panel{"height [d]",
                    shear ? "stress [P], normal and shear" : "stress / that of the weight above",
                    {}};
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    const FlowRow& row = results.rows[i];
    if (!is_done(row)) continue;
    const FlowProfile& profile = results.profiles[i];
    const std::string label = shear ? fmt::format("I = {:.3g}", number(row, "inertial"))
                                    : fmt::format("{:g} degrees", number(row, "slope_deg"));
    plot::Curve normal{label + ", normal", {}, {}, {}}, along{label + ", shear", {}, {}, {}};
    const double high = shear ? 1e9 : 0.9 * number(row, "height_over_d");
    for (std::size_t c = 0; c < profile.height.size(); ++c) {
      if (profile.packing[c] < 0.05 || profile.height[c] > high) continue;
      const double scale = shear ? 1.0 : profile.weight_above[c];
      const double slope = shear ? 1.0 : number(row, "mu");
      normal.x.push_back(profile.height[c]), along.x.push_back(profile.height[c]);
      normal.y.push_back(profile.normal_stress[c] / scale);
      along.y.push_back(std::abs(profile.shear_stress[c]) / (scale * slope));
    }
    panel.curves.push_back(std::move(normal)), panel.curves.push_back(std::move(along));
  }
  return panel;
}

// The rows that checks look at.
std::vector<FlowRow> rows_that_count(const FlowResults& results) {
  std::vector<FlowRow> rows;
  for (const FlowRow& row : results.rows) {
    if (counts(results.kind, row)) rows.push_back(row);
  }
  return rows;
}

// What is expected of balls with a friction of 0.5 among each other (published_laws).
std::vector<Check> checks_of(const FlowResults& results, const FlowFits& fits) {
  const std::vector<FlowRow> rows = rows_that_count(results);
  std::vector<Check> checks;
  if (results.kind == FlowKind::shear) {
    if (fits.friction) {
      const FrictionLaw& law = fits.friction->law;
      checks.push_back(check_band("mu_s", law.mu_s, 0.36, 0.39));
      checks.push_back(check_band("mu_2", law.mu_2, 0.60, 0.75));
      checks.push_back(check_band("I_0", law.I_0, 0.2, 0.4));
    }
    if (fits.mean_pressure)
      checks.push_back(check_band(
          "mu_s of the shear stress over the mean pressure, 0.382 in homogeneous shear at a "
          "friction of 0.5 (Chialvo, Sun, Sundaresan 2012, Phys. Rev. E 85, 021305)",
          fits.mean_pressure->law.mu_s, 0.36, 0.40));
    add_worst(checks, rows, "shear in the middle against that of the plates",
              {"shear_bulk_over_wall"}, 0.01);
    add_worst(checks, rows, "pressure in the middle against that of the plates",
              {"pressure_bulk_over_wall"}, 0.01);
    add_worst(checks, rows, "forces of both plates on the grains, along x and z",
              {"momentum_balance_x", "momentum_balance_z"}, 0.01);
    add_worst(checks, rows, "work of the plates against that of the contacts", {"work_gap"}, 0.001);
  } else {
    add_worst(checks, rows, "normal stress against the weight above, mean of the middle",
              {"normal_stress_mean_error"}, 0.02);
    add_worst(checks, rows, "the same, against that and what its momentum gains",
              {"normal_balance_error"}, 0.01);
    add_worst(checks, rows, "shear stress against tan slope times it, mean of the middle",
              {"shear_stress_mean_error"}, 0.02);
    double least = 1.0;
    for (const double r : column(results.kind, results.rows, "bagnold_r_squared"))
      least = std::min(least, r);
    checks.push_back({"Bagnold's profile in the middle, R2", fmt::format("{:.4f}", least),
                      "more than 0.99", least > 0.99});
    if (results.reference) {
      double worst = 0.0;
      for (const FlowRow& row : rows) {
        const double expected = (*results.reference)(number(row, "inertial"));
        worst = std::max(worst, std::abs(number(row, "mu") / expected - 1.0));
      }
      checks.push_back({"friction against the fit of plane shear", fmt::format("{:.3f}", worst),
                        "at most 0.05", worst <= 0.05});
    }
  }
  add_worst(checks, rows, "energy that the ledger does not name", {"work_left"}, 1e-9);
  return checks;
}

const char* title_of(FlowKind kind) {
  return kind == FlowKind::shear ? "Plane shear at imposed pressure" : "Flow down a rough slope";
}

}  // namespace

FlowFits fit_flows(FlowKind kind, const std::vector<FlowRow>& rows) {
  const std::vector<double> I = column(kind, rows, "inertial");
  std::vector<double> distinct = I;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  FlowFits fits;
  if (distinct.size() >= 3) fits.friction = fit_friction(I, column(kind, rows, friction_key(kind)));
  if (distinct.size() >= 3 && kind == FlowKind::shear)
    fits.mean_pressure = fit_friction(I, column(kind, rows, "mu_mean_pressure"));
  if (distinct.size() >= 2) fits.packing = fit_line(I, column(kind, rows, "packing"));
  return fits;
}

std::string fits_json(const FlowFits& fits) {
  FlowRow fitted = FlowRow::object();
  if (fits.friction) {
    const FrictionLaw& law = fits.friction->law;
    fitted["mu_s"] = law.mu_s, fitted["mu_2"] = law.mu_2, fitted["I_0"] = law.I_0;
    fitted["mu_rms"] = fits.friction->rms;
  }
  if (fits.packing)
    fitted["packing_m"] = fits.packing->intercept, fitted["packing_b"] = -fits.packing->slope;
  return fitted.dump(1) + "\n";
}

FrictionLaw read_friction(const std::string& file) {
  const FlowRow fitted = FlowRow::parse(read_input_file(file), nullptr, false);
  FrictionLaw law;
  for (const auto& [key, value] :
       {std::pair("mu_s", &law.mu_s), std::pair("mu_2", &law.mu_2), std::pair("I_0", &law.I_0)}) {
    require(
        fitted.is_object() && fitted.contains(key) && fitted[key].is_number(), file,
        std::string("has no ") + key + ": a study of shear fits it from three inertial numbers on");
    *value = fitted[key].get<double>();
  }
  return law;
}

std::string flow_figures(const FlowResults& results) {
  const FlowFits fits = fit_flows(results.kind, results.rows);
  return plot::draw_svg({friction_panel(results, fits), packing_panel(results, fits),
                         velocity_panel(results), stress_panel(results)},
                        title_of(results.kind));
}

std::string flow_text(const FlowResults& results) {
  const FlowFits fits = fit_flows(results.kind, results.rows);
  std::string text;
  for (const FlowRow& row : results.rows) {
    if (!is_done(row)) continue;
    text += fmt::format("{:24} I = {:<8.4g} mu = {:<7.4f} packing {:.4f}",
                        row.at("member").get<std::string>(), number(row, "inertial"),
                        number(row, friction_key(results.kind)), number(row, "packing"));
    if (results.kind == FlowKind::chute)
      text += fmt::format("  {}, Bagnold R2 {:.4f}", row.at("flow").get<std::string>(),
                          number(row, "bagnold_r_squared"));
    text += "\n";
  }
  if (fits.friction)
    text += fmt::format("fit                      {}, rms {:.4f}\n", law_text(fits.friction->law),
                        fits.friction->rms);
  if (fits.packing)
    text += fmt::format("fit                      packing = {:.4f} - {:.4f} I\n",
                        fits.packing->intercept, -fits.packing->slope);
  return text + checks_text(checks_of(results, fits));
}

std::string flow_page(const FlowResults& results, const std::string& command) {
  const FlowFits fits = fit_flows(results.kind, results.rows);
  std::string text;
  if (fits.friction)
    text += fmt::format("<p>mu = mu_s + (mu_2 - mu_s) / (1 + I_0 / I): {}, rms {:.4f}.</p>\n",
                        law_text(fits.friction->law), fits.friction->rms);
  text += checks_table(checks_of(results, fits)) + flow_figures(results) + rows_table(results.rows);
  return study_page(title_of(results.kind), results.rows, command, text);
}

}  // namespace scree::study
