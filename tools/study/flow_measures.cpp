#include "tools/study/flow_measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "contact/laws/laws.hpp"
#include "engine/base/check.hpp"
#include "engine/warning_words.hpp"
#include "tools/study/flow_fit.hpp"

namespace scree::study {
namespace {

using json = nlohmann::ordered_json;

// Where the flow is measured: steps [first, last) of the run.
struct Window {
  std::size_t first = 0, last = 0;

  double count() const { return static_cast<double>(last - first); }
};

Window window_of(const FlowSetup& setup, const FlowMember& member, const ResultReader& results) {
  const auto last = static_cast<std::size_t>(results.n_steps());
  const double settling = setup.settling(member), share = settling / (settling + setup.measure);
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

std::size_t gauge_number(const ResultReader& results, const std::string& name) {
  const std::vector<ResultGauge> gauges = results.gauges();
  for (std::size_t i = 0; i < gauges.size(); ++i) {
    if (gauges[i].name == name) return i;
  }
  throw InputError("has no gauge '" + name + "'");
}

// Mean force on the plate `name` from the grains, over the steps of a window [N].
Vector3 force_on(const ResultReader& results, const std::string& name, const Window& window) {
  const ResultGroups groups = results.groups();
  const auto group = [&](const std::string& wanted) {
    const auto found = std::find(groups.name.begin(), groups.name.end(), wanted);
    require(found != groups.name.end(), "groups", "has no group '" + wanted + "'");
    return static_cast<std::int32_t>(found - groups.name.begin());
  };
  const std::int32_t plate = group(name), grains = group("grains");
  for (std::size_t p = 0; p < groups.pair_a.size(); ++p) {
    const bool on_b = groups.pair_a[p] == grains && groups.pair_b[p] == plate;
    if (!on_b && !(groups.pair_a[p] == plate && groups.pair_b[p] == grains)) continue;
    const std::vector<Vector3> impulses = results.group_impulses(p);
    Vector3 sum = Vector3::Zero();
    for (std::size_t k = window.first; k < window.last; ++k) sum += impulses[k];
    return (on_b ? 1.0 : -1.0) / (window.count() * results.dt()) * sum;
  }
  return Vector3::Zero();
}

double sum_of(const std::vector<double>& values, std::size_t first, std::size_t last) {
  return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(first),
                         values.begin() + static_cast<std::ptrdiff_t>(last), 0.0);
}

// Works over the window [J]: put in by plates and loads, taken by contacts (with what the scheme
// takes where theta > 1/2), and the gain of kinetic and potential energy.
struct Works {
  double in = 0.0, contacts = 0.0, other = 0.0, gain = 0.0;
};

Works works_of(const ResultReader& results, const Window& window) {
  // The ledger has a row for the start.
  const auto done = [&](const std::string& name) {
    return sum_of(results.ledger(name), window.first + 1, window.last + 1);
  };
  Works works;
  works.in = done("driven_work") + done("external_work");
  works.contacts =
      done("contact_normal_work") + done("contact_tangential_work") + done("numerical_dissipation");
  for (const contact::LawEnergy& energy : contact::Laws::energies)
    works.contacts += done(energy.name);
  works.other = done("projection_work");
  for (const char* name : {"kinetic", "potential"}) {
    const std::vector<double> energy = results.ledger(name);
    works.gain += energy[window.last] - energy[window.first];
  }
  return works;
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
  const std::vector<double> converged = results.solver("converged");
  const std::vector<double> depth = results.solver("max_penetration"),
                            iterations = results.solver("iterations");
  const auto n = static_cast<double>(results.n_steps());
  double imbalance = 0.0, seconds = 0.0;
  for (const double balance : results.ledger("balance"))
    imbalance = std::max(imbalance, std::abs(balance));
  for (const char* name :
       {"seconds_detect", "seconds_assemble", "seconds_solve", "seconds_advance"})
    seconds += sum_of(results.solver(name), 0, static_cast<std::size_t>(results.n_steps()));
  return {{"member", member.name(setup.kind)},
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
          {"step_over_time_unit", setup.dt(member) / setup.time_unit()},
          {"steps", results.n_steps()},
          {"unconverged_steps", std::count(converged.begin(), converged.end(), 0.0)},
          {"iterations_mean", sum_of(iterations, 0, iterations.size()) / n},
          {"penetration_max_over_d", *std::max_element(depth.begin(), depth.end()) / setup.d},
          {"imbalance_over_scale", imbalance / results.ledger("energy_scale").back()},
          {"warnings", warning_words(results.warnings())},
          {"seconds", seconds},
          {"state_hash", results.state_hash()}};
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

}  // namespace

double cap_volume(double radius, double h) {
  const double at = std::clamp(h, -radius, radius);
  return std::numbers::pi *
         (radius * radius * (at + radius) - (at * at * at + radius * radius * radius) / 3.0);
}

FlowMeasures shear_measures(const FlowSetup& setup, const FlowMember& member,
                            const ResultReader& results) {
  const Window window = window_of(setup, member, results);
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
  const json hash = row["state_hash"], seconds = row["seconds"];
  row.erase("state_hash"), row.erase("seconds");
  row["strain"] = strain;
  row["inertial"] = std::abs(line.slope) / std::sqrt(P / setup.P);
  row["profile_r_squared"] = line.r_squared;
  row["mu_wall"] = mu_wall;
  row["mu_bulk"] = mu_bulk;
  row["mu_error"] = standard_error(mu);
  row["packing"] = packing_between(setup, results, window, box.low.z(), box.high.z());
  row["pressure_over_P"] = P / setup.P;
  row["kinetic_share"] = bulk.kinetic[2] / bulk.stress(2);
  row["normal_difference"] = bulk.stress(0) / bulk.stress(2) - 1.0;
  row["shear_bulk_over_wall"] = std::abs(bulk.stress(5)) / tau - 1.0;
  row["pressure_bulk_over_wall"] = -bulk.stress(2) / P - 1.0;
  row["momentum_balance_x"] = (lower.x() + upper.x()) / (tau * setup.area());
  row["momentum_balance_z"] = (lower.z() + upper.z()) / (P * setup.area());
  row["work_of_walls"] = works.in;
  row["work_of_contacts"] = works.contacts;
  row["work_gap"] = (works.in + works.contacts) / works.in;
  row["work_left"] = (works.in + works.contacts + works.other - works.gain) / works.in;
  row["seconds"] = seconds;
  row["state_hash"] = hash;
  return found;
}

FlowMeasures chute_measures(const FlowSetup& setup, const FlowMember& member,
                            const ResultReader& results) {
  const Window window = window_of(setup, member, results);
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
  // Weight of what is above the middle of each layer, in rho g d.
  double above = 0.0;
  profile.weight_above.assign(cells, 0.0);
  for (std::size_t c = cells; c-- > 0;) {
    const double own = means[c].density / setup.density * layer / d * std::cos(slope);
    profile.weight_above[c] = above + 0.5 * own;
    above += own;
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
  double normal = 0.0, shear = 0.0, worst_normal = 0.0, worst_shear = 0.0, flux = 0.0;
  for (const std::size_t c : middle) {
    depth.push_back(std::pow(H, 1.5) - std::pow(H - profile.height[c], 1.5));
    speed.push_back(profile.velocity[c]);
    const double wanted = profile.weight_above[c];
    const double off_normal = profile.normal_stress[c] / wanted - 1.0,
                 off_shear = profile.shear_stress[c] / (wanted * std::tan(slope)) - 1.0;
    normal += off_normal / static_cast<double>(middle.size());
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
  const json hash = row["state_hash"], seconds = row["seconds"];
  row.erase("state_hash"), row.erase("seconds");
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
  row["shear_stress_mean_error"] = shear;
  row["shear_stress_worst_error"] = worst_shear;
  const Works works = works_of(results, window);
  row["work_of_contacts"] = works.contacts;
  row["work_left"] =
      (works.in + works.contacts + works.other - works.gain) / std::abs(works.contacts);
  row["seconds"] = seconds;
  row["state_hash"] = hash;
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
