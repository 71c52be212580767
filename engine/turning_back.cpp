#include "engine/turning_back.hpp"

#include <algorithm>
#include <cmath>

#include "contact/laws/assemble.hpp"
#include "contact/laws/laws.hpp"
#include "engine/contact_phase.hpp"
#include "engine/damped_rest.hpp"
#include "engine/ledger.hpp"
#include "engine/model/contact_law.hpp"
#include "engine/slow_motion.hpp"

namespace scree {

namespace {

constexpr double steps_of_fall = 10.0;  // [-] what turns back more slowly is left: it goes with h
constexpr double share_left = 0.1;      // [-] of its velocity, which the mean of a step may have
constexpr double impact_fall = 3.0,     // [-] what approaches faster than by so many steps' fall
    impact_share = 0.01;                // and this share of its speed strikes

// [m/s] What a body gains by falling for a step. Loads do not count: they are what clamps.
double fall_of_step(const Model& model, const Settings& settings, const Workspace& work) {
  return settings.time.dt * model.gravity.norm() + work.free.field_gain.norm();
}

bool goes_on(const Workspace& work, std::size_t c) {
  return work.match[static_cast<std::size_t>(work.in_problem[c])] >= 0;
}

// Into work.turning: the bodies that contacts turned back in the last steps and would again, less
// those that something strikes. Whether there are any.
bool find_turning_bodies(const Model& model, const Settings& settings, const State& state,
                         Workspace& work) {
  work.turning.assign(state.x.size(), 0);
  const double fall = fall_of_step(model, settings, work);
  const auto may_turn = [&](std::size_t i) {
    return !is_moved_by_contacts(work, i) || state.turned_back[i] == State::turns_on_end;
  };
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c) {
    const auto a = static_cast<std::size_t>(work.problem.body_a[c]),
               b = static_cast<std::size_t>(work.problem.body_b[c]);
    if (!may_turn(a) || !may_turn(b) || !turns_back(work, c, steps_of_fall * fall)) continue;
    for (const std::size_t i : {a, b}) work.turning[i] = is_moved_by_contacts(work, i) ? 1 : 0;
  }
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c) {
    if (!(work.p[c].x() > 0.0)) continue;
    for (const BodyIndex body : {work.problem.body_a[c], work.problem.body_b[c]}) {
      const auto i = static_cast<std::size_t>(body);
      if (work.turning[i] == 0) continue;
      const double speed = state.v[i].norm() + model.radius[i] * state.w[i].norm();
      const bool strikes = -work.u_0[c].x() > impact_fall * fall + impact_share * speed;
      if (strikes || !goes_on(work, c)) work.turning[i] = 0;
    }
  }
  return std::ranges::any_of(work.turning, [](std::uint8_t turning) { return turning != 0; });
}

}  // namespace

bool turns_back(const Workspace& work, std::size_t c, double least) {
  const bool moments = work.problem.has_moments();
  double before = work.u_0[c].squaredNorm();
  if (moments) before += std::pow(work.problem.length[c], 2) * work.spin_0[c].squaredNorm();
  if (!(before > least * least) || !(work.p[c].x() > 0.0) || !goes_on(work, c)) return false;
  double mean = averaged_velocity(work, c).squaredNorm();
  if (moments) mean += std::pow(work.problem.length[c], 2) * averaged_spin(work, c).squaredNorm();
  return mean <= share_left * share_left * before;
}

void note_turning_bodies(const Model& model, const Settings& settings, Workspace& work,
                         State& state) {
  std::vector<std::uint8_t>& before = work.turning;
  before.swap(state.turned_back);
  state.turned_back.clear();
  const double least = steps_of_fall * fall_of_step(model, settings, work);
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c) {
    if (!turns_back(work, c, least)) continue;
    state.turned_back.resize(state.x.size(), 0);
    for (const BodyIndex body : {work.problem.body_a[c], work.problem.body_b[c]}) {
      const auto i = static_cast<std::size_t>(body);
      const int turns = before.empty() ? 1 : before[i] + 1;
      state.turned_back[i] = static_cast<std::uint8_t>(std::min<int>(turns, State::turns_on_end));
    }
  }
}

bool stop_turning_contacts(const Model& model, const Settings& settings, const State& state,
                           Workspace& work, StepRecord& record) {
  if (settings.step.rest != Rest::clamped || work.any_damped || state.turned_back.empty())
    return false;
  // A solve without an answer tells nothing of what turns back.
  if (!record.converged || record.wedged[0] >= 0) return false;
  if (!find_turning_bodies(model, settings, state, work)) return false;
  for (std::size_t c = 0; c < work.contacts.size(); ++c) {
    const ContactKey& key = work.contacts.key[c];
    const bool of_turning = work.turning[static_cast<std::size_t>(key.body_a)] != 0 ||
                            work.turning[static_cast<std::size_t>(key.body_b)] != 0;
    if (!of_turning || work.match[c] < 0 || !is_fremond(model, work.contacts, c)) continue;
    work.damped[c] = 1;
    work.any_damped = true;
  }
  if (!work.any_damped) return false;
  ++record.rounds;
  assemble(model, settings, state, work);
  return true;
}

}  // namespace scree
