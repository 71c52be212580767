#include "engine/caught_bodies.hpp"

#include <algorithm>
#include <cmath>

#include "engine/base/forest.hpp"
#include "engine/model/contact_law.hpp"
#include "engine/slow_motion.hpp"
#include "integrators/rotation_update.hpp"

namespace scree {

namespace {

// Whether contact c is the impact of a fast pair that may go deeper than is allowed.
bool is_caught(const Model& model, const Settings& settings, const Workspace& work, std::size_t c) {
  const auto candidate = static_cast<std::size_t>(work.in_problem[c]);
  if (!(work.contacts.touch[candidate] < 1.0) || !(work.p[c].x() > 0.0)) return false;
  const auto a = static_cast<std::size_t>(work.problem.body_a[c]),
             b = static_cast<std::size_t>(work.problem.body_b[c]);
  const double e = law_of(model, work.contacts, work.in_problem[c]).e;
  const double way =
      settings.time.dt * (1.0 - contact_theta(work, c)) * (1.0 - e) * -work.u_0[c].x();
  return way > settings.step.catch_share * std::min(work.thickness[a], work.thickness[b]);
}

// Bodies that push each other, as trees.
void join_bodies(Workspace& work) {
  std::vector<std::size_t>& group = work.touch_group;
  group.resize(work.thickness.size());
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = i;
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c) {
    const auto a = static_cast<std::size_t>(work.problem.body_a[c]),
               b = static_cast<std::size_t>(work.problem.body_b[c]);
    if (!(work.p[c].x() > 0.0) || !is_moved_by_contacts(work, a) || !is_moved_by_contacts(work, b))
      continue;
    const std::size_t one = root_of(group, a), other = root_of(group, b);
    group[std::max(one, other)] = std::min(one, other);
  }
}

// Whether body i is pushed by a driven body that moves; then it cannot wait for the next step.
bool is_driven_on(const Model& model, const State& state, const Workspace& work, std::size_t root) {
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c) {
    if (!(work.p[c].x() > 0.0)) continue;
    const auto a = static_cast<std::size_t>(work.problem.body_a[c]),
               b = static_cast<std::size_t>(work.problem.body_b[c]);
    const auto drives = [&](std::size_t i) {
      return model.kind[i] == BodyKind::driven &&
             !(state.v[i].isZero(0.0) && state.w[i].isZero(0.0) && work.end.v[i].isZero(0.0));
    };
    if ((drives(a) && work.touch_group[b] == root) || (drives(b) && work.touch_group[a] == root))
      return true;
  }
  return false;
}

}  // namespace

void find_caught(const Model& model, const Settings& settings, const State& state, Workspace& work,
                 StepRecord& record) {
  work.n_caught = 0;
  const std::vector<double>& touch = work.contacts.touch;
  const auto is_fast = [&](ContactIndex c) { return touch[static_cast<std::size_t>(c)] < 1.0; };
  if (std::none_of(work.in_problem.begin(), work.in_problem.end(), is_fast)) return;
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c) {
    if (!is_caught(model, settings, work, c)) continue;
    if (work.n_caught++ == 0) {
      join_bodies(work);
      work.way_share.assign(state.x.size(), 1.0);
    }
    const double share = touch[static_cast<std::size_t>(work.in_problem[c])];
    for (const BodyIndex body : {work.problem.body_a[c], work.problem.body_b[c]}) {
      const auto i = static_cast<std::size_t>(body);
      if (!is_moved_by_contacts(work, i)) continue;
      double& mine = work.way_share[root_of(work.touch_group, i)];
      mine = std::min(mine, share);
    }
  }
  if (work.n_caught == 0) return;
  work.n_caught = 0;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (!is_moved_by_contacts(work, i)) continue;
    const std::size_t root = root_of(work.touch_group, i);
    work.touch_group[i] = root;
    work.way_share[i] = work.way_share[root];
    if (work.way_share[i] < 1.0) ++work.n_caught;
  }
  // Roots are the lowest of their group, so each is seen before its members; from now on a negative
  // share means: goes on.
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (!(work.way_share[i] < 1.0) || !is_moved_by_contacts(work, i)) continue;
    const std::size_t root = work.touch_group[i];
    if (root == i && is_driven_on(model, state, work, root)) work.way_share[i] = -work.way_share[i];
    if (root != i && work.way_share[root] < 0.0) work.way_share[i] = work.way_share[root];
  }
  record.caught = work.n_caught;
  work.caught_x.resize(state.x.size()), work.caught_q.resize(state.x.size());
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    const double share = std::abs(work.way_share[i]);
    if (!(share < 1.0)) continue;
    const Quaternion& q_0 = work.start_q.empty() ? state.q[i] : work.start_q[i];
    Pose pose = pose_between({state.x[i], q_0}, {work.x_ahead[i], work.q_ahead[i]}, share);
    if (work.way_share[i] < 0.0) {
      const double rest = (1.0 - share) * settings.time.dt;
      pose.x += rest * work.end.v[i];
      pose.q = (pose.q * integrators::cayley(rest * work.end.w_B[i])).normalized();
    }
    work.caught_x[i] = pose.x;
    work.caught_q[i] = pose.q;
  }
}

void hold_caught(const Model& model, const Workspace& work, State& state, StepRecord& record) {
  if (work.n_caught == 0) return;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (!(work.way_share[i] < 1.0) || !is_moved_by_contacts(work, i)) continue;
    const double potential = -model.mass[i] * model.gravity.dot(work.caught_x[i] - state.x[i]);
    record.ledger.projection_work += potential;
    state.potential_change += potential;
    state.x[i] = work.caught_x[i];
    state.q[i] = work.caught_q[i];
  }
}

}  // namespace scree
