#include "engine/step_warnings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/solver/worst_contact.hpp"
#include "engine/departures.hpp"
#include "engine/support.hpp"
#include "engine/turning_back.hpp"

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

// At the start of the step [m]. Contacts that no impulse can act on, because their bodies are
// locked there, have no gap any more, but their points.
double gap_at_start(const Workspace& work, std::size_t c) {
  if (work.held.empty() || work.held[c] == 0) return gaps_at_start(work)[c];
  Vector3 apart = work.contacts.point_b[c] - work.contacts.point_a[c];
  if (const ImageCode image = work.contacts.key[c].image; image != 0)
    apart += work.cell.offset(image, work.image_shift);
  return work.contacts.normal[c].dot(apart);
}

void warn_of_overlap(const Workspace& work, StepRecord& record) {
  if (!(record.max_penetration > overlap_limit * work.smallest_thickness)) return;
  double worst = overlap_limit;
  std::size_t deepest = work.contacts.size();
  for (std::size_t c = 0; c < work.contacts.size(); ++c) {
    const ContactKey& key = work.contacts.key[c];
    const double share = -gap_at_start(work, c) / thinner(work, key.body_a, key.body_b);
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

// What the drives of bodies transmit, against all that could be meant by it: the weights, and what
// stops or starts all moving bodies at once.
void warn_of_crushing(const Model& model, const Settings& settings, const Workspace& work,
                      StepRecord& record) {
  if (model.histories.empty()) return;
  const double weight = work.weight * settings.time.dt;
  const auto is_crushing = [&](std::size_t i) {
    return model.kind[i] == BodyKind::driven && work.impulse[i].norm() > crush_limit * weight;
  };
  bool any = false;
  for (std::size_t i = 0; i < model.kind.size(); ++i) any = any || is_crushing(i);
  if (!any) return;
  double mass = 0.0, speed = 0.0;
  for (const double m : model.mass) mass += m;
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c)
    speed = std::max(speed, work.u_0[c].norm());
  const double momentum = mass * speed;
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    if (!is_crushing(i)) continue;
    const double impulse = work.impulse[i].norm(), scale = weight + momentum;
    if (scale > 0.0 && impulse > impact_limit * momentum)
      record.warnings.raise(Warning::crushed, impulse / scale, {body});
  }
}

// What works of a step are compared with [J]: the energy scale, or at rest what the weights do when
// they fall for a step.
double energy_at_hand(const Settings& settings, const State& state, const Workspace& work) {
  return state.energy_scale + work.weight * work.pull * settings.time.dt * settings.time.dt;
}

// What the impulses of a step could give the bodies that they act on [J]: without gravity that is
// the scale of their works and of the round-off in them, also where all stands still.
double energy_of_impulses(const Workspace& work) {
  if (work.pull > 0.0) return 0.0;
  double energy = 0.0;
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c) {
    const auto a = static_cast<std::size_t>(work.problem.body_a[c]),
               b = static_cast<std::size_t>(work.problem.body_b[c]);
    energy +=
        0.5 * work.p[c].squaredNorm() * (work.free.inverse_mass[a] + work.free.inverse_mass[b]);
  }
  return energy;
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
  double energy = energy_at_hand(settings, state, work);
  // A residual of zero still leaves the round-off of the works themselves.
  const double share =
      std::max({record.residual.scaled, asked, std::numeric_limits<double>::epsilon()});
  if (!(positive > work_limit * share * energy)) return;
  energy += energy_of_impulses(work);
  const double limit = work_limit * share * energy;
  if (!(positive > limit)) return;
  const auto [c, most] = most_working_contact(work);
  if (!(most > limit)) return;
  record.warnings.raise(Warning::positive_work, most / energy,
                        {work.problem.body_a[c], work.problem.body_b[c]});
}

// How fast a body may be to and fro without a word [m/s]: ten times what it gains by falling for a
// step, which is what sticking contacts of a wall turn round, and a thousandth of what the energy
// scale would give all bodies.
double least_turning_speed(const Model& model, const Settings& settings, const State& state,
                           const Workspace& work) {
  const double h = settings.time.dt;
  double mass = 0.0;
  for (std::size_t i = 0; i < model.mass.size(); ++i)
    mass += model.kind[i] == BodyKind::dynamic && state.active[i] != 0 ? model.mass[i] : 0.0;
  double gain = h * model.gravity.norm();
  if (!model.field.empty()) gain += work.free.field_gain.norm();
  return 10.0 * gain + 1e-3 * std::sqrt(2.0 * state.energy_scale / mass);
}

