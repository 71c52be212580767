#include "scenes/read/initial_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "engine/base/check.hpp"
#include "engine/base/limits.hpp"
#include "engine/base/printable.hpp"

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

// What keeps body i from going on with the directions that the scene locks, placed there; empty:
// nothing. What it moves along them by round-off is taken off.
std::string fault_of_lock(Scene& scene, std::size_t i, const Quaternion& placed) {
  constexpr double round_off = 1e-6;
  const Model& model = scene.model;
  const auto steered = std::ranges::find(model.steered, static_cast<BodyIndex>(i),
                                         [](const SteeredBody& body) { return body.body; });
  if (steered == model.steered.end() || steered->freedom.is_whole()) return "";
  const Freedom& freedom = steered->freedom;
  Vector3 &v = scene.state.v[i], &w = scene.state.w[i];
  const Vector3 v_free = freedom.of_velocity(v), w_free = freedom.of_spin(w);
  if ((v - v_free).norm() > round_off * v.norm())
    return "moves along a direction that is locked here";
  if ((w - w_free).norm() > round_off * w.norm()) return "turns about an axis that is locked here";
  const Vector3 turned = scene.state.q[i] * freedom.axis - placed * freedom.axis;
  if (freedom.rotations == 1 && turned.norm() > round_off)
    return "has turned away from the axis that it is to turn about";
  v = v_free, w = w_free;
  return "";
}

}  // namespace

void start_from(const ResultReader& results, const std::string& file, Scene& scene) {
  const Model& model = scene.model;
  const auto require_here = [&](bool holds, const std::string& message) {
    if (!holds) fail_at(scene, scene.initial_place, "initial.from", file + ": " + message);
  };
  ResultBodies bodies;
  ResultFrame frame;
  try {
    require_here(results.n_frames() > 0, "holds no frames to start from");
    bodies = results.bodies();
    frame = results.last_frame();
  } catch (const InputError& error) {
    // Of the file: it does not know which scene names it.
    const std::string_view what = error.what();
    if (what.starts_with(printable(scene.source_name) + ":")) throw;
    fail_at(scene, scene.initial_place, "initial.from", std::string(what));
  }
  if (model.cell.is_sheared() && results.cell().is_sheared())
    scene.state.image_shift = frame.image_shift;
  std::map<std::string, std::size_t> index;
  for (std::size_t j = 0; j < bodies.name.size(); ++j) index.emplace(bodies.name[j], j);
  for (std::size_t i = 0; i < model.name.size(); ++i) {
    if (model.kind[i] != BodyKind::dynamic) continue;
    const auto found = index.find(model.name[i]);
    require_here(found != index.end(), fmt::format("has no body '{}'", model.name[i]));
    const std::size_t j = found->second;
    require_here(frame.active[j] != 0 || scene.state.active[i] == 0,
                 fmt::format("its body '{}' is not there at the end: it has vanished, or has not "
                             "appeared",
                             model.name[i]));
    const std::string other = difference(model, i, bodies, j);
    require_here(other.empty(),
                 fmt::format("its body '{}' has another {}; it was made from other settings",
                             model.name[i], other));
    const std::string fault = fault_of(frame, j);
    require_here(fault.empty(),
                 fmt::format("its body '{}' has an impossible {}", model.name[i], fault));
    const Quaternion placed = scene.state.q[i];
    scene.state.x[i] = frame.position[j] - model.origin;
    scene.state.q[i] = (frame.orientation[j] * model.q_BU[i].conjugate()).normalized();
    scene.state.v[i] = frame.velocity[j];
    scene.state.w[i] = model.q_BU[i] * frame.spin[j];
    const std::string locked = fault_of_lock(scene, i, placed);
    require_here(locked.empty(), fmt::format("its body '{}' {}", model.name[i], locked));
  }
}

}  // namespace scree
