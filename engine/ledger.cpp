#include "engine/ledger.hpp"

#include <algorithm>
#include <cmath>

#include "contact/laws/laws.hpp"
#include "engine/base/block_loop.hpp"
#include "engine/contact_memory.hpp"
#include "engine/model/contact_law.hpp"
#include "engine/periodic_cell.hpp"
#include "engine/scarring.hpp"
#include "integrators/steered_motion.hpp"

namespace scree {

namespace {

// Change of kinetic energy, works of gravity and of the field besides it, and the scheme's own
// dissipation of one body.
struct BodyWork {
  double kinetic = 0.0, potential = 0.0, external = 0.0, numerical = 0.0;  // [J]
};

BodyWork body_work(const Model& model, double h, double theta, const State& state,
                   const Workspace& step, std::size_t i) {
  const Velocities& end = step.end;
  const double mass = model.mass[i];
  const Vector3& inertia = model.inertia[i];
  const Vector3 dv = end.v[i] - state.v[i], dw = end.w_B[i] - state.w[i];
  const Vector3 momentum_change = mass * dv, spin_change = inertia.cwiseProduct(dw);
  const Vector3 v_theta = (1.0 - theta) * state.v[i] + theta * end.v[i];
  BodyWork work;
  work.kinetic =
      0.5 * (momentum_change.dot(end.v[i] + state.v[i]) + spin_change.dot(end.w_B[i] + state.w[i]));
  work.potential = -h * mass * model.gravity.dot(v_theta);
  if (!model.field.empty()) work.external = mass * step.free.field_gain.dot(v_theta);
  work.numerical = (0.5 - theta) * (momentum_change.dot(dv) + spin_change.dot(dw));
  return work;
}

// What the drive of a driven body puts in: minus the work that the contacts do on it [J].
double driven_work(double theta, const State& state, const Workspace& work, std::size_t i) {
  const Vector3 v_theta = (1.0 - theta) * state.v[i] + theta * work.end.v[i];
  const Vector3 w_theta = (1.0 - theta) * work.start_w_W[i] + theta * work.end.w_W[i];
  return -(work.impulse[i].dot(v_theta) + work.angular_impulse_W[i].dot(w_theta));
}

void record_contact_work(const Model& model, const Settings& settings, Workspace& work,
                         LedgerRow& ledger) {
  const bool gives_way = work.problem.has_compliance();
  const std::size_t n = work.problem.n_contacts();
  const bool moments = work.problem.has_moments();
  work.u_theta.resize(n), work.spin_theta.resize(work.moment.size());
  work.yield.resize(gives_way ? n : 0);
  for_each_item(n, work.executor, [&](std::size_t c) {
    work.u_theta[c] = averaged_velocity(work, c);
    if (gives_way) {
      work.yield[c] = contact::Laws::yield(law_of(model, work.contacts, work.in_problem[c]),
                                           contact_end(model, settings, work, c, work.u_theta[c]));
    }
    if (moments) work.spin_theta[c] = averaged_spin(work, c);
  });
  for (std::size_t c = 0; c < n; ++c) {
    const Vector3 u = gives_way ? Vector3(work.u_theta[c] - work.yield[c]) : work.u_theta[c];
    const Vector3& p = work.p[c];
    const double normal = u.x() * p.x(), tangential = u.y() * p.y() + u.z() * p.z();
    ledger.contact_normal_work += normal;
    ledger.contact_tangential_work += tangential;
    ledger.max_normal_work = std::max(ledger.max_normal_work, normal);
    ledger.min_normal_work = std::min(ledger.min_normal_work, normal);
    ledger.max_tangential_work = std::max(ledger.max_tangential_work, tangential);
    ledger.min_tangential_work = std::min(ledger.min_tangential_work, tangential);
    if (!moments) continue;
    const double rolling = work.moment[c].dot(work.spin_theta[c]);
    ledger.contact_rolling_work += rolling;
    ledger.max_rolling_work = std::max(ledger.max_rolling_work, rolling);
    ledger.min_rolling_work = std::min(ledger.min_rolling_work, rolling);
  }
}

// What the images of a sheared world put in: minus what the contacts do on them.
void record_image_work(const Workspace& work, LedgerRow& ledger) {
  if (!work.cell.is_sheared()) return;
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c) {
    Vector3 on_b = work.p[c];
    if (!work.problem.beside.empty()) on_b += work.problem.beside[c];
    ledger.shear_work -= on_b.dot(image_drift(work, c));
  }
}

// What loads do, and what drag takes.
void record_steered_work(const Model& model, const Settings& settings, const State& state,
                         const Workspace& work, LedgerRow& ledger) {
  const integrators::StepLength length = {settings.time.dt, work.theta};
  for (std::size_t k = 0; k < model.steered.size(); ++k) {
    const integrators::SteeredWork of_body =
        integrators::steered_work(model, state, length, work.free, work.end, k);
    ledger.external_work += of_body.loads;
    ledger.drag_work += of_body.drag;
  }
}

}  // namespace

