#include "engine/workspace.hpp"

#include <algorithm>

#include "collision/pairs/swept_touch.hpp"
#include "contact/laws/laws.hpp"
#include "engine/base/infinity.hpp"
#include "engine/model/extent.hpp"

namespace scree {

namespace {

bool is_ball(const Model& model, std::size_t body) {
  const auto part = static_cast<std::size_t>(model.part_begin[body]);
  return std::holds_alternative<Sphere>(
      model.shapes[static_cast<std::size_t>(model.part_shape[part])]);
}

}  // namespace

Workspace::Workspace(const Model& model, const Settings& settings)
    : executor(settings.backend, settings.threads) {
  const auto n = static_cast<std::size_t>(model.n_bodies());
  body_size.resize(n), rolling_radius.resize(n), thickness = thinnest_extents(model);
  detector.sweep_beyond(std::min(collision::default_sweep_share, 0.5 * settings.step.catch_share));
  detector.keep_flush_seams(contact::Laws::any_memory(model.materials));
  smallest_size = scree::smallest_size(model);
  smallest_thickness = n > 0 ? *std::min_element(thickness.begin(), thickness.end()) : infinity;
  for (std::size_t i = 0; i < n; ++i) {
    body_size[i] = 2.0 * model.radius[i];
    weight += model.mass[i] * model.gravity.norm();
    rolling_radius[i] =
        model.kind[i] == BodyKind::dynamic || is_ball(model, i) ? model.radius[i] : infinity;
  }
  pull = model.gravity.norm();
  terrains = terrains_of(model);
  cell = model.cell;
  rest_theta = std::max(settings.time.theta, largest_theta(model));
  frame_x.resize(n), turn_W.resize(n), x_ahead.resize(n), q_ahead.resize(n), reach.resize(n);
  start_w_W.resize(n), end.resize(n), spin_unsolved.resize(n);
  impulse.resize(n), angular_impulse_W.resize(n), v_solver.resize(n), w_solver.resize(n);
}

}  // namespace scree
