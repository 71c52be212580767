#include "integrators/moreau_theta.hpp"

#include "engine/base/block_loop.hpp"
#include "integrators/gyroscopic.hpp"
#include "integrators/rotation_update.hpp"
#include "integrators/steered_motion.hpp"

namespace scree::integrators {

namespace {

Vector3 average(const Vector3& a, const Vector3& b, double theta) {
  return (1.0 - theta) * a + theta * b;
}

// Fixed, driven and inactive bodies: contacts do not move them.
void prescribe(const Model& model, const State& state, std::size_t i, FreeMotion& free) {
  free.inverse_mass[i] = 0.0;
  free.inverse_inertia_W[i].setZero();
  free.v[i] = state.v[i];
  free.w_B[i] = state.w[i];
  if (model.kind[i] == BodyKind::driven) {
    const PrescribedVelocity& at_end = free.driven[static_cast<std::size_t>(model.history[i])].end;
    free.v[i] = at_end.v;
    free.w_B[i] = free.R_WB[i].transpose() * at_end.w_W;
  }
  free.gyroscopic_B[i].setZero();
  free.spins[i] = 0;
}

void follow(const DrivenStep& driven, std::size_t i, State& state) {
  state.x[i] = driven.x_1;
  state.q[i] = driven.q_1;
  state.v[i] = driven.at_end.v;
  state.w[i] = driven.q_1.conjugate() * driven.at_end.w_W;
}

}  // namespace

void free_motion(const Model& model, const State& state, const StepLength& step, FreeMotion& free,
                 const Executor& executor) {
  const auto n = static_cast<std::size_t>(model.n_bodies());
  free.resize(n);
  Vector3 fall = step.h * model.gravity;
  if (!model.field.empty()) fall += free.field_gain;
  for_each_item(n, executor, [&](std::size_t i) {
    const Matrix3 R = state.q[i].toRotationMatrix();
    free.R_WB[i] = R;
    if (model.kind[i] != BodyKind::dynamic || state.active[i] == 0) {
      prescribe(model, state, i, free);
      return;
    }
    const Vector3& inertia = model.inertia[i];
    free.inverse_mass[i] = 1.0 / model.mass[i];
    free.inverse_inertia_W[i] = R * inertia.cwiseInverse().asDiagonal() * R.transpose();
    free.v[i] = state.v[i] + fall;
    free.spins[i] = is_isotropic(inertia) || step.turned_apart ? 0 : 1;
    if (free.spins[i] != 0 && !state.w[i].isZero(0.0)) {
      free.w_B[i] =
          end_spin(inertia, state.w[i], Vector3::Zero(), step.h, step.theta[i], state.w[i]).w_B;
      free.gyroscopic_B[i] =
          gyroscopic_impulse(inertia, average(state.w[i], free.w_B[i], step.theta[i]), step.h);
    } else {
      free.w_B[i] = state.w[i];
      free.gyroscopic_B[i].setZero();
    }
  });
  if (!model.steered.empty()) steer(model, state, step, free, executor);
}

void end_velocities(const Model& model, const State& state, const StepLength& step,
                    const FreeMotion& free, std::span<const Vector3> impulse,
                    std::span<const Vector3> angular_impulse_W, Velocities& end,
                    const Executor& executor) {
  for_each_item(free.v.size(), executor, [&](std::size_t i) {
    if (free.inverse_mass[i] == 0.0) {
      end.v[i] = free.v[i];
      end.w_B[i] = free.w_B[i];
      end.spin_unsolved[i] = 0;
      if (end.w_B[i].isZero(0.0)) {
        end.w_W[i].setZero();
        return;
      }
    } else {
      const Vector3 angular_impulse_B = free.R_WB[i].transpose() * angular_impulse_W[i];
      end.v[i] = free.v[i] + free.inverse_mass[i] * impulse[i];
      const Vector3 guess =
          state.w[i] + (angular_impulse_B + free.gyroscopic_B[i]).cwiseQuotient(model.inertia[i]);
      const EndSpin spin = free.spins[i] != 0
                               ? end_spin(model.inertia[i], state.w[i], angular_impulse_B, step.h,
                                          step.theta[i], guess)
                               : EndSpin{guess, true};
      end.w_B[i] = spin.w_B;
      end.spin_unsolved[i] = spin.solved ? 0 : 1;
    }
    end.w_W[i] = free.R_WB[i] * end.w_B[i];
  });
  if (!model.steered.empty())
    end_steered(model, state, step, free, impulse, angular_impulse_W, end, executor);
}

void freeze_gyroscopic(const Model& model, const State& state, const StepLength& step,
                       const Velocities& end, FreeMotion& free) {
  for (std::size_t i = 0; i < free.v.size(); ++i) {
    if (free.spins[i] == 0) continue;
    free.gyroscopic_B[i] = gyroscopic_impulse(
        model.inertia[i], average(state.w[i], end.w_B[i], step.theta[i]), step.h);
  }
}

Vector3 frozen_free_spin_W(const State& state, const FreeMotion& free, std::size_t body) {
  const Matrix3& R = free.R_WB[body];
  if (free.inverse_mass[body] == 0.0) {
    if (free.w_B[body].isZero(0.0)) return Vector3::Zero();
    return R * free.w_B[body];
  }
  return R * state.w[body] + free.inverse_inertia_W[body] * (R * free.gyroscopic_B[body]);
}

void turn_freely(const Model& model, std::span<const double> time, RotationUpdate update,
                 State& state, std::vector<std::uint8_t>& unsolved, const Executor& executor) {
  for_each_item(state.x.size(), executor, [&](std::size_t i) {
    const double h = time[i];
    if (model.kind[i] != BodyKind::dynamic || state.active[i] == 0 || h == 0.0) return;
    const Vector3 w = state.w[i];
    if (w.isZero(0.0)) return;
    if (!is_isotropic(model.inertia[i]) && model.spin_locked[i] == 0) {
      const EndSpin spin = end_spin(model.inertia[i], w, Vector3::Zero(), h, 0.5, w);
      state.w[i] = spin.w_B;
      if (!spin.solved) unsolved[i] = 1;
    }
    const Vector3 turn = h * average(w, state.w[i], 0.5);
    const Quaternion increment =
        update == RotationUpdate::cayley ? cayley(turn) : exponential(turn);
    state.q[i] = (state.q[i] * increment).normalized();
  });
}

void advance(const Model& model, const StepLength& step, RotationUpdate update,
             const FreeMotion& free, const Velocities& end, State& state,
             const Executor& executor) {
  for_each_item(state.x.size(), executor, [&](std::size_t i) {
    if (state.active[i] == 0 || model.kind[i] == BodyKind::fixed) return;
    if (model.kind[i] == BodyKind::driven)
      return follow(free.driven[static_cast<std::size_t>(model.history[i])], i, state);
    state.x[i] += step.h * average(state.v[i], end.v[i], step.theta[i]);
    const Vector3 turn = step.h * average(state.w[i], end.w_B[i], step.theta[i]);
    if (!turn.isZero(0.0) && !step.turned_apart) {
      const Quaternion increment =
          update == RotationUpdate::cayley ? cayley(turn) : exponential(turn);
      state.q[i] = (state.q[i] * increment).normalized();
    }
    state.v[i] = end.v[i];
    state.w[i] = end.w_B[i];
  });
}

}  // namespace scree::integrators