Vector3 averaged_velocity(const Workspace& work, std::size_t c) {
  Vector3 u_1 = contact::local_velocity(work.problem, c, work.end.v, work.end.w_W);
  if (work.cell.is_sheared()) u_1 += image_drift(work, c);
  const double theta = contact_theta(work, c);
  if (!work.ride_change.empty()) {
    const auto candidate = static_cast<std::size_t>(work.in_problem[c]);
    u_1 += (1.0 - theta) * (work.problem.R_WC[c].transpose() * work.ride_change[candidate]);
  }
  return (1.0 - theta) * work.u_0[c] + theta * u_1;
}

Vector3 averaged_spin(const Workspace& work, std::size_t c) {
  const double theta = contact_theta(work, c);
  const Vector3 spin_1 = contact::local_spin(work.problem, c, work.end.w_W);
  return (1.0 - theta) * work.spin_0[c] + theta * spin_1;
}

double kinetic_energy(const Model& model, const State& state, std::size_t body) {
  return 0.5 * (model.mass[body] * state.v[body].squaredNorm() +
                state.w[body].dot(model.inertia[body].cwiseProduct(state.w[body])));
}

double potential_energy(const Model& model, const State& state, std::size_t body) {
  return -model.mass[body] * model.gravity.dot(path_end(model.cell, state, body));
}

StepRecord begin_record(const Settings& settings, const State& state) {
  StepRecord record;
  record.step = state.step + 1;
  record.time = static_cast<double>(record.step) * settings.time.dt;
  return record;
}

void record_work(const Model& model, const Settings& settings, State& state, Workspace& work,
                 StepRecord& record) {
  LedgerRow& ledger = record.ledger;
  record_contact_work(model, settings, work, ledger);
  record_laws(model, settings, state, work, ledger);
  double kinetic = 0.0, potential = 0.0;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (state.active[i] == 0) continue;
    if (model.kind[i] == BodyKind::driven)
      ledger.driven_work += driven_work(settings.time.theta, state, work, i);
    if (model.kind[i] != BodyKind::dynamic) continue;
    const BodyWork body = body_work(model, settings.time.dt, work.theta[i], state, work, i);
    kinetic += body.kinetic;
    potential += body.potential;
    ledger.external_work += body.external;
    ledger.numerical_dissipation += body.numerical;
  }
  record_steered_work(model, settings, state, work, ledger);
  record_image_work(work, ledger);
  record_scarring(model, settings, state, work, ledger);
  ledger.balance = kinetic + potential - ledger.external_work - ledger.driven_work -
                   ledger.shear_work - ledger.contact_normal_work - ledger.contact_tangential_work -
                   ledger.contact_rolling_work - ledger.numerical_dissipation - ledger.drag_work;
  for (const double energy : ledger.law_energy) ledger.balance -= energy;
  state.potential_change += potential;
}

void finish_record(const Model& model, State& state, StepRecord& record) {
  state.step = record.step;
  state.time = record.time;
  LedgerRow& ledger = record.ledger;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (model.kind[i] != BodyKind::dynamic || state.active[i] == 0) continue;
    ledger.kinetic += kinetic_energy(model, state, i);
    ledger.potential += potential_energy(model, state, i);
  }
  state.energy_scale =
      std::max(state.energy_scale, ledger.kinetic + std::abs(state.potential_change));
  ledger.energy_scale = state.energy_scale;
}

}  // namespace scree
