#include "tools/study/press_measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/check.hpp"
#include "tools/study/flow_fit.hpp"
#include "tools/study/flow_measures.hpp"
#include "tools/study/run_series.hpp"

namespace scree::study {
namespace {

using json = nlohmann::ordered_json;

constexpr double degrees = 180.0 / std::numbers::pi;

// Sum over all bodies whose names begin so.
double sum_of_bodies(const ResultReader& results, const std::vector<double>& values,
                     const std::string& begin) {
  const ResultBodies bodies = results.bodies();
  double sum = 0.0;
  for (std::size_t i = 0; i < bodies.name.size(); ++i)
    sum += bodies.name[i].starts_with(begin) ? values[i] : 0.0;
  return sum;
}

std::size_t body_number(const ResultReader& results, const std::string& name) {
  const ResultBodies bodies = results.bodies();
  const auto found = std::find(bodies.name.begin(), bodies.name.end(), name);
  require(found != bodies.name.end(), "bodies", "has no body '" + name + "'");
  return static_cast<std::size_t>(found - bodies.name.begin());
}

// Of contacts that two grains make, over all frames [m].
double penetration_of_grains(const ResultReader& results) {
  const ResultBodies bodies = results.bodies();
  double deepest = 0.0;
  for (std::int64_t f = 0; f < results.n_frames(); ++f) {
    const ResultContacts contacts = results.contacts(f);
    for (std::size_t c = 0; c < contacts.gap.size(); ++c) {
      const auto is_grain = [&](std::int32_t body) {
        return bodies.name[static_cast<std::size_t>(body)].starts_with("grain-");
      };
      if (is_grain(contacts.body_a[c]) && is_grain(contacts.body_b[c]))
        deepest = std::max(deepest, -contacts.gap[c]);
    }
  }
  return deepest;
}

json head_of(const PressSetup& setup, const PressMember& member, const ResultReader& results) {
  const bool oedometer = setup.kind == PressKind::oedometer;
  json row = {
      {"member", member.name(setup.kind)}, {"seed", member.seed}, {"friction", member.friction}};
  if (!oedometer) row["packing_friction"] = member.packing_friction;
  row["status"] = "done";
  row["shape"] = setup.shape;
  row["grains"] = setup.grains;
  if (oedometer) row["side_over_d"] = setup.across;
  row["wall_friction"] = setup.wall_friction;
  row["law"] = setup.law;
  row["theta"] = setup.theta;
  row["tolerance"] = setup.tolerance;
  row["step"] = setup.step;
  row.update(solver_row(results, setup.d()));
  // That of the solver has guided walls that pass each other.
  row["penetration_max_over_d"] = penetration_of_grains(results) / setup.d();
  return row;
}

// Means of a gauge of one cell over a window.
measure::GaugeRow mean_row(const std::vector<measure::GaugeRow>& rows, const Window& window) {
  measure::GaugeRow mean;
  for (std::size_t k = window.first; k < window.last; ++k) {
    for (std::size_t i = 0; i < mean.stress.size(); ++i)
      mean.stress[i] += (rows[k].stress[i] + rows[k].kinetic_stress[i]) / window.count();
  }
  return mean;
}

double largest_size(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

// Pores over grains between two heights of the box, cut there, in the frame of a time. Of what is
// no ball, as if it were the one of its volume.
double void_ratio_between(const PressSetup& setup, const ResultReader& results,
                          const ResultFrame& frame, double low, double high) {
  const ResultBodies bodies = results.bodies();
  const std::vector<double> volume = results.volumes();
  double sum = 0.0;
  for (std::size_t i = 0; i < bodies.name.size(); ++i) {
    if (!bodies.name[i].starts_with("grain-")) continue;
    const double radius = std::cbrt(0.75 / std::numbers::pi * volume[i]);
    const double z = frame.position[i].z();
    sum += cap_volume(radius, high - z) - cap_volume(radius, low - z);
  }
  return (high - low) * setup.side() * setup.side() / sum - 1.0;
}

// The last frame up to a time.
ResultFrame frame_at(const ResultReader& results, const std::vector<double>& times, double time) {
  const auto after = std::upper_bound(times.begin(), times.end(), time + 0.5 * results.dt());
  return results.frame(std::max<std::ptrdiff_t>(0, after - times.begin() - 1));
}

}  // namespace

void PressCurve::add(const std::string& column_name, std::vector<double> values) {
  name.push_back(column_name), column.push_back(std::move(values));
}

const std::vector<double>& PressCurve::at(const std::string& column_name) const {
  const auto found = std::find(name.begin(), name.end(), column_name);
  require(found != name.end(), "curve", "has no column " + column_name);
  return column[static_cast<std::size_t>(found - name.begin())];
}

std::string PressCurve::csv() const {
  std::string text;
  for (std::size_t c = 0; c < name.size(); ++c) text += (c > 0 ? "," : "") + name[c];
  text += "\n";
  for (std::size_t i = 0; !column.empty() && i < column[0].size(); ++i) {
    for (std::size_t c = 0; c < column.size(); ++c)
      text += fmt::format("{}{:.8g}", c > 0 ? "," : "", column[c][i]);
    text += "\n";
  }
  return text;
}

std::vector<double> smoothed(const std::vector<double>& x, const std::vector<double>& y,
                             double window) {
  std::vector<double> result(y.size());
  std::size_t low = 0, high = 0;
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    while (high < y.size() && x[high] <= x[i] + 0.5 * window) sum += y[high++];
    while (x[low] < x[i] - 0.5 * window) sum -= y[low++];
    result[i] = sum / static_cast<double>(high - low);
  }
  return result;
}

PressMeasures oedometer_measures(const PressSetup& setup, const PressMember& member,
                                 const ResultReader& results) {
  const std::vector<PressStage> stages = stages_of(setup, member);
  const double side = setup.side(), area = side * side, dt = results.dt();
  const ResultBodies bodies = results.bodies();
  const std::size_t lid = body_number(results, "lid");
  const double lid_weight = bodies.mass[lid] * setup.g;
  const double weight = sum_of_bodies(results, bodies.mass, "grain-") * setup.g;
  const double solid = sum_of_bodies(results, results.volumes(), "grain-");
  const std::vector<Vector3> on_lid = group_forces(results, "lid", "grains"),
                             on_floor = group_forces(results, "floor", "grains"),
                             on_left = group_forces(results, "left", "grains"),
                             on_right = group_forces(results, "right", "grains"),
                             on_front = group_forces(results, "front", "grains"),
                             on_back = group_forces(results, "back", "grains");
  const std::vector<measure::GaugeRow> middle = results.gauge_rows(gauge_number(results, "middle"));
  const std::vector<double> times = results.frame_times();

  std::vector<double> pressure, top, bottom, sides, k0, k0_middle, height, settlement, voids,
      voids_middle, lid_error, floor_error, side_error;
  for (const PressStage& stage : stages) {
    // The last third of the hold; of the first stage its last tenth.
    const double length = stage.ramp > 0.0 ? (stage.end - stage.hold) / 3.0 : 0.1 * stage.end;
    const auto last = std::min(static_cast<std::size_t>(results.n_steps()),
                               static_cast<std::size_t>(std::lround(stage.end / dt)));
    const Window window{
        std::min(last - 1, static_cast<std::size_t>(std::lround((stage.end - length) / dt))), last};
    const ResultFrame frame = frame_at(results, times, stage.end);
    const double z = frame.position[lid].z() - 0.5 * lid_thickness;  // of its lower face
    const double load = stage.pressure * area + lid_weight;
    const double lid_force = mean_of(on_lid, window).z(),
                 floor_force = -mean_of(on_floor, window).z();
    const double left = -mean_of(on_left, window).x(), right = mean_of(on_right, window).x(),
                 front = -mean_of(on_front, window).y(), back = mean_of(on_back, window).y();
    const measure::GaugeRow mean = mean_row(middle, window);
    pressure.push_back(stage.pressure);
    top.push_back(lid_force / area), bottom.push_back(floor_force / area);
    sides.push_back((left + right + front + back) / (4.0 * side * z));
    k0.push_back(sides.back() / (0.5 * (top.back() + bottom.back())));
    k0_middle.push_back(0.5 * (mean.stress[0] + mean.stress[1]) / mean.stress[2]);
    height.push_back(z / setup.d());
    settlement.push_back(1.0 - height.back() / height.front());
    voids.push_back(area * z / solid - 1.0);
    voids_middle.push_back(void_ratio_between(setup, results, frame, 0.25 * z, 0.75 * z));
    lid_error.push_back(lid_force / load - 1.0);
    floor_error.push_back(setup.wall_friction > 0.0 ? 0.0 : floor_force / (load + weight) - 1.0);
    side_error.push_back(std::max(std::abs(left - right), std::abs(front - back)) * 2.0 /
                         std::max(1e-300, left + right + front + back));
  }

  // Of stages whose load grows, and is more than a few times the weight.
  constexpr double heavy = 4.0;
  std::vector<double> log_p, loaded_voids, loaded_k0;
  std::size_t largest = 0;
  for (std::size_t i = 1; i < stages.size(); ++i) {
    if (pressure[i] <= pressure[largest]) break;
    largest = i;
    if (pressure[i] * area < heavy * weight) continue;
    log_p.push_back(std::log10(pressure[i]));
    loaded_voids.push_back(voids[i]), loaded_k0.push_back(k0[i]);
  }
  PressMeasures found;
  json& row = found.row;
  row = head_of(setup, member, results);
  row["weight_over_area"] = weight / area;
  row["pressure_largest"] = pressure[largest];
  row["height_over_d"] = height[largest];
  row["K0"] = k0[largest];
  row["K0_middle"] = k0_middle[largest];
  row["K0_mean_of_loading"] = loaded_k0.empty() ? k0[largest]
                                                : sum_of(loaded_k0, 0, loaded_k0.size()) /
                                                      static_cast<double>(loaded_k0.size());
  row["K0_last"] = k0.back();
  row["void_ratio_first"] = voids.front();
  row["void_ratio"] = voids[largest];
  row["void_ratio_middle"] = voids_middle[largest];
  row["settlement"] = settlement[largest];
  row["compression_index"] = log_p.size() >= 2 ? -fit_line(log_p, loaded_voids).slope : 0.0;
  row["lid_error"] = largest_size(lid_error);
  row["floor_error"] = largest_size(floor_error);
  row["side_difference"] = largest_size(side_error);
  const Works works = works_of(results, {0, static_cast<std::size_t>(results.n_steps())});
  row["work_left"] = works.left() / std::abs(works.contacts);
  row.update(end_row(results));

  PressCurve& curve = found.curve;
  curve.add("pressure [Pa]", pressure), curve.add("sigma_zz lid [Pa]", top);
  curve.add("sigma_zz floor [Pa]", bottom), curve.add("sigma_h sides [Pa]", sides);
  curve.add("K0", k0), curve.add("K0 middle", k0_middle), curve.add("height [d]", height);
  curve.add("settlement", settlement), curve.add("void ratio", voids);
  curve.add("void ratio middle", voids_middle), curve.add("lid error", lid_error);
  curve.add("floor error", floor_error), curve.add("side difference", side_error);
  return found;
}

PressMeasures biaxial_measures(const PressSetup& setup, const PressMember& member,
                               const ResultReader& results) {
  const BiaxialFrame at = biaxial_frame(setup, member);
  const std::size_t right = body_number(results, "right"), top = body_number(results, "top");
  const std::vector<Vector3> on_top = group_forces(results, "top", "grains"),
                             on_floor = group_forces(results, "floor", "grains"),
                             on_left = group_forces(results, "left", "grains"),
                             on_right = group_forces(results, "right", "grains");
  const double solid = sum_of_bodies(results, results.volumes(), "grain-");  // over 1 m of depth
  constexpr double thickness = 1.0;  // [m] of the platen at the side (press_scenes.cpp)

  // Between neighbouring frames, from the one at which the platen begins to move.
  std::vector<double> axial, volumetric, sigma_1, sigma_3, sine, packing;
  std::size_t before = 0, first_step = 0;
  double z_start = 0.0, w_start = 0.0;
  double sum_floor = 0.0, sum_top = 0.0, sum_left = 0.0, sum_right = 0.0;
  for (std::int64_t f = 0; f < results.n_frames(); ++f) {
    const ResultFrame frame = results.frame(f);
    const double width = frame.position[right].x() - 0.5 * thickness;
    if (f == 0) z_start = frame.position[top].z();
    const double height = at.height + frame.position[top].z() - z_start;
    const auto step = static_cast<std::size_t>(frame.step);
    if (frame.time < at.hold - 0.5 * results.dt()) {
      before = first_step = step, w_start = width;
      continue;
    }
    if (w_start <= 0.0) w_start = width;
    if (step <= before) continue;
    const Window window{before, step};
    const double above = mean_of(on_top, window).z(), below = -mean_of(on_floor, window).z(),
                 side = mean_of(on_right, window).x(), wall = -mean_of(on_left, window).x();
    before = step;
    sum_top += above, sum_floor += below, sum_right += side, sum_left += wall;
    const double s_1 = 0.5 * (above + below) / width, s_3 = 0.5 * (side + wall) / height;
    axial.push_back(1.0 - height / at.height);
    volumetric.push_back(1.0 - width * height / (w_start * at.height));
    sigma_1.push_back(s_1 / setup.p), sigma_3.push_back(s_3 / setup.p);
    sine.push_back((s_1 - s_3) / (s_1 + s_3));
    packing.push_back(solid / (width * height));
  }
  require(axial.size() >= 10, "frames", "has too few to measure");

  // A hundredth of strain is a mean; the peak of a run that is shorter is of what there is.
  const double window = std::min(0.01, 0.2 * axial.back());
  // Means of stresses, as the ratio of two that fluctuate is none.
  const std::vector<double> mean_1 = smoothed(axial, sigma_1, window),
                            mean_3 = smoothed(axial, sigma_3, window);
  std::vector<double> strength;
  for (std::size_t i = 0; i < axial.size(); ++i)
    strength.push_back((mean_1[i] - mean_3[i]) / (mean_1[i] + mean_3[i]));
  const auto peak = static_cast<std::size_t>(std::max_element(strength.begin(), strength.end()) -
                                             strength.begin());
  double last_1 = 0.0, last_3 = 0.0;
  for (std::size_t i = 0; i < axial.size(); ++i) {
    if (axial[i] < 2.0 / 3.0 * axial.back()) continue;
    last_1 += sigma_1[i], last_3 += sigma_3[i];
  }
  const double critical = (last_1 - last_3) / (last_1 + last_3);
  std::vector<double> near_axial, near_volumetric;
  for (std::size_t i = 0; i < axial.size(); ++i) {
    if (std::abs(axial[i] - axial[peak]) > window) continue;
    near_axial.push_back(axial[i]), near_volumetric.push_back(volumetric[i]);
  }
  const double slope = near_axial.size() >= 2 ? fit_line(near_axial, near_volumetric).slope : 0.0;
  const double sine_dilation = -slope / (2.0 - slope);

  PressMeasures found;
  json& row = found.row;
  row = head_of(setup, member, results);
  row["inertial"] = setup.inertial;
  row["strain"] = axial.back();
  row["packing_first"] = packing.front();
  row["packing_last"] = packing.back();
  row["sin_phi_peak"] = strength[peak];
  row["phi_peak_deg"] = std::asin(strength[peak]) * degrees;
  row["strain_at_peak"] = axial[peak];
  row["sin_phi_critical"] = critical;
  row["phi_critical_deg"] = std::asin(critical) * degrees;
  row["psi_at_peak_deg"] = std::asin(sine_dilation) * degrees;
  row["volumetric_strain_last"] = volumetric.back();
  const Window whole{first_step, static_cast<std::size_t>(results.n_steps())};
  const measure::GaugeRow mean =
      mean_row(results.gauge_rows(gauge_number(results, "middle")), whole);
  const double bulk = (mean.stress[2] - mean.stress[0]) / (mean.stress[2] + mean.stress[0]);
  const double sum_1 = sum_of(sigma_1, 0, sigma_1.size()),
               sum_3 = sum_of(sigma_3, 0, sigma_3.size());
  row["sin_phi_mean"] = (sum_1 - sum_3) / (sum_1 + sum_3);
  row["sin_phi_mean_middle"] = bulk;
  row["side_pressure_error"] = sum_3 / static_cast<double>(sigma_3.size()) - 1.0;
  row["force_balance_x"] = (sum_right - sum_left) / sum_right;
  row["force_balance_z"] = (sum_top - sum_floor) / sum_top;
  const Works works = works_of(results, {0, static_cast<std::size_t>(results.n_steps())});
  row["work_left"] = works.left() / std::abs(works.contacts);
  row.update(end_row(results));

  PressCurve& curve = found.curve;
  curve.add("axial strain", axial), curve.add("volumetric strain", volumetric);
  curve.add("sigma_1 [p]", sigma_1), curve.add("sigma_3 [p]", sigma_3);
  curve.add("sin phi", sine), curve.add("sin phi mean of 1 %", strength);
  curve.add("packing", packing);
  return found;
}

}  // namespace scree::study
