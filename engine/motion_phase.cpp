#include "engine/motion_phase.hpp"

#include <algorithm>

#include "engine/base/block_loop.hpp"
#include "engine/contact_frames.hpp"
#include "engine/scarring.hpp"
#include "integrators/moreau_theta.hpp"
#include "integrators/steered_motion.hpp"

namespace scree {

namespace {

bool is_middle(const Settings& settings) { return settings.step.frames == Frames::middle; }

integrators::StepLength step_length(const Settings& settings, const Workspace& work) {
  return {settings.time.dt, work.theta, is_middle(settings)};
}

}  // namespace

void drive(const Model& model, const Settings& settings, State& state, Workspace& work) {
  if (model.histories.empty()) return;
  integrators::drive(model, settings.time.dt, settings.time.theta, settings.step.rotation,
                     is_middle(settings), state, work.free.driven);
}

void apply_loads(const Model& model, const Settings& settings, const State& state,
                 Workspace& work) {
  if (model.steered.empty() && model.field.empty()) return;
  const double h = settings.time.dt;
  integrators::apply_loads(model, state, h, work.free);
  double loads = 0.0, mass = 0.0;
  for (std::size_t k = 0; k < model.steered.size(); ++k) {
    if (state.active[static_cast<std::size_t>(model.steered[k].body)] != 0)
      loads += work.free.steered[k].impulse_W.norm();
  }
  for (const double of_body : model.mass) mass += of_body;
  work.pull = model.gravity.norm() + work.free.field_gain.norm() / h;
  if (loads > 0.0) work.pull += loads / (h * mass);
  work.weight = mass * work.pull;
}

void free_motion(const Model& model, const Settings& settings, const State& state,
                 Workspace& work) {
  work.theta.assign(state.x.size(), settings.time.theta);
  integrators::free_motion(model, state, step_length(settings, work), work.free, work.executor);
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    work.start_w_W[i] = state.w[i];
    if (!state.w[i].isZero(0.0)) work.start_w_W[i] = work.free.R_WB[i] * state.w[i];
  }
  drag_by_ground(model, settings, state, work);
  contact::assemble_bodies(work.free, work.problem);
}

void end_velocities(const Model& model, const Settings& settings, const State& state,
                    Workspace& work) {
  std::fill(work.impulse.begin(), work.impulse.end(), Vector3::Zero());
  std::fill(work.angular_impulse_W.begin(), work.angular_impulse_W.end(), Vector3::Zero());
  contact::contact_impulses(work.problem, work.p, work.impulse, work.angular_impulse_W,
                            work.moment);
  if (!work.problem.beside.empty())
    contact::contact_impulses(work.problem, work.problem.beside, work.impulse,
                              work.angular_impulse_W);
  integrators::end_velocities(model, state, step_length(settings, work), work.free, work.impulse,
                              work.angular_impulse_W, work.end, work.executor);
}

void advance(const Model& model, const Settings& settings, Workspace& work, State& state) {
  integrators::advance(model, step_length(settings, work), settings.step.rotation, work.free,
                       work.end, state, work.executor);
  if (!is_middle(settings)) return;
  for_each_item(state.x.size(), work.executor, [&](std::size_t i) {
    work.turn_time[i] = left_of_step(settings, work, i) * settings.time.dt;
  });
  integrators::turn_freely(model, work.turn_time, settings.step.rotation, state, work.spin_unsolved,
                           work.executor);
}

}  // namespace scree
