#include "engine/step_warnings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/solver/worst_contact.hpp"
#include "engine/support.hpp"

namespace scree {
namespace {

// Of bodies a and b of a contact [m]. A single point has no extent that anything is a share of.
double thinner(const Workspace& work, BodyIndex a, BodyIndex b) {
  const auto extent = [&](BodyIndex body) {
    const double thickness = work.thickness[static_cast<std::size_t>(body)];
    return thickness > 0.0 ? thickness : std::numeric_limits<double>::infinity();
  };
  return std::min(extent(a), extent(b));
}

void warn_of_residual(const Workspace& work, StepRecord& record) {
  if (record.converged) return;
  const contact::BodyProblem& problem = work.problem;
  const double residual = record.stop_value;
  if (record.wedged[0] >= 0)
    record.warnings.raise(Warning::wedged, residual, {record.wedged[0], record.wedged[1]});
  const std::size_t c = contact::worst_contact(problem, work.p, work.end.v, work.end.w_W);
  if (c == problem.n_contacts()) return record.warnings.raise(Warning::unconverged, residual);
  record.warnings.raise(Warning::unconverged, residual, {problem.body_a[c], problem.body_b[c]});
}

void warn_of_overlap(const Workspace& work, StepRecord& record) {
  if (!(record.max_penetration > overlap_limit * work.smallest_thickness)) return;
  double worst = overlap_limit;
  std::size_t deepest = work.contacts.size();
  for (std::size_t c = 0; c < work.contacts.size(); ++c) {
    const ContactKey& key = work.contacts.key[c];
    const double share = -work.contacts.gap[c] / thinner(work, key.body_a, key.body_b);
    if (share > worst) worst = share, deepest = c;
  }
  if (deepest == work.contacts.size()) return;
  const ContactKey& key = work.contacts.key[deepest];
  record.warnings.raise(Warning::deep_overlap, worst, {key.body_a, key.body_b});
}

// Bodies in contact that move against each other by much of their thickness: contacts are linear
// within a step.
void warn_of_motion(const Settings& settings, const Workspace& work, StepRecord& record) {
  const contact::BodyProblem& problem = work.problem;
  const double h = settings.time.dt, least = motion_limit * work.smallest_thickness / h;
  for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
    if (!(work.u_0[c].squaredNorm() > least * least)) continue;
    const double share =
        h * work.u_0[c].norm() / thinner(work, problem.body_a[c], problem.body_b[c]);
    if (share > motion_limit)
      record.warnings.raise(Warning::fast_motion, share, {problem.body_a[c], problem.body_b[c]});
  }
}

void warn_of_spins(const Settings& settings, const Workspace& work, StepRecord& record) {
  const std::vector<std::uint8_t>& unsolved = work.end.spin_unsolved;
  for (std::size_t i = 0; i < unsolved.size(); ++i) {
    if (unsolved[i] == 0 && work.spin_unsolved[i] == 0) continue;
    record.warnings.raise(Warning::unsolved_spin, settings.time.dt * work.end.w_B[i].norm(),
                          {static_cast<BodyIndex>(i)});
  }
}

struct ContactWork {
  std::size_t contact = 0;
  double most = 0.0;  // [J]
};

// The contact that puts in the most: in one of the parts of its work, or, where it is damped, in
// all of it (engine/method/damped_rest.md).
ContactWork most_working_contact(const Workspace& work) {
  ContactWork found;
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c) {
    const Vector3& p = work.p[c];
    const Vector3 u =
        work.yield.empty() ? work.u_theta[c] : Vector3(work.u_theta[c] - work.yield[c]);
    const double normal = u.x() * p.x(), tangential = u.y() * p.y() + u.z() * p.z(),
                 rolling = work.moment.empty() ? 0.0 : work.moment[c].dot(work.spin_theta[c]);
    const bool damped = work.damped[static_cast<std::size_t>(work.in_problem[c])] != 0;
    const double done =
        damped ? normal + tangential + rolling : std::max({normal, tangential, rolling});
    if (done > found.most) found = {c, done};
  }
  return found;
}

// What the drives of bodies transmit, against all that could be meant by it.
void warn_of_crushing(const Model& model, const Settings& settings, const Workspace& work,
                      StepRecord& record) {
  if (model.histories.empty()) return;
  const double limit = crush_limit * work.weight * settings.time.dt;
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    if (model.kind[i] != BodyKind::driven) continue;
    const double impulse = work.impulse[i].norm();
    if (impulse > limit)
      record.warnings.raise(Warning::crushed, crush_limit * impulse / limit, {body});
  }
}

// What works of a step are compared with [J]: the energy scale, or at rest what the weights do when
// they fall for a step.
double energy_at_hand(const Settings& settings, const State& state, const Workspace& work) {
  return state.energy_scale + work.weight * work.pull * settings.time.dt * settings.time.dt;
}

// The residual is an error of impulses relative to all of them: it lets works pass that are such a
// share of the energy at hand.
void warn_of_work(const Settings& settings, const State& state, const Workspace& work,
                  StepRecord& record) {
  if (record.wedged[0] >= 0) return;  // its impulses are no answer, and are told of as such
  const LedgerRow& ledger = record.ledger;
  const double positive =
      std::max({ledger.max_normal_work, ledger.max_tangential_work, ledger.max_rolling_work});
  const contact::SolverOptions& options = settings.step.solver;
  const bool relative =
      options.measure == contact::Measure::scaled || options.measure == contact::Measure::combined;
  const double asked = relative ? options.tolerance : 0.0;
  const double energy = energy_at_hand(settings, state, work);
  // A residual of zero still leaves the round-off of the works themselves.
  const double share =
      std::max({record.residual.scaled, asked, std::numeric_limits<double>::epsilon()});
  const double limit = work_limit * share * energy;
  if (!(positive > limit)) return;
  const auto [c, most] = most_working_contact(work);
  if (!(most > limit)) return;
  record.warnings.raise(Warning::positive_work, most / energy,
                        {work.problem.body_a[c], work.problem.body_b[c]});
}

