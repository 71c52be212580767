#include "tools/study/flow_measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tools/study/flow_fit.hpp"
#include "tools/study/run_series.hpp"

namespace scree::study {
namespace {

using json = nlohmann::ordered_json;

// Where the flow is measured.
Window window_of(const FlowSetup& setup, const ResultReader& results) {
  const auto last = static_cast<std::size_t>(results.n_steps());
  const double share = setup.settle / (setup.settle + setup.measure);
  return {static_cast<std::size_t>(share * static_cast<double>(last)), last};
}

// Means of the cells of a gauge: densities and stresses of the steps, velocities of the mass.
struct CellMeans {
  double density = 0.0, packing = 0.0, temperature = 0.0;
  Vector3 momentum = Vector3::Zero();  // [kg/(m2 s)]
  measure::StressTensor contact = {}, kinetic = {};

  double velocity() const { return density > 0.0 ? momentum.x() / density : 0.0; }
  double stress(std::size_t k) const { return contact[k] + kinetic[k]; }
};

std::vector<CellMeans> cell_means(const std::vector<measure::GaugeRow>& rows, std::size_t cells,
                                  const Window& window) {
  std::vector<CellMeans> means(cells);
  const double share = 1.0 / window.count();
  for (std::size_t step = window.first; step < window.last; ++step) {
    for (std::size_t c = 0; c < cells; ++c) {
      const measure::GaugeRow& row = rows[step * cells + c];
      CellMeans& mean = means[c];
      mean.density += share * row.density, mean.packing += share * row.solid_fraction;
      mean.momentum += share * row.density * row.velocity;
      mean.temperature += share * row.density * row.temperature;
      for (std::size_t k = 0; k < mean.contact.size(); ++k)
        mean.contact[k] += share * row.stress[k], mean.kinetic[k] += share * row.kinetic_stress[k];
    }
  }
  for (CellMeans& mean : means) mean.temperature /= mean.density > 0.0 ? mean.density : 1.0;
  return means;
}

// Mean force on the plate `name` from the grains, over the steps of a window [N].
Vector3 force_on(const ResultReader& results, const std::string& name, const Window& window) {
  return mean_of(group_forces(results, name, "grains"), window);
}

// Share of grains between two heights, from the frames of the window, by their volumes and not by
// their centres: layers at a plate do not count.
double packing_between(const FlowSetup& setup, const ResultReader& results, const Window& window,
                       double low, double high) {
  const ResultBodies bodies = results.bodies();
  const std::vector<double> volume = results.volumes();
  double sum = 0.0;
  int frames = 0;
  for (std::int64_t f = 0; f < results.n_frames(); ++f) {
    const ResultFrame frame = results.frame(f);
    if (frame.step < static_cast<std::int64_t>(window.first)) continue;
    ++frames;
    for (std::size_t i = 0; i < bodies.name.size(); ++i) {
      if (!bodies.name[i].starts_with("grain-")) continue;
      // Of what is no ball, as if it were the one of its volume.
      const double radius = std::cbrt(0.75 / std::numbers::pi * volume[i]);
      const double z = frame.position[i].z();
      sum += cap_volume(radius, high - z) - cap_volume(radius, low - z);
    }
  }
  return frames > 0 ? sum / (frames * (high - low) * setup.area()) : 0.0;
}

json head_of(const FlowSetup& setup, const FlowMember& member, const ResultReader& results) {
  json row = {{"member", member.name(setup.kind)},
              {setup.kind == FlowKind::shear ? "inertial_asked" : "slope_deg", member.value},
              {"seed", member.seed},
              {"friction", member.friction},
              {"restitution", member.restitution},
              {"status", "done"},
              {"shape", setup.shape},
              {"grains", setup.grains},
              {"length_over_d", setup.length() / setup.d},
              {"width_over_d", setup.width() / setup.d},
              {"law", setup.law},
              {"theta", setup.theta},
              {"tolerance", setup.tolerance},
              {"step_over_time_unit", setup.dt(member) / setup.time_unit()}};
  row.update(solver_row(results, setup.d));
  return row;
}

FlowProfile profile_of(const FlowSetup& setup, const ResultGauge& gauge,
                       const std::vector<CellMeans>& means) {
  const bool shear = setup.kind == FlowKind::shear;
  const double stress = shear ? setup.P : setup.density * setup.g * setup.d;
  const double speed = shear ? std::sqrt(setup.P / setup.density) : std::sqrt(setup.g * setup.d);
  const measure::CellGrid grid{gauge.low, gauge.high, gauge.cells};
  FlowProfile profile;
  for (std::size_t c = 0; c < means.size(); ++c) {
    profile.height.push_back(grid.middle(c).z() / setup.d);
    profile.velocity.push_back(means[c].velocity() / speed);
    profile.packing.push_back(means[c].packing);
    profile.normal_stress.push_back(-means[c].stress(2) / stress);
    profile.shear_stress.push_back(means[c].stress(5) / stress);
    profile.temperature.push_back(means[c].temperature / (speed * speed));
  }
  return profile;
}

// The points of a profile between two heights [d].
std::vector<std::size_t> between(const FlowProfile& profile, double low, double high) {
  std::vector<std::size_t> found;
  for (std::size_t c = 0; c < profile.height.size(); ++c) {
    if (profile.height[c] >= low && profile.height[c] <= high && profile.packing[c] > 0.0)
      found.push_back(c);
  }
  return found;
}

std::vector<double> picked(const std::vector<double>& values, const std::vector<std::size_t>& at) {
  std::vector<double> result;
  for (const std::size_t c : at) result.push_back(values[c]);
  return result;
}

// Standard error of the mean of a series from the means of ten parts of it.
double standard_error(const std::vector<double>& values) {
  constexpr std::size_t parts = 10;
  const std::size_t size = values.size() / parts;
  if (size == 0) return 0.0;
  double sum = 0.0, square = 0.0;
  for (std::size_t i = 0; i < parts; ++i) {
    const double mean = sum_of(values, i * size, (i + 1) * size) / static_cast<double>(size);
    sum += mean, square += mean * mean;
  }
  const double mean = sum / parts;
  return std::sqrt(std::max(0.0, square / parts - mean * mean) / (parts - 1));
}

// Where the mass of each cell is within it along z, 0 at its bottom, 1 at its top: mean over the
// frames of the window.
std::vector<double> places_in_cells(const ResultReader& results, const ResultGauge& gauge,
                                    const Window& window) {
  const std::size_t cells = gauge.n_cells();
  const double layer = (gauge.high.z() - gauge.low.z()) / static_cast<double>(cells);
  const ResultBodies bodies = results.bodies();
  std::vector<double> mass(cells, 0.0), moment(cells, 0.0);
  for (std::int64_t f = 0; f < results.n_frames(); ++f) {
    const ResultFrame frame = results.frame(f);
    if (frame.step < static_cast<std::int64_t>(window.first)) continue;
    for (std::size_t i = 0; i < bodies.name.size(); ++i) {
      const double z = (frame.position[i].z() - gauge.low.z()) / layer;
      if (gauge.counted[i] == 0 || z < 0.0 || z >= static_cast<double>(cells)) continue;
      const auto c = static_cast<std::size_t>(z);
      mass[c] += bodies.mass[i], moment[c] += bodies.mass[i] * (z - static_cast<double>(c));
    }
  }
  std::vector<double> place(cells, 0.5);
  for (std::size_t c = 0; c < cells; ++c) {
    if (mass[c] > 0.0) place[c] = moment[c] / mass[c];
  }
  return place;
}

}  // namespace

double cap_volume(double radius, double h) {
  const double at = std::clamp(h, -radius, radius);
  return std::numbers::pi *
         (radius * radius * (at + radius) - (at * at * at + radius * radius * radius) / 3.0);
}

FlowMeasures shear_measures(const FlowSetup& setup, const FlowMember& member,
                            const ResultReader& results) {
  const Window window = window_of(setup, results);
  const std::size_t bulk_gauge = gauge_number(results, "bulk"),
                    profile_gauge = gauge_number(results, "profile");
  const ResultGauge gauge = results.gauges()[profile_gauge], box = results.gauges()[bulk_gauge];
  const std::vector<measure::GaugeRow> bulk_rows = results.gauge_rows(bulk_gauge);
  const CellMeans bulk = cell_means(bulk_rows, 1, window).front();
  FlowMeasures found;
  found.profile = profile_of(
      setup, gauge, cell_means(results.gauge_rows(profile_gauge), gauge.n_cells(), window));

  const double d = setup.d;
  const std::vector<std::size_t> middle = between(found.profile, box.low.z() / d, box.high.z() / d);
  const StraightLine line =
      fit_line(picked(found.profile.height, middle), picked(found.profile.velocity, middle));
  // Heights in d and velocities in sqrt(P / rho): the slope is the inertial number.
  const Vector3 lower = force_on(results, "lower", window),
                upper = force_on(results, "upper", window);
  const double tau = 0.5 * (std::abs(lower.x()) + std::abs(upper.x())) / setup.area(),
               P = 0.5 * (std::abs(lower.z()) + std::abs(upper.z())) / setup.area();
  const double mu_wall = tau / P, mu_bulk = std::abs(bulk.stress(5) / bulk.stress(2));
  std::vector<double> mu;
  for (std::size_t k = window.first; k < window.last; ++k)
    mu.push_back(std::abs(bulk_rows[k].stress[5]) / setup.P);
  const Works works = works_of(results, window);
  const double strain =
      std::abs(line.slope) * window.count() * setup.dt(member) / setup.time_unit();

  json& row = found.row;
  row = head_of(setup, member, results);
  row["strain"] = strain;
  row["inertial"] = std::abs(line.slope) / std::sqrt(P / setup.P);
  row["profile_r_squared"] = line.r_squared;
  row["mu_wall"] = mu_wall;
  row["mu_bulk"] = mu_bulk;
  // What simulations of homogeneous shear divide by: the third of the trace.
  row["mu_mean_pressure"] =
      std::abs(3.0 * bulk.stress(5) / (bulk.stress(0) + bulk.stress(1) + bulk.stress(2)));
  row["mu_error"] = standard_error(mu);
  row["packing"] = packing_between(setup, results, window, box.low.z(), box.high.z());
  row["pressure_over_P"] = P / setup.P;
  row["kinetic_share"] = bulk.kinetic[2] / bulk.stress(2);
  row["normal_difference"] = bulk.stress(0) / bulk.stress(2) - 1.0;
  row["normal_difference_across"] = bulk.stress(1) / bulk.stress(2) - 1.0;
  row["shear_bulk_over_wall"] = std::abs(bulk.stress(5)) / tau - 1.0;
  row["pressure_bulk_over_wall"] = -bulk.stress(2) / P - 1.0;
  row["momentum_balance_x"] = (lower.x() + upper.x()) / (tau * setup.area());
  row["momentum_balance_z"] = (lower.z() + upper.z()) / (P * setup.area());
  row["work_of_walls"] = works.in;
  row["work_of_contacts"] = works.contacts;
  row["work_gap"] = (works.in + works.contacts) / works.in;
  row["work_left"] = works.left() / works.in;
  row.update(end_row(results));
  return found;
}

FlowMeasures chute_measures(const FlowSetup& setup, const FlowMember& member,
                            const ResultReader& results) {
  const Window window = window_of(setup, results);
  const std::size_t number = gauge_number(results, "profile");
  const ResultGauge gauge = results.gauges()[number];
  const std::vector<measure::GaugeRow> rows = results.gauge_rows(number);
  const std::size_t cells = gauge.n_cells();
  const std::vector<CellMeans> means = cell_means(rows, cells, window);
  FlowMeasures found;
  FlowProfile& profile = found.profile;
  profile = profile_of(setup, gauge, means);

  const double slope = member.value * std::numbers::pi / 180.0, d = setup.d;
  const double layer = (gauge.high.z() - gauge.low.z()) / static_cast<double>(cells);
  // Weight of what is above, in rho g d, and what the momentum of that gains besides, as means over
  // each layer: bodies count where they are in it, as near the base they lie in layers of their
  // own.
  const std::vector<double> place = places_in_cells(results, gauge, window);
  const auto momentum_of = [&](std::size_t step, std::size_t c) {
    const measure::GaugeRow& at = rows[step * cells + c];
    return at.density * at.velocity.z() * layer;  // [kg/(m s)]
  };
  const double time_of_window = (window.count() - 1.0) * setup.dt(member);
  const double unit = setup.density * setup.g * d;  // [Pa]
  double above = 0.0, gained = 0.0;
  profile.weight_above.assign(cells, 0.0);
  std::vector<double> demand(cells, 0.0);
  for (std::size_t c = cells; c-- > 0;) {
    const double own = means[c].density / setup.density * layer / d * std::cos(slope);
    const double gain =
        (momentum_of(window.last - 1, c) - momentum_of(window.first, c)) / time_of_window / unit;
    profile.weight_above[c] = above + place[c] * own;
    demand[c] = profile.weight_above[c] + gained + place[c] * gain;
    above += own, gained += gain;
  }
  // The surface, from all of the mass and the packing of the middle.
  double H = setup.height() / d;
  double packing = 0.0;
  for (int i = 0; i < 3; ++i) {
    packing = packing_between(setup, results, window, 0.25 * H * d, 0.65 * H * d);
    if (packing > 0.0) H = above / std::cos(slope) / packing;
  }
  const std::vector<std::size_t> middle = between(profile, 0.2 * H, 0.8 * H);
  std::vector<double> depth, speed;
  double normal = 0.0, balance = 0.0, shear = 0.0, worst_normal = 0.0, worst_shear = 0.0,
         flux = 0.0;
  for (const std::size_t c : middle) {
    depth.push_back(std::pow(H, 1.5) - std::pow(H - profile.height[c], 1.5));
    speed.push_back(profile.velocity[c]);
    const double wanted = profile.weight_above[c];
    const double off_normal = profile.normal_stress[c] / wanted - 1.0,
                 off_shear = profile.shear_stress[c] / (wanted * std::tan(slope)) - 1.0;
    normal += off_normal / static_cast<double>(middle.size());
    balance += (profile.normal_stress[c] / demand[c] - 1.0) / static_cast<double>(middle.size());
    shear += off_shear / static_cast<double>(middle.size());
    worst_normal = std::max(worst_normal, std::abs(off_normal));
    worst_shear = std::max(worst_shear, std::abs(off_shear));
  }
  for (std::size_t c = 0; c < cells; ++c)
    flux += profile.packing[c] * profile.velocity[c] * layer / d;
  const bool fits = middle.size() >= 3;
  const StraightLine line = fits ? fit_line(depth, speed) : StraightLine{};
  // Acceleration between the halves of the window, of the mean velocity of all grains.
  const auto mean_speed = [&](std::size_t first, std::size_t last) {
    double mass = 0.0, momentum = 0.0;
    for (std::size_t k = first * cells; k < last * cells; ++k)
      mass += rows[k].density, momentum += rows[k].density * rows[k].velocity.x();
    return momentum / mass;
  };
  const std::size_t half = (window.first + window.last) / 2;
  const double early = mean_speed(window.first, half), late = mean_speed(half, window.last);
  const double time = 0.5 * window.count() * setup.dt(member);
  const double acceleration = (late - early) / time / (setup.g * std::sin(slope));
  const double froude = 0.5 * (early + late) / std::sqrt(setup.g * std::cos(slope) * H * d);
  constexpr double still = 1e-3, steady = 0.02;
  const char* state = late < still * std::sqrt(setup.g * d) ? "stopped"
                      : acceleration > steady               ? "speeding up"
                      : acceleration < -steady              ? "slowing down"
                                                            : "steady";
  json& row = found.row;
  row = head_of(setup, member, results);
  row["flow"] = state;
  row["acceleration_over_g_sin"] = acceleration;
  row["height_over_d"] = H;
  row["packing"] = packing;
  row["mean_velocity"] = 0.5 * (early + late) / std::sqrt(setup.g * d);
  row["froude"] = froude;
  row["flux"] = flux;
  row["inertial"] = 1.5 * line.slope / std::sqrt(packing * std::cos(slope));
  row["mu"] = std::tan(slope);
  row["bagnold_r_squared"] = line.r_squared;
  row["slip_velocity"] = line.intercept;
  row["normal_stress_mean_error"] = normal;
  row["normal_stress_worst_error"] = worst_normal;
  row["normal_balance_error"] = balance;
  row["shear_stress_mean_error"] = shear;
  row["shear_stress_worst_error"] = worst_shear;
  const Works works = works_of(results, window);
  row["work_of_contacts"] = works.contacts;
  row["work_left"] = works.left() / std::abs(works.contacts);
  row.update(end_row(results));
  return found;
}

std::string profile_csv(const FlowSetup& setup, const FlowProfile& profile) {
  const bool shear = setup.kind == FlowKind::shear;
  const char* speed = shear ? "sqrt(P/rho)" : "sqrt(g d)";
  const char* stress = shear ? "P" : "rho g d";
  std::string text = fmt::format(
      "height [d],velocity [{0}],packing,normal_stress [{1}],shear_stress [{1}],temperature "
      "[{0}^2]{2}\n",
      speed, stress, shear ? "" : ",weight_above [rho g d]");
  for (std::size_t c = 0; c < profile.height.size(); ++c) {
    text += fmt::format("{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}", profile.height[c],
                        profile.velocity[c], profile.packing[c], profile.normal_stress[c],
                        profile.shear_stress[c], profile.temperature[c]);
    text += shear ? "\n" : fmt::format(",{:.6g}\n", profile.weight_above[c]);
  }
  return text;
}

}  // namespace scree::study