// Bodies that a contact which goes on turns back. Seen at one look it may be chance, at two it is
// none.
void look_for_turning_bodies(const Model& model, const Settings& settings, const Workspace& work,
                             State& state, StepRecord& record) {
  constexpr std::uint8_t turns = 4;
  state.touched.resize(state.x.size(), 0);
  const double least = least_turning_speed(model, settings, state, work);
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c) {
    if (!turns_back(work, c, least)) continue;
    for (const BodyIndex body : {work.problem.body_a[c], work.problem.body_b[c]}) {
      if (!model.is_dynamic(body)) continue;
      std::uint8_t& bits = state.touched[static_cast<std::size_t>(body)];
      if ((bits & State::has_turned_back) != 0)
        record.warnings.raise(Warning::turns_back, work.u_0[c].norm(), {body});
      bits |= turns;
    }
  }
  for (std::uint8_t& bits : state.touched) {
    const std::uint8_t turned = (bits & turns) != 0 ? State::has_turned_back : 0;
    bits = static_cast<std::uint8_t>((bits & State::has_touched) | turned);
  }
}

// Normal velocity of candidate c averaged over the step.
double mean_normal_velocity(const State& state, const Workspace& work, std::size_t c) {
  const ContactKey& key = work.contacts.key[c];
  const auto at = [&](BodyIndex body, const Vector3& point) -> Vector3 {
    const auto i = static_cast<std::size_t>(body);
    const double theta = work.theta[i];
    const Vector3 v = (1.0 - theta) * state.v[i] + theta * work.end.v[i],
                  w_W = (1.0 - theta) * work.start_w_W[i] + theta * work.end.w_W[i];
    return v + w_W.cross(point - work.frame_x[i]);
  };
  Vector3 apart =
      at(key.body_b, work.contacts.point_b[c]) - at(key.body_a, work.contacts.point_a[c]);
  if (work.cell.is_sheared()) apart += work.cell.velocity(key.image);
  return work.contacts.normal[c].dot(apart);
}

// Contacts that carried in the last step, are not in the problem, and close further. Under
// `predict` there are none.
void warn_of_left_out(const Settings& settings, const State& state, const Workspace& work,
                      StepRecord& record) {
  if (settings.step.activation == Activation::predict) return;
  const double least =
      settings.step.correction == PositionCorrection::none ? sinking_limit : 0.0;  // it hides them
  std::size_t next = 0;
  for (std::size_t c = 0; c < work.contacts.size(); ++c) {
    if (next < work.in_problem.size() && work.in_problem[next] == static_cast<ContactIndex>(c)) {
      ++next;
      continue;
    }
    const ContactIndex last = work.match[c];
    if (last < 0 || state.kept.impulse_W[static_cast<std::size_t>(last)].isZero(0.0)) continue;
    const ContactKey& key = work.contacts.key[c];
    const double u_N = mean_normal_velocity(state, work, c);
    const double deep = -(work.contacts.gap[c] + settings.time.dt * u_N);
    const double share = deep / thinner(work, key.body_a, key.body_b);
    if (u_N < 0.0 && share > std::max(least, 1e-9))
      record.warnings.raise(Warning::left_out, share, {key.body_a, key.body_b});
  }
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
    if (!model.is_dynamic(body) || state.active[i] == 0 || has_left(state, i)) continue;
    const double depth = lowest - state.x[i].dot(up) - model.radius[i], speed = -state.v[i].dot(up);
    if (!(depth > 0.0) || !(speed > 0.0) || speed * speed < g * depth) continue;
    entry.add(body);
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
    state.touched[static_cast<std::size_t>(body)] |= State::has_touched;
  for (const BodyIndex body : work.problem.body_b)
    state.touched[static_cast<std::size_t>(body)] |= State::has_touched;
}

// Moving bodies that are there and met nothing, in a scene where something could be met. Without
// gravity some of many may pass all others: there it counts that nothing met at all. What is locked
// against gravity meets nothing by falling.
void look_for_lonely_bodies(const Model& model, const State& state, WarningLog& log) {
  const auto is_touched = [](std::uint8_t touched) { return touched != 0; };
  const bool some_move = log[Warning::nothing_moves].count == 0 && model.n_bodies() > 1;
  const bool expected =
      model.gravity.isZero(0.0)
          ? some_move && std::ranges::none_of(state.touched, is_touched)
          : log[Warning::no_support].count == 0 && log[Warning::nothing_moves].count == 0 &&
                log[Warning::flown_off].count == 0 && has_dynamic_and_other(model);
  if (!expected) return;
  WarningEntry entry;
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    if (!model.is_dynamic(body) || state.active[i] == 0 ||
        (!model.gravity.isZero(0.0) && is_held_up(model, body)) ||
        (!state.touched.empty() && (state.touched[i] & State::has_touched) != 0))
      continue;
    entry.add(body);
  }
  entry.worst = state.time;
  log.set(Warning::no_contact, entry);
}

// Of steps that have an answer. Lifts are compared with one of all bodies by the smallest
// thickness, too.
void warn_of_energies(const Workspace& work, const LedgerRow& ledger, double energy,
                      WarningLog& log) {
  const double balance = std::abs(ledger.balance), lift = work.weight * work.smallest_thickness,
               lifted = ledger.projection_work / (energy + lift);
  if (balance > balance_limit * energy) {
    const double scale = energy + energy_of_impulses(work);
    if (balance > balance_limit * scale) log.raise(Warning::open_ledger, balance / scale);
  }
  if (lifted > projection_limit) log.raise(Warning::projection_work, lifted);
}