// Moving bodies below all that could hold them, that have fallen freely from there.
void look_for_lost_bodies(const Model& model, const State& state, WarningLog& log) {
  if (model.gravity.isZero(0.0)) return;
  const double lowest = lowest_support(model, state), g = model.gravity.norm();
  if (!std::isfinite(lowest)) return;
  const Vector3 up = -model.gravity / g;
  WarningEntry entry;
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    if (!model.is_dynamic(body) || state.active[i] == 0) continue;
    const double depth = lowest - state.x[i].dot(up) - model.radius[i], speed = -state.v[i].dot(up);
    if (!(depth > 0.0) || !(speed > 0.0) || speed * speed < g * depth) continue;
    if (entry.count < static_cast<std::int64_t>(entry.bodies.size()))
      entry.bodies[static_cast<std::size_t>(entry.count)] = body;
    ++entry.count;
    entry.worst = std::max(entry.worst, depth);
  }
  if (entry.count == 0) return;
  entry.time = state.time;
  log.set(Warning::left_scene, entry);
}

void look_for_fast_spins(const Model& model, const Settings& settings, const State& state,
                         WarningLog& log) {
  const double limit = spin_limit / settings.time.dt;
  BodyIndex fastest = -1;
  double most = limit;
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    if (!model.is_dynamic(body) || state.active[i] == 0) continue;
    const double spin = state.w[i].norm();
    if (spin > most) most = spin, fastest = body;
  }
  if (fastest >= 0) log.raise(Warning::fast_spin, settings.time.dt * most, {fastest}, state.time);
}

bool has_dynamic_and_other(const Model& model) {
  const auto is_dynamic = [](BodyKind kind) { return kind == BodyKind::dynamic; };
  return std::ranges::any_of(model.kind, is_dynamic) &&
         !std::ranges::all_of(model.kind, is_dynamic);
}

void note_touched(const Workspace& work, State& state) {
  state.touched.resize(state.x.size(), 0);
  for (const BodyIndex body : work.problem.body_a)
    state.touched[static_cast<std::size_t>(body)] = 1;
  for (const BodyIndex body : work.problem.body_b)
    state.touched[static_cast<std::size_t>(body)] = 1;
}

// Moving bodies that are there and met nothing, in a scene where something could be met. Without
// gravity some of many may pass all others: there it counts that nothing met at all.
void look_for_lonely_bodies(const Model& model, const State& state, WarningLog& log) {
  const auto is_touched = [](std::uint8_t touched) { return touched != 0; };
  const bool some_move = log[Warning::nothing_moves].count == 0 && model.n_bodies() > 1;
  const bool expected = model.gravity.isZero(0.0)
                            ? some_move && std::ranges::none_of(state.touched, is_touched)
                            : log[Warning::no_support].count == 0 && has_dynamic_and_other(model);
  if (!expected) return;
  WarningEntry entry;
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    if (!model.is_dynamic(body) || state.active[i] == 0 ||
        (!state.touched.empty() && state.touched[i] != 0))
      continue;
    if (entry.count < static_cast<std::int64_t>(entry.bodies.size()))
      entry.bodies[static_cast<std::size_t>(entry.count)] = body;
    ++entry.count;
  }
  entry.worst = state.time;
  log.set(Warning::no_contact, entry);
}

// Of steps that have an answer. Lifts are compared with one of all bodies by the smallest
// thickness, too.
void warn_of_energies(const LedgerRow& ledger, double energy, double lift, WarningLog& log) {
  const double balance = std::abs(ledger.balance),
               lifted = ledger.projection_work / (energy + lift);
  if (balance > balance_limit * energy) log.raise(Warning::open_ledger, balance / energy);
  if (lifted > projection_limit) log.raise(Warning::projection_work, lifted);
}

}  // namespace

void warn_of_step(const Model& model, const Settings& settings, const State& state,
                  const Workspace& work, StepRecord& record) {
  warn_of_residual(work, record);
  warn_of_overlap(work, record);
  warn_of_motion(settings, work, record);
  warn_of_crushing(model, settings, work, record);
  warn_of_work(settings, state, work, record);
}

void keep_warnings(const Model& model, const Settings& settings, const Workspace& work,
                   StepRecord& record, State& state) {
  warn_of_spins(settings, work, record);
  if (record.wedged[0] < 0) {
    warn_of_energies(record.ledger, energy_at_hand(settings, state, work),
                     work.weight * work.smallest_thickness, record.warnings);
  }
  state.warnings.add_step(record.warnings, record.time);
  note_touched(work, state);
  if (state.step % steps_between_looks != 0) return;
  look_for_lost_bodies(model, state, state.warnings);
  look_for_fast_spins(model, settings, state, state.warnings);
}

void warn_of_run(const Model& model, const State& state, WarningLog& log) {
  look_for_lost_bodies(model, state, log);
  look_for_lonely_bodies(model, state, log);
}

}  // namespace scree
