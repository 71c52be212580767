#include "tools/analyse/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>

#include <Eigen/Eigenvalues>

#include "engine/base/printable.hpp"
#include "engine/measure/stress_tensor.hpp"

namespace scree::analyse {
namespace {

constexpr double degrees = 180.0 / std::numbers::pi;

void add(std::string& line, const std::string& field) {
  if (!line.empty()) line += ',';
  line += field;
}
void add(std::string& line, double value) { add(line, fmt::format("{}", value)); }

void add_tensor_header(std::string& line, const char* name, const char* unit) {
  for (const char* axes : measure::stress_axes) add(line, fmt::format("{} {}{}", name, axes, unit));
}
void add_tensor(std::string& line, const measure::StressTensor& tensor) {
  for (const double value : tensor) add(line, value);
}

}  // namespace

std::vector<NamedValue> numbers_of(const Fabric& fabric, const std::optional<SampleBox>& cell) {
  std::vector<NamedValue> list = {
      {"bodies", "", static_cast<double>(fabric.bodies)},
      {"contacts", "", static_cast<double>(fabric.contacts)},
      {"wall contacts", "", static_cast<double>(fabric.wall_contacts)},
      {"slipping contacts", "", static_cast<double>(fabric.slipping)},
      {"rattlers", "", static_cast<double>(fabric.rattlers)},
      {"coordination", "", fabric.coordination},
      {"coordination without rattlers", "", fabric.coordination_without},
      {"neighbours", "", fabric.neighbours}};
  const auto tensor = [&](const std::string& name, const char* unit,
                          const measure::StressTensor& values) {
    for (std::size_t k = 0; k < values.size(); ++k)
      list.push_back({name + " " + measure::stress_axes[k], unit, values[k]});
  };
  tensor("H", "", measure::symmetric_part(fabric.fabric));
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(fabric.fabric, Eigen::EigenvaluesOnly);
  for (int k = 0; k < 3; ++k)
    list.push_back({fmt::format("H principal {}", k + 1), "", solver.eigenvalues()[2 - k]});
  if (!fabric.plane) list.push_back({"anisotropy of H", "", fabric.anisotropy});
  list.push_back({"mean force", "N", fabric.mean_force});
  list.push_back({"mean normal force", "N", fabric.mean_normal_force});
  list.push_back({"solid volume", "m3", fabric.solid_volume});
  const double volume = cell ? cell->volume() : fabric.solid_volume;
  const measure::StressTensor stress =
      volume > 0.0 ? measure::symmetric_part(fabric.moment / volume) : measure::StressTensor{};
  tensor(cell ? "stress of the cell" : "stress of the bodies", "Pa", stress);
  list.push_back({"pressure", "Pa", measure::pressure_of(stress)});
  list.push_back({"tau", "Pa", measure::shear_of(stress)});
  const auto network = [&](const char* name, const analyse::Network& of) {
    const std::string begin = name;
    list.push_back({begin + " contacts", "", static_cast<double>(of.contacts)});
    list.push_back({begin + " share of the pressure", "", of.pressure_share});
    tensor(begin + " H", "", measure::symmetric_part(of.fabric));
  };
  network("strong", fabric.strong);
  network("weak", fabric.weak);
  if (!fabric.plane) return list;
  const analyse::PlaneFabric& plane = *fabric.plane;
  for (const auto& [name, value] :
       {std::pair("a_c", plane.a_c), std::pair("a_n", plane.a_n), std::pair("a_t", plane.a_t),
        std::pair("a_l", plane.a_l), std::pair("q/p", plane.q_over_p),
        std::pair("q/p of fabric and forces", plane.predicted)})
    list.push_back({name, "", value});
  list.push_back({"theta_c", "deg", plane.theta_c * degrees});
  list.push_back({"theta of the stress", "deg", plane.theta_stress * degrees});
  return list;
}

std::string with_unit(const NamedValue& value) {
  return value.unit.empty() ? value.name : fmt::format("{} [{}]", value.name, value.unit);
}

std::string fabric_csv(const std::vector<Fabric>& fabrics, const std::optional<SampleBox>& cell) {
  std::string text = "time [s],frame";
  for (const NamedValue& value : numbers_of(fabrics.front(), cell)) add(text, with_unit(value));
  text += "\r\n";
  for (const Fabric& fabric : fabrics) {
    std::string line = fmt::format("{},{}", fabric.time, fabric.frame);
    for (const NamedValue& value : numbers_of(fabric, cell)) add(line, value.value);
    text += line + "\r\n";
  }
  return text;
}

std::string normals_csv(const Distributions& found) {
  std::string text =
      "plane,theta [deg],E [1/rad],mean normal force [N],mean tangential force [N]\r\n";
  for (const Distributions::Rose& rose : found.roses) {
    const std::size_t n = rose.density.size();
    for (std::size_t k = 0; k < n; ++k) {
      fmt::format_to(std::back_inserter(text), "{}{},{},{},{},{}\r\n", "xyz"[rose.first],
                     "xyz"[rose.second],
                     -180.0 + 360.0 * static_cast<double>(k) / static_cast<double>(n),
                     rose.density[k], rose.normal_force[k], rose.tangential_force[k]);
    }
  }
  return text;
}

std::string forces_csv(const Distributions& found) {
  std::string text = "f/<f> from,f/<f> to,P of normal forces,P of tangential forces\r\n";
  const auto at = [](const std::vector<double>& values, std::size_t k) {
    return k < values.size() ? values[k] : 0.0;
  };
  for (std::size_t k = 0; k < std::max(found.normal.size(), found.tangential.size()); ++k) {
    const double low = found.bin * static_cast<double>(k);
    fmt::format_to(std::back_inserter(text), "{},{},{},{}\r\n", low, low + found.bin,
                   at(found.normal, k), at(found.tangential, k));
  }
  return text;
}

std::string field_csv(const std::vector<FieldPoint>& points) {
  std::string header =
      "x [m],y [m],z [m],density [kg/m3],solid fraction,velocity x [m/s],velocity y "
      "[m/s],velocity z [m/s],granular temperature [m2/s2]";
  add_tensor_header(header, "stress", " [Pa]");
  add_tensor_header(header, "kinetic stress", " [Pa]");
  add(header, "pressure [Pa]"), add(header, "tau [Pa]");
  std::string text = header + "\r\n";
  for (const FieldPoint& point : points) {
    std::string line;
    for (const Vector3* v : {&point.x}) add(line, fmt::format("{},{},{}", v->x(), v->y(), v->z()));
    add(line, point.density), add(line, point.solid_fraction);
    for (Eigen::Index k = 0; k < 3; ++k) add(line, point.velocity[k]);
    add(line, point.temperature);
    add_tensor(line, point.stress), add_tensor(line, point.kinetic_stress);
    add(line, measure::pressure_of(point.stress)), add(line, measure::shear_of(point.stress));
    text += line + "\r\n";
  }
  return text;
}

std::string bodies_csv(const std::vector<Packing>& packings, const ResultBodies& bodies) {
  std::string header = "time [s],frame,body,name,volume [m3]";
  add_tensor_header(header, "stress", " [Pa]");
  add(header, "pressure [Pa]"), add(header, "tau [Pa]"), add(header, "asymmetry");
  std::string text = header + "\r\n";
  for (const Packing& packing : packings) {
    const std::vector<Matrix3> moments = analyse::moments_of(packing);
    for (std::size_t i = 0; i < moments.size(); ++i) {
      if (packing.moves[i] == 0 || !(packing.volume[i] > 0.0)) continue;
      const Matrix3 tensor = moments[i] / packing.volume[i];
      const measure::StressTensor stress = measure::symmetric_part(tensor);
      std::string line =
          fmt::format("{},{},{},{}", packing.time, packing.frame, i, csv_field(bodies.name[i]));
      add(line, packing.volume[i]);
      add_tensor(line, stress);
      add(line, measure::pressure_of(stress)), add(line, measure::shear_of(stress));
      add(line, measure::asymmetry_of(stress, measure::moment_of(tensor)));
      text += line + "\r\n";
    }
  }
  return text;
}

}  // namespace scree::analyse
