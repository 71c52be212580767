#include "engine/contact_phase.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "contact/laws/activation.hpp"
#include "contact/laws/laws.hpp"
#include "contact/solver/warm_start.hpp"
#include "engine/base/block_loop.hpp"
#include "engine/contact_frames.hpp"
#include "engine/contact_memory.hpp"
#include "engine/damped_rest.hpp"
#include "engine/driven_contacts.hpp"
#include "engine/model/contact_law.hpp"
#include "engine/periodic_cell.hpp"
#include "engine/project.hpp"
#include "engine/slow_motion.hpp"
#include "integrators/moreau_theta.hpp"
#include "integrators/rotation_update.hpp"
#include "integrators/steered_motion.hpp"

namespace scree {

namespace {

contact::StepScale step_scale(const Settings& settings, const Workspace& work) {
  return {settings.time.dt, work.pull, work.body_size, settings.step.closing == Closing::two_step};
}

// Of the rules that look at the start of the step alone; none: `predict`.
std::optional<contact::PublishedRule> published_rule(const Settings& settings) {
  const double h = settings.time.dt;
  switch (settings.step.activation) {
    case Activation::predict:
      return std::nullopt;
    case Activation::paper:
      return contact::PublishedRule{0.0, true};
    case Activation::forecast:
      return contact::PublishedRule{h, true};
    case Activation::gamma:
      return contact::PublishedRule{settings.step.activation_gamma * h, false};
    case Activation::mid:
      return contact::PublishedRule{(1.0 - settings.time.theta) * h, false};
  }
  return std::nullopt;
}

// Normal velocities (1 - theta) u_k + theta u_1 of the candidates, u_1 at body velocities v, w_W;
// into work.u_N_theta.
void average_normal_velocities(std::span<const Vector3> v, std::span<const Vector3> w_W,
                               Workspace& work) {
  contact::normal_velocities(work.contacts, work.frame_x, v, w_W, work.cell, work.executor,
                             work.u_N_theta);
  for_each_item(work.contacts.size(), work.executor, [&](std::size_t c) {
    const ContactKey& key = work.contacts.key[c];
    const double theta = contact::pair_theta(work.theta, key.body_a, key.body_b);
    work.u_N_theta[c] = (1.0 - theta) * work.u_N[c] + theta * work.u_N_theta[c];
  });
}

// Free spins with the gyroscopic impulse as frozen now.
void set_free_spins(const Model& model, const State& state, Workspace& work) {
  for_each_item(state.x.size(), work.executor, [&](std::size_t i) {
    work.problem.w_free_W[i] = integrators::frozen_free_spin_W(state, work.free, i);
  });
  for (std::size_t k = 0; k < model.steered.size(); ++k) {
    work.problem.w_free_W[static_cast<std::size_t>(model.steered[k].body)] =
        integrators::frozen_steered_spin_W(model, state, work.free, k);
  }
}

// And with what laws press beside the cone. Before a solve, body sums are free to be used.
void add_beside(Workspace& work) {
  contact::add_beside(work.free, work.impulse, work.angular_impulse_W, work.executor, work.problem);
}

// Forces are what one looks at in what stands, and the errors of a step are the start of the next:
// the noise of a sticking contact lives long. A stack of n blocks makes n^2 / 2 of a residual, and
// further iterations cost little from so near.
constexpr double aim_at_rest = 0.05;

// Calls moves(c) for the first contacts of pairs of bodies that are neither at rest nor about to
// stop, until it returns false.
template <class Moves>
void for_moving_pairs(const Model& model, const Settings& settings, const State& state,
                      const Workspace& work, const Moves& moves) {
  const double speed = slow_speed(settings, work);
  const auto slow = [&](BodyIndex body) {
    const auto i = static_cast<std::size_t>(body);
    return !is_moved_by_contacts(work, i) || moves_slowly(model, state, i, speed);
  };
  const std::vector<BodyIndex>&a = work.problem.body_a, &b = work.problem.body_b;
  for (std::size_t c = 0; c < a.size(); ++c) {
    const bool same_pair = c > 0 && a[c] == a[c - 1] && b[c] == b[c - 1];
    if (!same_pair && (!slow(a[c]) || !slow(b[c])) && !moves(c)) return;
  }
}

// What each island aims at, into work.problem. Returns whether all bodies that touch are at rest
// or about to stop.
bool find_aims(const Model& model, const Settings& settings, const State& state, Workspace& work) {
  contact::ContactIslands& islands = work.problem.islands;
  const bool several = islands.size() > 1;
  islands.aim.assign(several ? islands.size() : 0, aim_at_rest);
  bool at_rest = true;
  for_moving_pairs(model, settings, state, work, [&](std::size_t c) {
    at_rest = false;
    if (several) islands.aim[static_cast<std::size_t>(islands.of[c])] = 1.0;
    return several;
  });
  return at_rest;
}

// Share of the problem's contacts that are new since the last look: so many will make others, and
// change the impulses of the rest.
double share_of_new(const Workspace& work, const StepRecord& record) {
  constexpr std::size_t least = 256;  // [contacts] below, solves cost next to nothing
  if (work.in_problem.size() < least) return 0.0;
  const auto is_new = [&](ContactIndex c) { return work.match[static_cast<std::size_t>(c)] < 0; };
  const auto n_new = record.passes > 0
                         ? static_cast<std::ptrdiff_t>(work.missed.size())
                         : std::count_if(work.in_problem.begin(), work.in_problem.end(), is_new);
  return static_cast<double>(n_new) / static_cast<double>(work.in_problem.size());
}

// Tolerance of a solve after which more contacts are likely to be found: no closer than these will
// change the impulses. Only `scaled` is relative to impulses, as the share is.
double tolerance_of_pass(const contact::SolverOptions& options, double share) {
  const bool relative =
      options.measure == contact::Measure::scaled || options.measure == contact::Measure::combined;
  if (share > 0.005)
    return 3.0 * (relative ? std::max(options.tolerance, 1e-3) : options.tolerance);
  return relative ? std::max(options.tolerance, 0.1 * share) : options.tolerance;
}

// What the solver is asked for in this pass.
contact::SolverOptions options_of_pass(const Model& model, const Settings& settings,
                                       const State& state, Workspace& work,
                                       const StepRecord& record) {
  contact::SolverOptions options = settings.step.solver;
  if (find_aims(model, settings, state, work)) options.aim = aim_at_rest;
  options.aim = std::min(options.aim, work.aim);
  double more = 1.0;
  if (options.aim == 1.0 && settings.step.activation == Activation::predict) {
    const double tolerance = tolerance_of_pass(options, share_of_new(work, record));
    more = tolerance / options.tolerance;
    options.velocity_tolerance = contact::velocity_bound(options) * more;
    options.tolerance = tolerance;
  }
  // What rests goes on as far as ever, what moves stops at the tolerance of the pass.
  for (double& aim : work.problem.islands.aim) {
    aim = std::min(aim, work.aim);
    if (aim < 1.0) aim /= more;
  }
  // A step that ran out of sweeps will hardly converge, but contacts that it missed need some.
  // (Contacts that go back to the published law make another problem of it, often one that does.)
  const bool same_law = settings.step.rest == Rest::published ||
                        (settings.step.rest == Rest::clamped && !work.any_damped);
  if (record.passes > 0 && work.ran_out && same_law)
    options.max_iterations = std::max<std::int64_t>(options.max_iterations / 10, 1);
  if (record.passes > 0 && same_law) options.wedged = record.wedged;
  if (record.passes > 0) options.min_iterations = std::max<std::int64_t>(options.min_iterations, 1);
  return options;
}

// How far its loads move points of number k of Model::steered in the step, at most [m].
double way_by_loads(const Model& model, double h, const Workspace& work, std::size_t k) {
  const auto i = static_cast<std::size_t>(model.steered[k].body);
  const SteeredStep& on = work.free.steered[k];
  return h * (on.impulse_W.norm() / model.mass[i] +
              model.radius[i] * on.angular_B.cwiseQuotient(model.inertia[i]).norm());
}

}  // namespace

void detect(const Model& model, const Settings& settings, const State& state, Workspace& work,
            StepRecord& record) {
  const double h = settings.time.dt;
  const bool middle = settings.step.frames == Frames::middle;
  const double fall = h * h * work.pull;
  for_each_item(state.x.size(), work.executor, [&](std::size_t i) {
    if (model.kind[i] == BodyKind::fixed) {
      work.x_ahead[i] = state.x[i];
      work.q_ahead[i] = state.q[i];
      work.reach[i] = fall;
      return;
    }
    work.x_ahead[i] = state.x[i] + h * state.v[i];
    const double left = middle ? left_of_step(settings, work, i) * h : h;  // from its frame on
    work.q_ahead[i] = state.q[i] * integrators::cayley(left * state.w[i]);
    const double radius = model.radius[i];
    double motion =
        h * (state.v[i].norm() + (std::isfinite(radius) ? radius * state.w[i].norm() : 0.0)) + fall;
    if (model.kind[i] == BodyKind::driven)
      motion = look_ahead_of_driven(model, state, h, i, work) + fall;
    work.reach[i] = motion + (std::isfinite(radius) && model.is_dynamic(static_cast<BodyIndex>(i))
                                  ? reach_slack * radius
                                  : 0.0);
  });
  for (std::size_t k = 0; k < model.steered.size(); ++k)
    work.reach[static_cast<std::size_t>(model.steered[k].body)] += way_by_loads(model, h, work, k);
  spread_turning_walls(model, h, state, work);
  work.image_shift = state.image_shift;
  if (work.cell.is_periodic()) {
    check_reach(model, state, h, work);
    const double drift = 0.5 * h * std::abs(work.cell.image_speed());
    for (double& reach : work.reach) reach += drift;
  }
  const double shift = state.image_shift, shift_ahead = shift + h * work.cell.image_speed();
  const collision::Poses start{state.x, middle ? work.start_q : state.q, shift},
      ahead{work.x_ahead, work.q_ahead, shift_ahead};
  const collision::Poses frames{middle ? work.frame_x : state.x, state.q, shift};
  work.detector.detect(model, frames, ahead, start, state.active, work.reach, work.executor,
                       work.contacts);
  find_zones(model, state.x, work.contacts);
  tell_from_start(settings, state, work);
  record.candidates = static_cast<std::int64_t>(work.contacts.size());
  find_start_gaps(model, settings, state, work);
  for (const double gap : gaps_at_start(work))
    record.max_penetration = std::max(record.max_penetration, -gap);
}

void find_held(Workspace& work) {
  constexpr double nothing = 1e-12;  // [-] of the mobility of free bodies
  work.held.clear();
  if (work.free.directions.empty()) return;
  work.held.resize(work.contacts.size());
  for_each_item(work.contacts.size(), work.executor, [&](std::size_t c) {
    const ContactKey& key = work.contacts.key[c];
    const Vector3& n = work.contacts.normal[c];
    double mobility = 0.0, of_free = 0.0;
    const auto add = [&](BodyIndex body, const Vector3& point) {
      const auto i = static_cast<std::size_t>(body);
      const double inverse = work.free.inverse_mass[i];
      const Vector3 turn = (point - work.frame_x[i]).cross(n);
      mobility += inverse * work.free.directions[i].cwiseProduct(n).squaredNorm() +
                  turn.dot(work.free.inverse_inertia_W[i] * turn);
      of_free += inverse;
    };
    add(key.body_a, work.contacts.point_a[c]);
    add(key.body_b, work.contacts.point_b[c]);
    work.held[c] = mobility <= nothing * of_free ? 1 : 0;
    if (work.held[c] != 0) work.contacts.gap[c] = std::numeric_limits<double>::infinity();
  });
}

void activate(const Model& model, const Settings& settings, const State& state, Workspace& work) {
  find_held(work);
  contact::match_kept(work.contacts, state.kept, work.match);
  const double fall = settings.time.dt * settings.time.dt * work.pull;
  contact::hand_over(work.contacts, state.kept, work.free.inverse_mass, fall, work.match,
                     work.lost);
  recall_memory(model, state, work);
  start_damped(model, settings, work);
  contact::normal_velocities(work.contacts, work.frame_x, state.v, work.start_w_W, work.cell,
                             work.executor, work.u_N);
  go_on_from_last_step(state, work);
  const contact::StepScale scale = step_scale(settings, work);
  if (const auto rule = published_rule(settings)) {
    contact::activate_published(work.contacts, work.u_N, *rule, work.in_problem);
    contact::enter_by_law(work.contacts, scale, model.materials, model.material, work.memory,
                          work.in_problem);
    return;
  }
  for_each_item(state.x.size(), work.executor,
                [&](std::size_t i) { work.end.w_W[i] = work.free.R_WB[i] * work.free.w_B[i]; });
  average_normal_velocities(work.free.v, work.end.w_W, work);
  contact::activate_predicted(work.contacts, scale, work.u_N_theta, work.match, work.in_problem);
  contact::enter_by_law(work.contacts, scale, model.materials, model.material, work.memory,
                        work.in_problem);
}

void assemble(const Model& model, const Settings& settings, const State& state, Workspace& work) {
  set_free_spins(model, state, work);
  const contact::BodyTable bodies{work.frame_x,     state.v,    work.start_w_W,
                                  model.material,   work.theta, work.rolling_radius,
                                  work.ride_change, work.cell,  state.slip};
  const bool remembers = contact::Laws::any_memory(model.materials);
  if (!remembers) work.memory_start.clear();
  const contact::ContactMemories memories{work.memory, remembers ? &work.memory_start : nullptr};
  contact::assemble_contacts(work.contacts, work.in_problem, work.damped, bodies, model.materials,
                             step_scale(settings, work), work.executor, work.problem, work.u_0,
                             work.spin_0, memories);
  add_beside(work);
}

void start_impulses(const State& state, Workspace& work) {
  work.coupling_residual = std::numeric_limits<double>::infinity();
  const contact::BodyProblem& problem = work.problem;
  // The other start waits where the record will put velocities.
  std::vector<Vector3>&p_before = work.u_theta, &moment_before = work.spin_theta;
  contact::start_impulses(problem, work.in_problem, work.match, state.kept.impulse_W, work.executor,
                          work.p);
  contact::start_impulses(problem, work.in_problem, work.match, state.kept.before_W, work.executor,
                          p_before);
  contact::start_moments(problem, work.in_problem, work.match, state.kept.moment_W, work.p,
                         work.executor, work.moment);
  contact::start_moments(problem, work.in_problem, work.match, state.kept.before_moment_W, p_before,
                         work.executor, moment_before);
  const contact::ContactIslands& islands = problem.islands;
  const bool several = islands.size() > 1;
  work.of_islands.resize(several ? islands.size() : 0);
  work.of_islands_before.resize(work.of_islands.size());
  const auto residual = [&](std::span<const Vector3> p, std::span<const Vector3> moment,
                            std::span<contact::Residuals> of_islands) {
    contact::velocities_with(problem, p, work.v_solver, work.w_solver, moment, work.executor);
    const double of_start = contact::residuals(problem, p, work.v_solver, work.w_solver, moment,
                                               work.executor, of_islands)
                                .impulse;
    return std::isfinite(of_start) ? of_start : std::numeric_limits<double>::infinity();
  };
  const bool before_is_better = residual(p_before, moment_before, work.of_islands_before) <
                                residual(work.p, work.moment, work.of_islands);
  if (!several && before_is_better) {
    work.p.swap(p_before);
    work.moment.swap(moment_before);
  }
  for (std::size_t k = 0; k < work.of_islands.size(); ++k) {
    // What is not finite is no better than anything.
    if (!(work.of_islands_before[k].impulse < work.of_islands[k].impulse) &&
        std::isfinite(work.of_islands[k].impulse))
      continue;
    for (const ContactIndex c : islands.contacts(k)) {
      const auto at = static_cast<std::size_t>(c);
      work.p[at] = p_before[at];
      if (!work.moment.empty()) work.moment[at] = moment_before[at];
    }
  }
}

void solve(const Model& model, const Settings& settings, const State& state, Workspace& work,
           StepRecord& record) {
  const contact::SolverOptions options = options_of_pass(model, settings, state, work, record);
  const contact::SolveReport report = work.solver.solve(
      work.problem, options, work.executor, work.p, work.v_solver, work.w_solver, work.moment);
  record.iterations += report.iterations;
  record.converged = report.converged;
  work.stopped_short = report.converged && options.tolerance > settings.step.solver.tolerance;
  work.ran_out = !report.converged || (record.passes > 0 && work.ran_out);
  work.solver_residual = contact::stop_value(report.residual, options);
  work.solver_round_off = report.round_off;
  record.from_zero = record.from_zero || report.from_zero;
  record.wedged = {-1, -1};
  if (report.no_solution) {
    const auto wedged = static_cast<std::size_t>(report.wedged);
    record.wedged = {work.problem.body_a[wedged], work.problem.body_b[wedged]};
  }
  record.contacts = static_cast<std::int64_t>(work.problem.n_contacts());
  ++record.passes;
}

bool add_missed_contacts(const Model& model, const Settings& settings, const State& state,
                         Workspace& work, StepRecord& record) {
  if (settings.step.activation != Activation::predict) return false;
  average_normal_velocities(work.end.v, work.end.w_W, work);
  contact::find_missed(work.contacts, step_scale(settings, work), work.u_N_theta, work.in_problem,
                       work.missed);
  if (work.missed.empty() && !work.stopped_short) return false;
  ++record.rounds;
  if (work.missed.empty()) return true;
  contact::insert_contacts(work.missed, work.in_problem, work.p, work.moment);
  assemble(model, settings, state, work);
  return true;
}

bool check_coupling(const Model& model, const Settings& settings, const State& state,
                    Workspace& work, StepRecord& record) {
  record.residual = contact::residuals(work.problem, work.p, work.end.v, work.end.w_W, work.moment,
                                       work.executor);
  const contact::SolverOptions& options = settings.step.solver;
  const double residual = contact::stop_value(record.residual, options);
  // A solver that fell short still gets the frozen spins right, as long as these are what keeps the
  // residual up.
  const bool solver_failed = !record.converged;
  const bool hopeless = solver_failed && (!(residual > 2.0 * work.solver_residual) ||
                                          residual > 0.5 * work.coupling_residual);
  work.coupling_residual = residual;
  const bool met = residual <= options.tolerance;
  record.stop_value = residual;
  record.round_off =
      !met && work.solver_round_off &&
      contact::round_off_ratio(work.problem, work.p, work.end.v, work.end.w_W, work.moment) <= 1.0;
  record.converged = met || record.round_off;
  if (record.converged || hopeless || record.passes - record.rounds >= settings.step.max_passes)
    return true;
  freeze_spins(model, settings, state, work);
  return false;
}

void freeze_spins(const Model& model, const Settings& settings, const State& state,
                  Workspace& work) {
  integrators::freeze_gyroscopic(model, state, {settings.time.dt, work.theta}, work.end, work.free);
  set_free_spins(model, state, work);
  add_beside(work);
}

void keep_impulses(const StepRecord& record, Workspace& work, State& state) {
  contact::keep_moments(work.problem, work.in_problem, work.match, work.moment, work.executor,
                        state.kept);
  contact::keep_impulses(work.problem, work.contacts, work.in_problem, work.match, work.p,
                         work.executor, state.kept);
  if (record.wedged[0] < 0) return;
  // Impulses of a step without a solution say nothing, and hold a body between two others by
  // friction for as long as they last.
  KeptImpulses& kept = state.kept;
  for (std::vector<Vector3>* of_contacts :
       {&kept.impulse_W, &kept.before_W, &kept.moment_W, &kept.before_moment_W}) {
    std::fill(of_contacts->begin(), of_contacts->end(), Vector3::Zero());
  }
}

}  // namespace scree
