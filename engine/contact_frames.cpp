#include "engine/contact_frames.hpp"

#include <algorithm>

#include "contact/laws/assemble.hpp"
#include "contact/problem/local_frame.hpp"
#include "engine/base/block_loop.hpp"
#include "engine/motion_phase.hpp"
#include "integrators/moreau_theta.hpp"

namespace scree {

namespace {

// Of body i averaged over the step, without contacts.
struct MeanVelocity {
  Vector3 v = Vector3::Zero(), w_W = Vector3::Zero();
};

MeanVelocity mean_velocity(const State& state, const Workspace& work, std::size_t i) {
  const double theta = work.theta[i];
  const Vector3 w_B = (1.0 - theta) * state.w[i] + theta * work.free.w_B[i];
  return {(1.0 - theta) * state.v[i] + theta * work.free.v[i], work.free.R_WB[i] * w_B};
}

void turn_driven_body(const Model& model, std::size_t i, const Workspace& work, State& state) {
  const DrivenStep& step = work.free.driven[static_cast<std::size_t>(model.history[i])];
  if (!step.turns) return;
  const Vector3 w_W = state.q[i] * state.w[i];
  state.q[i] = (Quaternion(step.frame_turn) * state.q[i]).normalized();
  state.w[i] = state.q[i].conjugate() * w_W;
}

// Where the centre of body i is after a share of the step.
Vector3 on_the_way(const Model& model, double h, double share, const State& state,
                   const Workspace& work, std::size_t i) {
  if (state.active[i] == 0 || model.kind[i] == BodyKind::fixed) return state.x[i];
  if (model.kind[i] == BodyKind::driven) {
    const Vector3& x_1 = work.free.driven[static_cast<std::size_t>(model.history[i])].x_1;
    return state.x[i] + share * (x_1 - state.x[i]);
  }
  return state.x[i] + share * h * mean_velocity(state, work, i).v;
}

// Where on the way from one witness point to the other the point of both lies: nearer to that of
// the lighter body, whose spin an arm changes more. What moves against a fixed or driven body keeps
// its own.
double share_of_b(const Workspace& work, std::size_t c) {
  const double a = work.free.inverse_mass[static_cast<std::size_t>(work.contacts.key[c].body_a)],
               b = work.free.inverse_mass[static_cast<std::size_t>(work.contacts.key[c].body_b)];
  return a + b > 0.0 ? b / (a + b) : 0.5;
}

Vector3 common_point(const Workspace& work, std::size_t c) {
  const Vector3 &a = work.contacts.point_a[c], &b = work.contacts.point_b[c];
  return a + share_of_b(work, c) * (b - a);
}

// Normal velocity of candidate c for given velocities of its bodies and arms.
double closing(const ContactSet& contacts, std::size_t c, const MeanVelocity& a,
               const MeanVelocity& b, const Vector3& r_a, const Vector3& r_b) {
  return contacts.normal[c].dot(contact::point_velocity(b.v, b.w_W, r_b) -
                                contact::point_velocity(a.v, a.w_W, r_a));
}

// Bodies turn freely, driven ones as their histories say, in State.
void turn_to_middle(const Model& model, const Settings& settings, State& state, Workspace& work) {
  work.start_q.assign(state.q.begin(), state.q.end());
  std::fill(work.spin_unsolved.begin(), work.spin_unsolved.end(), std::uint8_t{0});
  integrators::turn_freely(model, (1.0 - settings.time.theta) * settings.time.dt,
                           settings.step.rotation, state, work.spin_unsolved, work.executor);
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (model.kind[i] == BodyKind::driven && state.active[i] != 0)
      turn_driven_body(model, i, work, state);
  }
}

}  // namespace

void find_frames(const Model& model, const Settings& settings, State& state, Workspace& work) {
  const bool middle = settings.step.frames == Frames::middle;
  if (middle) turn_to_middle(model, settings, state, work);
  apply_loads(model, settings, state, work);
  free_motion(model, settings, state, work);
  work.frame_x.assign(state.x.begin(), state.x.end());
  if (!middle) return;
  for_each_item(state.x.size(), work.executor, [&](std::size_t i) {
    work.frame_x[i] =
        on_the_way(model, settings.time.dt, 1.0 - settings.time.theta, state, work, i);
  });
}

void tell_from_start(const Settings& settings, const State& state, Workspace& work) {
  if (settings.step.frames == Frames::start) return;
  const double h = settings.time.dt;
  ContactSet& contacts = work.contacts;
  for_each_item(contacts.size(), work.executor, [&](std::size_t c) {
    const auto a = static_cast<std::size_t>(contacts.key[c].body_a),
               b = static_cast<std::size_t>(contacts.key[c].body_b);
    const Vector3 &x_a = work.frame_x[a], &x_b = work.frame_x[b];
    if (contacts.touch[c] < 1.0) {
      const Vector3 r_a = contacts.point_a[c] - x_a,
                    r_b = contacts.point_b[c] - (x_a + (state.x[b] - state.x[a]));
      contacts.point_b[c] = x_b + r_b;
      const Vector3 point = common_point(work, c);
      const MeanVelocity of_a{state.v[a], work.start_w_W[a]}, of_b{state.v[b], work.start_w_W[b]};
      contacts.gap[c] += contacts.touch[c] * h *
                         (closing(contacts, c, of_a, of_b, r_a, r_b) -
                          closing(contacts, c, of_a, of_b, point - x_a, point - x_b));
      return;
    }
    const Vector3 point = common_point(work, c);
    contacts.gap[c] -= (1.0 - settings.time.theta) * h *
                       closing(contacts, c, mean_velocity(state, work, a),
                               mean_velocity(state, work, b), point - x_a, point - x_b);
  });
}

void meet_in_one_point(Workspace& work) {
  ContactSet& contacts = work.contacts;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    work.carried.push_back({c, contacts.point_a[c], contacts.point_b[c], contacts.normal[c]});
    contacts.point_a[c] = common_point(work, c);
    contacts.point_b[c] = contacts.point_a[c];
  }
}

void go_on_from_last_step(const State& state, Workspace& work) {
  if (work.ride_change.empty() || state.kept.velocity.empty()) return;
  const ContactSet& contacts = work.contacts;
  for_each_item(contacts.size(), work.executor, [&](std::size_t c) {
    if (work.match[c] < 0) return;
    const ContactKey& key = contacts.key[c];
    const double theta = contact::pair_theta(work.theta, key.body_a, key.body_b);
    const double u_N = work.u_N[c] - theta * contacts.normal[c].dot(work.ride_change[c]);
    const double last = state.kept.velocity[static_cast<std::size_t>(work.match[c])].x();
    work.ride_change[c] += (u_N - last) / theta * contacts.normal[c];
  });
}

void keep_velocities(const Settings& settings, const Workspace& work, State& state) {
  if (settings.step.frames == Frames::start) return;
  state.kept.velocity.resize(work.problem.n_contacts());
  for_each_item(work.problem.n_contacts(), work.executor, [&](std::size_t c) {
    const double theta = contact_theta(work, c);
    state.kept.velocity[c] = (work.u_theta[c] - (1.0 - theta) * work.u_0[c]) / theta;
  });
}

}  // namespace scree
