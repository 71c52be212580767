#include "engine/observe.hpp"

#include <cmath>

#include "engine/ledger.hpp"

namespace scree {

namespace {

// On the cone's surface within round-off counts as slip.
ContactStatus status_of(const Vector3& p, double mu) {
  constexpr double on_the_cone = 1.0 - 1e-9;
  if (p.isZero(0.0)) return ContactStatus::open;
  return std::hypot(p.y(), p.z()) < on_the_cone * mu * p.x() ? ContactStatus::stick
                                                             : ContactStatus::slip;
}

// What contacts do to b: what is in the cone, and what laws press besides.
std::span<const Vector3> whole_impulses(Workspace& work) {
  const std::vector<Vector3>& beside = work.problem.beside;
  if (beside.empty()) return work.p;
  work.whole_impulse.resize(work.p.size());
  for (std::size_t c = 0; c < work.p.size(); ++c) work.whole_impulse[c] = work.p[c] + beside[c];
  return work.whole_impulse;
}

// Mean forces and moments of the loads on each body that carries some.
void gather_loads(const Model& model, const Settings& settings, Workspace& work) {
  work.load_force.clear(), work.load_torque.clear();
  for (std::size_t k = 0; k < work.free.steered.size(); ++k) {
    const SteeredBody& steered = model.steered[k];
    if (steered.load_begin == steered.load_end) continue;
    const SteeredStep& on = work.free.steered[k];
    work.load_force.push_back(on.impulse_W / settings.time.dt);
    work.load_torque.push_back(work.free.R_WB[static_cast<std::size_t>(steered.body)] *
                               on.angular_B / settings.time.dt);
  }
}

}  // namespace

StepRecord first_record(const Model& model, State& state) {
  StepRecord record;
  record.step = state.step;
  record.time = state.time;
  finish_record(model, state, record);
  return record;
}

void observe(const Model& model, const Settings& settings, const State& state,
             const StepRecord& record, Workspace& work, std::span<const Observer> observers,
             bool last) {
  if (observers.empty()) return;
  const std::size_t n = work.problem.n_contacts();
  const std::span<const Vector3> impulse = whole_impulses(work);
  work.tangent.resize(n), work.impulse_W.resize(n), work.status.resize(n);
  for (std::size_t c = 0; c < n; ++c) {
    work.tangent[c] = work.problem.R_WC[c].col(1);
    work.impulse_W[c] = work.problem.R_WC[c] * impulse[c];
    work.status[c] = status_of(work.p[c], work.problem.mu[c]);
  }
  work.moment_W.resize(work.moment.size());
  for (std::size_t c = 0; c < work.moment.size(); ++c)
    work.moment_W[c] = work.problem.R_WC[c] * work.moment[c];
  gather_loads(model, settings, work);
  const StepView view{
      model,
      settings,
      state,
      record,
      work.contacts,
      work.in_problem,
      work.tangent,
      impulse,
      work.impulse_W,
      work.u_theta,
      work.status,
      work.problem,
      last,
      work.moment,
      work.moment_W,
      work.spin_theta,
      work.p,
      work.load_force,
      work.load_torque,
      work.u_0,
      work.theta,
      work.n_caught > 0 ? std::span<const double>(work.way_share) : std::span<const double>(),
      work.yield,
      work.frame_x,
      work.free.R_WB,
      work.start_w_W,
      work.end.w_W,
      work.free.steered,
      work.image_shift};
  for (const Observer& observer : observers) observer(view);
}

}  // namespace scree
