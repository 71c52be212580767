#include "engine/measure/body_stress.hpp"

#include <algorithm>

#include "engine/measure/second_moment.hpp"
#include "engine/measure/stress_tensor.hpp"

namespace scree::measure {
namespace {

bool moves_freely(const Model& model, const State& state, std::size_t body) {
  return model.kind[body] == BodyKind::dynamic && state.active[body] != 0;
}

// Moment and mean over the step of what one load does at a point of a body.
Matrix3 moment_of_load(const StepView& view, const Load& load, std::size_t i,
                       std::span<const Vector3> start_x) {
  const double h = view.settings.time.dt, start = static_cast<double>(view.record.step - 1) * h;
  const Matrix3& R = view.R_WB[i];
  Vector3 force = integral(load.force, start, h) / h;
  if (load.span) {
    force *= load.span->at(start_x[static_cast<std::size_t>(load.span->wall[0])],
                           start_x[static_cast<std::size_t>(load.span->wall[1])]);
  }
  if (load.axes == LoadAxes::body) force = R * force;
  return (R * load.point) * force.transpose();
}

}  // namespace

bool has_stress(const Model& model, const State& state, std::size_t body) {
  return moves_freely(model, state, body) && model.volume[body] > 0.0;
}

void BodyStress::start(const State& state) { next_x_ = state.x, next_v_ = state.v; }

void BodyStress::compute(const StepView& view) {
  const std::size_t n = view.state.x.size();
  x_.swap(next_x_), v_.swap(next_v_);
  next_x_.assign(view.state.x.begin(), view.state.x.end());
  next_v_.assign(view.state.v.begin(), view.state.v.end());
  moment_.assign(n, Matrix3::Zero());
  own_.assign(n, Matrix3::Zero());
  torque_.assign(n, Vector3::Zero());
  couple_.assign(view.moment.empty() ? 0 : n, Matrix3::Zero());
  add_contacts(view);
  add_loads(view);
  add_spins(view);
  unbalanced_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!moves_freely(view.model, view.state, i)) {
      moment_[i].setZero(), own_[i].setZero(), unbalanced_[i].setZero();
      if (!couple_.empty()) couple_[i].setZero();
      continue;
    }
    moment_[i] += own_[i];
    unbalanced_[i] = moment_of(moment_[i]) + torque_[i];
  }
  lock(view);
}

void BodyStress::add_contacts(const StepView& view) {
  const double per_step = 1.0 / view.settings.time.dt;
  const contact::BodyProblem& problem = view.problem;
  for (std::size_t c = 0; c < view.in_problem.size(); ++c) {
    const auto a = static_cast<std::size_t>(problem.body_a[c]),
               b = static_cast<std::size_t>(problem.body_b[c]);
    const Vector3 force = per_step * view.impulse_W[c];  // on b
    moment_[a] -= problem.r_a_W[c] * force.transpose();
    moment_[b] += problem.r_b_W[c] * force.transpose();
    if (view.moment_W.empty()) continue;
    const Vector3 couple = per_step * view.moment_W[c];
    torque_[a] -= couple, torque_[b] += couple;
    couple_[a] -= problem.r_a_W[c] * couple.transpose();
    couple_[b] += problem.r_b_W[c] * couple.transpose();
  }
}

void BodyStress::add_loads(const StepView& view) {
  const Model& model = view.model;
  const double h = view.settings.time.dt;
  for (std::size_t k = 0; k < view.steered.size(); ++k) {
    const SteeredBody& steered = model.steered[k];
    const SteeredStep& on = view.steered[k];
    const auto i = static_cast<std::size_t>(steered.body);
    if (!moves_freely(model, view.state, i)) continue;
    Matrix3 moment = Matrix3::Zero();
    for (std::int32_t l = steered.load_begin; l < steered.load_end; ++l) {
      const Load& load = model.loads[static_cast<std::size_t>(l)];
      if (!load.central && !load.force.empty()) moment += moment_of_load(view, load, i, x_);
    }
    own_[i] += moment;
    // Torques are what the loads do besides.
    torque_[i] += view.R_WB[i] * on.angular_B / h - moment_of(moment);
    if (steered.drag.angular > 0.0) {
      torque_[i] -= steered.drag.angular *
                    ((1.0 - on.theta) * view.start_spin_W[i] + on.theta * view.end_spin_W[i]);
    }
  }
}

void BodyStress::add_spins(const StepView& view) {
  const double h = view.settings.time.dt;
  const bool middle = view.settings.step.frames == Frames::middle;
  for (std::size_t i = 0; i < view.state.x.size(); ++i) {
    if (!moves_freely(view.model, view.state, i)) continue;
    const Vector3 &w_0 = view.start_spin_W[i], &w_1 = view.end_spin_W[i];
    if (w_0.isZero(0.0) && w_1.isZero(0.0)) continue;
    const Vector3& inertia = view.model.inertia[i];
    const Matrix3& R = view.R_WB[i];
    const double theta = middle ? 0.5 : view.theta[i];
    const Vector3 w = (1.0 - theta) * w_0 + theta * w_1;
    Vector3 change = (w_1 - w_0) / h;
    if (middle && view.model.spin_locked[i] == 0) {
      // What turns freely before and after the impulses changes its spin there as well.
      const Vector3 w_B = R.transpose() * w;
      change -= R * w_B.cross(inertia.cwiseProduct(w_B)).cwiseQuotient(inertia);
    }
    const Matrix3 turning = skew(w);
    own_[i] -= second_moment(inertia, R) * (turning * turning - skew(change));
  }
}

// What locks hold is in balance, whatever it is.
void BodyStress::lock(const StepView& view) {
  for (const SteeredBody& steered : view.model.steered) {
    if (steered.freedom.rotations == 3) continue;
    const auto i = static_cast<std::size_t>(steered.body);
    const Matrix3& R = view.R_WB[i];
    unbalanced_[i] = R * steered.freedom.of_spin(R.transpose() * unbalanced_[i]);
  }
}

void StressSums::add(const BodyStress& step, bool couples) {
  const std::size_t n = step.moment().size();
  of_body.resize(width * n, 0.0);
  if (couples) of_couple.resize(width * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const StressTensor tensor = symmetric_part(step.moment()[i]);
    double* sum = of_body.data() + width * i;
    for (std::size_t k = 0; k < tensor.size(); ++k) sum[k] += tensor[k];
    for (Eigen::Index k = 0; k < 3; ++k) sum[6 + k] += step.unbalanced()[i][k];
    if (!couples || step.couple().empty()) continue;
    for (Eigen::Index k = 0; k < 9; ++k)
      of_couple[width * i + static_cast<std::size_t>(k)] += step.couple()[i](k / 3, k % 3);
  }
  ++steps;
}

void StressSums::clear() {
  steps = 0;
  std::fill(of_body.begin(), of_body.end(), 0.0);
  std::fill(of_couple.begin(), of_couple.end(), 0.0);
}

}  // namespace scree::measure
