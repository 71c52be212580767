#include "integrators/steered_motion.hpp"

#include "engine/base/block_loop.hpp"
#include "integrators/gyroscopic.hpp"

namespace scree::integrators {

namespace {

std::size_t index_of(const Model& model, std::size_t k) {
  return static_cast<std::size_t>(model.steered[k].body);
}

bool is_active(const Model& model, const State& state, std::size_t k) {
  return state.active[index_of(model, k)] != 0;
}

// Where the body can move; empty if all bodies can move everywhere.
void set_directions(const Model& model, std::size_t n_bodies, std::vector<Vector3>& directions) {
  directions.clear();
  for (const SteeredBody& steered : model.steered) {
    if (steered.freedom.moves_all()) continue;
    directions.resize(n_bodies, Vector3::Ones());
    directions[static_cast<std::size_t>(steered.body)] = steered.freedom.directions;
  }
}

Matrix3 inverse_inertia_W(const Freedom& freedom, const Vector3& inertia, const Matrix3& R) {
  if (freedom.rotations == 3) return R * inertia.cwiseInverse().asDiagonal() * R.transpose();
  return R * freedom.inverse_inertia(inertia) * R.transpose();
}

// Adds what one load does to body i.
void add_load(const Load& load, const State& state, std::size_t i, double h, SteeredStep& on) {
  const bool turns_along = load.axes == LoadAxes::body;
  const Quaternion& q = state.q[i];
  Vector3 force = integral(load.force, state.time, h);
  const Vector3 torque = integral(load.torque, state.time, h);
  if (load.span) {
    const auto wall = [&](std::size_t k) -> const Vector3& {
      return state.x[static_cast<std::size_t>(load.span->wall[k])];
    };
    force *= load.span->at(wall(0), wall(1));
  }
  const Vector3 force_W = turns_along ? Vector3(q * force) : force;
  on.impulse_W += force_W;
  on.angular_B += turns_along ? torque : Vector3(q.conjugate() * torque);
  if (!load.central)
    on.angular_B += load.point.cross(turns_along ? force : Vector3(q.conjugate() * force));
}

}  // namespace

void apply_loads(const Model& model, const State& state, double h, FreeMotion& free) {
  free.field_gain = field_gain(model.field, state.time, h);
  free.steered.resize(model.steered.size());
  for (std::size_t k = 0; k < model.steered.size(); ++k) {
    SteeredStep& on = free.steered[k];
    on = {};
    const SteeredBody& steered = model.steered[k];
    for (auto i = static_cast<std::size_t>(steered.load_begin);
         i < static_cast<std::size_t>(steered.load_end); ++i)
      add_load(model.loads[i], state, index_of(model, k), h, on);
  }
}

Matrix3 inverse_inertia_W(const Model& model, const SteeredBody& steered, const Matrix3& R) {
  return inverse_inertia_W(steered.freedom, model.inertia[static_cast<std::size_t>(steered.body)],
                           R);
}

void steer(const Model& model, const State& state, const StepLength& step, FreeMotion& free,
           const Executor& executor) {
  set_directions(model, free.v.size(), free.directions);
  for_each_item(model.steered.size(), executor, [&](std::size_t k) {
    if (!is_active(model, state, k)) return;
    const std::size_t i = index_of(model, k);
    const Drag& drag = model.steered[k].drag;
    const Freedom& freedom = model.steered[k].freedom;
    const Vector3 &v_0 = state.v[i], &w_0 = state.w[i], &inertia = model.inertia[i];
    SteeredStep& on = free.steered[k];
    on.theta = step.theta[i];
    const double h = step.h, implicit = h * on.theta;

    const double mass = model.mass[i] + implicit * drag.linear;
    Vector3 impulse = on.impulse_W;
    if (drag.linear > 0.0) impulse -= h * drag.linear * v_0;
    // Without drag the fall is that of all bodies, to the last bit.
    const Vector3 fall = h * model.gravity + free.field_gain;
    free.inverse_mass[i] = 1.0 / mass;
    free.v[i] = v_0 + freedom.of_velocity(
                          (drag.linear > 0.0 ? Vector3(model.mass[i] / mass * fall) : fall) +
                          free.inverse_mass[i] * impulse);

    on.inertia = inertia + Vector3::Constant(implicit * drag.angular);
    on.turning_B = on.angular_B;
    if (drag.angular > 0.0) on.turning_B -= h * drag.angular * w_0;
    const Matrix3& R = free.R_WB[i];
    free.inverse_inertia_W[i] = inverse_inertia_W(freedom, on.inertia, R);
    free.w_B[i] = w_0 + freedom.turned(on.inertia, on.turning_B);
    free.gyroscopic_B[i].setZero();
    free.spins[i] = freedom.rotations < 3 || is_isotropic(inertia) || step.turned_apart ? 0 : 1;
    if (free.spins[i] == 0 || (w_0.isZero(0.0) && on.turning_B.isZero(0.0))) return;
    free.w_B[i] = end_spin(inertia, on.inertia, w_0, on.turning_B, h, on.theta, free.w_B[i]).w_B;
    free.gyroscopic_B[i] =
        gyroscopic_impulse(inertia, (1.0 - on.theta) * w_0 + on.theta * free.w_B[i], h);
  });
}

void end_steered(const Model& model, const State& state, const StepLength& step,
                 const FreeMotion& free, std::span<const Vector3> impulse,
                 std::span<const Vector3> angular_impulse_W, Velocities& end,
                 const Executor& executor) {
  for_each_item(model.steered.size(), executor, [&](std::size_t k) {
    if (!is_active(model, state, k)) return;
    const std::size_t i = index_of(model, k);
    const SteeredStep& on = free.steered[k];
    const Vector3 turning_B = on.turning_B + free.R_WB[i].transpose() * angular_impulse_W[i];
    const Freedom& freedom = model.steered[k].freedom;
    end.v[i] = free.v[i] + free.inverse_mass[i] * freedom.of_velocity(impulse[i]);
    const Vector3 guess = state.w[i] + freedom.turned(on.inertia, turning_B + free.gyroscopic_B[i]);
    const EndSpin spin = free.spins[i] != 0 ? end_spin(model.inertia[i], on.inertia, state.w[i],
                                                       turning_B, step.h, on.theta, guess)
                                            : EndSpin{guess, true};
    end.w_B[i] = spin.w_B;
    end.spin_unsolved[i] = spin.solved ? 0 : 1;
    end.w_W[i] = free.R_WB[i] * end.w_B[i];
  });
}

Vector3 frozen_steered_spin_W(const Model& model, const State& state, const FreeMotion& free,
                              std::size_t k) {
  const std::size_t i = index_of(model, k);
  const Matrix3& R = free.R_WB[i];
  if (!is_active(model, state, k)) return R * free.w_B[i];
  return R * state.w[i] +
         free.inverse_inertia_W[i] * (R * (free.gyroscopic_B[i] + free.steered[k].turning_B));
}

SteeredWork steered_work(const Model& model, const State& state, const StepLength& step,
                         const FreeMotion& free, const Velocities& end, std::size_t k) {
  SteeredWork work;
  if (!is_active(model, state, k)) return work;
  const std::size_t i = index_of(model, k);
  const Drag& drag = model.steered[k].drag;
  const SteeredStep& on = free.steered[k];
  const auto mean = [](const Vector3& a, const Vector3& b, double theta) -> Vector3 {
    return (1.0 - theta) * a + theta * b;
  };
  const double theta = step.theta[i];
  const Vector3 v = mean(state.v[i], end.v[i], theta), w = mean(state.w[i], end.w_B[i], theta);
  work.loads = on.impulse_W.dot(v) + on.angular_B.dot(w);
  // The weight of a body may have changed since its drag was taken into account (damped rest).
  const Vector3 v_drag = mean(state.v[i], end.v[i], on.theta),
                w_drag = mean(state.w[i], end.w_B[i], on.theta);
  work.drag = -step.h * (drag.linear * v_drag.dot(v) + drag.angular * w_drag.dot(w));
  return work;
}

}  // namespace scree::integrators
