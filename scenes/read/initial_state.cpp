#include "scenes/read/initial_state.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "engine/base/check.hpp"
#include "engine/base/limits.hpp"

namespace scree {
namespace {

// Masses and inertias of the same grain, computed twice, differ by round-off only.
constexpr double same_body = 1e-9;

// What sets body i of the model apart from body j of the results; empty: they are one.
std::string difference(const Model& model, std::size_t i, const ResultBodies& bodies,
                       std::size_t j) {
  if (!(std::abs(model.mass[i] - bodies.mass[j]) <= same_body * model.mass[i])) {
    return fmt::format("mass ({:.9g} kg, in the scene {:.9g} kg)", bodies.mass[j], model.mass[i]);
  }
  const Matrix3 R = model.q_BU[i].toRotationMatrix();
  const Matrix3 inertia_U = R.transpose() * model.inertia[i].asDiagonal() * R;
  const double apart = (inertia_U - bodies.inertia[j]).norm() / inertia_U.norm();
  return !(apart <= same_body) ? fmt::format("inertia (apart by {:.3g} of its norm)", apart) : "";
}

// What makes the state of body j one that no run can start from; empty: nothing. The bounds are
// those of scene files.
std::string fault_of(const ResultFrame& frame, std::size_t j) {
  constexpr double fastest = 1e12, unit_tolerance = 1e-6;
  const auto within = [](const Vector3& v, double most) {
    return v.allFinite() && v.cwiseAbs().maxCoeff() <= most;
  };
  if (!within(frame.position[j], admitted_length.high))
    return std::string("position; must be ") + admitted_coordinate;
  if (!(std::abs(frame.orientation[j].norm() - 1.0) <= unit_tolerance))
    return "orientation; must be a quaternion of length 1";
  if (!within(frame.velocity[j], fastest)) return "velocity; must be from -1e12 to 1e12 [m/s]";
  if (!within(frame.spin[j], fastest)) return "spin; must be from -1e12 to 1e12 [rad/s]";
  return "";
}

}  // namespace

void start_from(const ResultReader& results, const std::string& file, Scene& scene) {
  const Model& model = scene.model;
  const auto require_here = [&](bool holds, const std::string& message) {
    if (!holds) fail_at(scene, scene.initial_place, "initial.from", file + ": " + message);
  };
  require_here(results.n_frames() > 0, "holds no frames to start from");
  const ResultBodies bodies = results.bodies();
  const ResultFrame frame = results.last_frame();
  std::map<std::string, std::size_t> index;
  for (std::size_t j = 0; j < bodies.name.size(); ++j) index.emplace(bodies.name[j], j);
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (model.kind[i] != BodyKind::dynamic) continue;
    const auto found = index.find(model.name[i]);
    require_here(found != index.end(), fmt::format("has no body '{}'", model.name[i]));
    const std::size_t j = found->second;
    const std::string other = difference(model, i, bodies, j);
    require_here(other.empty(),
                 fmt::format("its body '{}' has another {}; it was made from other settings",
                             model.name[i], other));
    const std::string fault = fault_of(frame, j);
    require_here(fault.empty(),
                 fmt::format("its body '{}' has an impossible {}", model.name[i], fault));
    scene.state.x[i] = frame.position[j] - model.origin;
    scene.state.q[i] = (frame.orientation[j] * model.q_BU[i].conjugate()).normalized();
    scene.state.v[i] = frame.velocity[j];
    scene.state.w[i] = model.q_BU[i] * frame.spin[j];
  }
}

}  // namespace scree