// Without contacts, at time `t` [N].
Vector3 force_on(const Model& model, const State& state, BodyIndex body, double t) {
  const auto i = static_cast<std::size_t>(body);
  Vector3 force = model.mass[i] * model.gravity;
  for (const FieldRecord& part : model.field)
    force += model.mass[i] * value_at(part.acceleration, t);
  const auto steered = std::ranges::lower_bound(model.steered, body, {}, &SteeredBody::body);
  if (steered == model.steered.end() || steered->body != body) return force;
  for (std::int32_t k = steered->load_begin; k < steered->load_end; ++k) {
    const Load& load = model.loads[static_cast<std::size_t>(k)];
    if (load.force.empty()) continue;
    Vector3 value = value_at(load.force, t);
    if (load.span) {
      value *= load.span->at(state.x[static_cast<std::size_t>(load.span->wall[0])],
                             state.x[static_cast<std::size_t>(load.span->wall[1])]);
    }
    force += load.axes == LoadAxes::body ? Vector3(state.q[i] * value) : value;
  }
  return force;
}

// Moving bodies far above all else that go up, and ever faster.
void look_for_flown_bodies(const Model& model, const State& state, WarningLog& log) {
  if (model.gravity.isZero(0.0) || (model.loads.empty() && model.field.empty())) return;
  const double highest = highest_support(model, state);
  if (!std::isfinite(highest)) return;
  const Vector3 up = -model.gravity.normalized();
  WarningEntry entry;
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    if (!model.is_dynamic(body) || state.active[i] == 0 || has_left(state, i)) continue;
    const double height = state.x[i].dot(up) - highest;
    if (!(height > flown_limit * 2.0 * model.radius[i]) || !(state.v[i].dot(up) > 0.0) ||
        !(force_on(model, state, body, state.time).dot(up) > 0.0))
      continue;
    entry.add(body);
    entry.worst = std::max(entry.worst, height);
  }
  if (entry.count == 0) return;
  entry.time = state.time;
  log.set(Warning::flown_off, entry);
}

// Bodies that the stop rule took for quiet and that are not: by what they would need to get over
// themselves, or as much of the run's energy is theirs. What turns round at every step goes
// nowhere, and is told of as such.
void look_for_lively_bodies(const Model& model, const Settings& settings, const State& state,
                            WarningLog& log) {
  const double allowed = settings.stop.displacement / settings.stop.window,
               g = model.gravity.norm();
  const auto energy_of = [&](std::size_t i) {
    return 0.5 * model.mass[i] * state.v[i].squaredNorm();
  };
  const auto counts = [&](std::size_t i) {
    return model.kind[i] == BodyKind::dynamic && state.active[i] != 0 && !has_left(state, i);
  };
  double all = 0.0;
  for (std::size_t i = 0; i < state.x.size(); ++i) all += counts(i) ? energy_of(i) : 0.0;
  const bool lively = all > lively_share * state.energy_scale;
  WarningEntry entry;
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const double speed = state.v[i].norm();
    if (!counts(i) || speed > 2.0 * allowed || !(speed > 1e-3 * allowed)) continue;
    const double high = model.mass[i] * g * 2.0 * model.radius[i], energy = energy_of(i);
    if (!(energy > quiet_energy * high && g > 0.0) && !(lively && energy >= 1e-4 * high)) continue;
    entry.add(body);
    entry.worst = std::max(entry.worst, speed);
  }
  if (entry.count == 0) return;
  entry.time = state.time;
  log.set(Warning::moving_stop, entry);
}

}  // namespace

void warn_of_step(const Model& model, const Settings& settings, const Workspace& work, State& state,
                  StepRecord& record) {
  warn_of_residual(work, record);
  warn_of_overlap(work, record);
  warn_of_motion(settings, work, record);
  warn_of_crushing(model, settings, work, record);
  warn_of_work(settings, state, work, record);
  warn_of_left_out(settings, state, work, record);
  if (record.step % steps_between_turns == 0)
    look_for_turning_bodies(model, settings, work, state, record);
}

void keep_warnings(const Model& model, const Settings& settings, const Workspace& work,
                   StepRecord& record, State& state) {
  warn_of_spins(settings, work, record);
  if (record.wedged[0] < 0) {
    warn_of_energies(work, record.ledger, energy_at_hand(settings, state, work), record.warnings);
  }
  state.warnings.add_step(record.warnings, record.time);
  note_touched(work, state);
  if (state.step % steps_between_looks != 0) return;
  look_for_lost_bodies(model, state, state.warnings);
  look_for_fast_spins(model, settings, state, state.warnings);
}

void warn_of_run(const Model& model, const Settings& settings, const State& state, bool quiet,
                 WarningLog& log) {
  if (state.step % steps_between_looks != 0) look_for_fast_spins(model, settings, state, log);
  look_for_lost_bodies(model, state, log);
  look_for_flown_bodies(model, state, log);
  if (quiet) look_for_lively_bodies(model, settings, state, log);
  look_for_lonely_bodies(model, state, log);
}

}  // namespace scree
