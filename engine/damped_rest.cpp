#include "engine/damped_rest.hpp"

#include <algorithm>
#include <cmath>

#include "contact/laws/laws.hpp"
#include "engine/base/forest.hpp"
#include "engine/contact_frames.hpp"
#include "engine/contact_memory.hpp"
#include "engine/contact_phase.hpp"
#include "engine/ledger.hpp"
#include "engine/model/contact_law.hpp"
#include "engine/slow_motion.hpp"

namespace scree {

namespace {

constexpr double least_aim =
    1e-4;  // [-] of the tolerance; with tolerances of 1e-8 and less, round-off is not far below

GroupState& group_state(Workspace& work, std::size_t body) {
  return work.group_state[root_of(work.group, body)];
}

bool is_reverted(GroupState state) {
  return state == GroupState::slow_reverted || state == GroupState::fast_reverted;
}

// Whether body i may be in a slow group: slow, or turned round at every step. A body that is driven
// must not move at all, since its velocities at both ends of the step are weighted with the scene's
// theta.
bool is_slow(const Model& model, const State& state, const Workspace& work, std::size_t i,
             double speed) {
  if (!is_moved_by_contacts(work, i))
    return state.v[i].isZero(0.0) && work.end.v[i].isZero(0.0) && state.w[i].isZero(0.0) &&
           work.end.w_B[i].isZero(0.0);
  const bool turns = !work.turning.empty() && work.turning[i] != 0;
  return turns || moves_slowly(model, state, i, speed);
}

// The moving bodies that candidates join, so that a contact added later in the step joins no two
// groups.
void find_groups(const Model& model, const Settings& settings, const State& state,
                 Workspace& work) {
  const std::size_t n = state.x.size();
  work.group.resize(n);
  for (std::size_t i = 0; i < n; ++i) work.group[i] = i;
  for (const ContactKey& key : work.contacts.key) {
    const auto a = static_cast<std::size_t>(key.body_a), b = static_cast<std::size_t>(key.body_b);
    if (!is_moved_by_contacts(work, a) || !is_moved_by_contacts(work, b)) continue;
    const std::size_t one = root_of(work.group, a), other = root_of(work.group, b);
    work.group[std::max(one, other)] = std::min(one, other);
  }
  work.group_state.assign(n, GroupState::slow);
  const double speed = slow_speed(settings, work);
  for (const ContactKey& key : work.contacts.key) {
    const auto a = static_cast<std::size_t>(key.body_a), b = static_cast<std::size_t>(key.body_b);
    if (is_slow(model, state, work, a, speed) && is_slow(model, state, work, b, speed)) continue;
    for (const std::size_t i : {a, b}) {
      if (is_moved_by_contacts(work, i)) group_state(work, i) = GroupState::fast;
    }
  }
}

std::size_t moving_body(const Workspace& work, const ContactKey& key) {
  const auto a = static_cast<std::size_t>(key.body_a);
  return is_moved_by_contacts(work, a) ? a : static_cast<std::size_t>(key.body_b);
}

// Whole work of contact c in the step [J]: of impulse and moment. Stores of laws that give way do
// not count: what they hand back they had taken.
double work_of_cone(const Model& model, const Settings& settings, const Workspace& work,
                    std::size_t c) {
  const Vector3 u_theta = averaged_velocity(work, c);
  double done = work.p[c].dot(u_theta);
  if (work.problem.has_compliance()) {
    done -= work.p[c].dot(contact::Laws::yield(law_of(model, work.contacts, work.in_problem[c]),
                                               contact_end(model, settings, work, c, u_theta)));
  }
  if (work.problem.has_moments()) done += work.moment[c].dot(averaged_spin(work, c));
  return done;
}

// Whether contact c did positive work beyond 10 tolerance |p| max(|u_k|, h |g|), with all that
// pulls for |g|; a moment counts with the length of the contact.
bool works(const Model& model, const Settings& settings, const Workspace& work, std::size_t c) {
  const double floor = settings.time.dt * work.pull;
  double impulse = work.p[c].norm(), speed = work.u_0[c].norm();
  if (work.problem.has_moments()) {
    impulse = std::hypot(impulse, work.moment[c].norm() / work.problem.length[c]);
    speed = std::hypot(speed, work.problem.length[c] * work.spin_0[c].norm());
  }
  return work_of_cone(model, settings, work, c) >
         10.0 * settings.step.solver.tolerance * impulse * std::max(speed, floor);
}

// [J] of body i, if contacts move it, at the start of the step.
double energy_of(const Model& model, const State& state, const Workspace& work, BodyIndex body) {
  const auto i = static_cast<std::size_t>(body);
  return is_moved_by_contacts(work, i) ? kinetic_energy(model, state, i) : 0.0;
}

// The same for what was damped. Where bodies are clamped, p and u_k make far more than they have:
// there the bound is as large a share of their energy.
bool damped_works(const Model& model, const Settings& settings, const State& state,
                  const Workspace& work, std::size_t c) {
  if (works(model, settings, work, c)) return true;
  if (settings.step.rest != Rest::clamped) return false;
  const double energy = energy_of(model, state, work, work.problem.body_a[c]) +
                        energy_of(model, state, work, work.problem.body_b[c]);
  return work_of_cone(model, settings, work, c) > 10.0 * settings.step.solver.tolerance * energy;
}

// The published law for all candidates of the groups in which a contact worked; with the largest
// theta if they are slow.
int revert_groups(Workspace& work) {
  for (std::size_t i = 0; i < work.theta.size(); ++i) {
    if (is_moved_by_contacts(work, i) && group_state(work, i) == GroupState::slow_reverted)
      work.theta[i] = work.rest_theta;
  }
  int reverted = 0;
  for (std::size_t c = 0; c < work.contacts.size(); ++c) {
    if (work.damped[c] == 0 ||
        !is_reverted(group_state(work, moving_body(work, work.contacts.key[c]))))
      continue;
    work.damped[c] = 0;
    ++reverted;
  }
  return reverted;
}

}  // namespace

bool is_fremond(const Model& model, const ContactSet& contacts, std::size_t c) {
  const auto& pair = law_of(contacts, c, model.materials, model.material);
  return pair && contact::Laws::averages(*pair);
}

void start_damped(const Model& model, const Settings& settings, Workspace& work) {
  work.damped.assign(work.contacts.size(), 0);
  work.aim = 1.0;
  work.any_damped = false;
  work.turning.clear();
  if (settings.step.rest != Rest::damped) return;
  for (std::size_t c = 0; c < work.contacts.size(); ++c) {
    work.damped[c] = is_fremond(model, work.contacts, c) ? 1 : 0;
    work.any_damped = work.any_damped || work.damped[c] != 0;
  }
}

bool revert_working_contacts(const Model& model, const Settings& settings, const State& state,
                             Workspace& work, StepRecord& record) {
  if (!work.any_damped) return false;
  bool groups_known = record.reversions > 0, any = false;
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c) {
    const auto candidate = static_cast<std::size_t>(work.in_problem[c]);
    if (work.damped[candidate] == 0 || !damped_works(model, settings, state, work, c)) continue;
    if (!groups_known) find_groups(model, settings, state, work);
    groups_known = any = true;
    GroupState& group = group_state(work, moving_body(work, work.contacts.key[candidate]));
    if (!is_reverted(group))
      group = group == GroupState::slow ? GroupState::slow_reverted : GroupState::fast_reverted;
  }
  if (!any) return false;
  record.reversions += revert_groups(work);
  ++record.rounds;
  if (settings.step.frames == Frames::middle) go_on_from_last_step(state, work);  // other thetas
  assemble(model, settings, state, work);
  start_impulses(state, work);  // nearer than the impulses that would have stopped the groups
  return true;
}

bool tighten_working_contacts(const Model& model, const Settings& settings, const State& state,
                              Workspace& work, StepRecord& record) {
  if (record.reversions == 0 || !record.converged || work.aim < 1.5 * least_aim) return false;
  bool any = false;
  for (std::size_t c = 0; c < work.problem.n_contacts() && !any; ++c) {
    const auto candidate = static_cast<std::size_t>(work.in_problem[c]);
    // `newton` may do work.
    any = is_fremond(model, work.contacts, candidate) && works(model, settings, work, c);
  }
  if (!any) return false;
  work.aim *= 0.1;
  ++record.rounds;
  freeze_spins(model, settings, state, work);
  return true;
}

}  // namespace scree
