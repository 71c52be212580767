#include "scenes/initial_state.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "engine/model/check.hpp"

namespace scree {
namespace {

// Masses and inertias of the same grain, computed twice, differ by round-off only.
constexpr double same_body = 1e-9;

bool is_same_body(const Model& model, std::size_t i, const ResultBodies& bodies, std::size_t j) {
  const Matrix3 R = model.q_BU[i].toRotationMatrix();
  const Matrix3 inertia_U = R.transpose() * model.inertia[i].asDiagonal() * R;
  return std::abs(model.mass[i] - bodies.mass[j]) <= same_body * model.mass[i] &&
         (inertia_U - bodies.inertia[j]).norm() <= same_body * inertia_U.norm();
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
    require_here(is_same_body(model, i, bodies, j),
                 fmt::format("its body '{}' has another mass or inertia ({:.9g} kg, in the scene {:.9g} kg); it was made from other settings",
                        model.name[i], bodies.mass[j], model.mass[i]));
    scene.state.x[i] = frame.position[j] - model.origin;
    scene.state.q[i] = (frame.orientation[j] * model.q_BU[i].conjugate()).normalized();
    scene.state.v[i] = frame.velocity[j];
    scene.state.w[i] = model.q_BU[i] * frame.spin[j];
  }
}

}  // namespace scree
