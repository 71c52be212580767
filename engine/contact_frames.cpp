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
  if (const ImageCode image = work.contacts.key[c].image; image != 0)
    return a + share_of_b(work, c) * (b + image_offset(work, image) - a);
  return a + share_of_b(work, c) * (b - a);
}

// The point of b that lies at `point` in the image that a meets.
Vector3 of_b_at(const Workspace& work, std::size_t c, const Vector3& point) {
  const ImageCode image = work.contacts.key[c].image;
  return image == 0 ? point : Vector3(point - image_offset(work, image));
}

// Normal velocity of candidate c for given velocities of its bodies and arms.
double closing(const ContactSet& contacts, std::size_t c, const MeanVelocity& a,
               const MeanVelocity& b, const Vector3& r_a, const Vector3& r_b) {
  return contacts.normal[c].dot(contact::point_velocity(b.v, b.w_W, r_b) -
                                contact::point_velocity(a.v, a.w_W, r_a));
}

// The gap of candidate c at t_k, told from the frames of its bodies: less what their points close
// from there, along the velocities of the step without contacts.
double told_gap(const Settings& settings, const State& state, const Workspace& work,
                std::size_t c) {
  const ContactSet& contacts = work.contacts;
  const auto a = static_cast<std::size_t>(contacts.key[c].body_a),
             b = static_cast<std::size_t>(contacts.key[c].body_b);
  const Vector3 point = common_point(work, c);
  const Vector3 r_a = point - work.frame_x[a], r_b = of_b_at(work, c, point) - work.frame_x[b];
  MeanVelocity of_a = mean_velocity(state, work, a), of_b = mean_velocity(state, work, b);
  double share = work.frame_share[a];
  if (share != work.frame_share[b]) {  // each goes its own way
    for (MeanVelocity* of : {&of_a, &of_b}) {
      const double own = work.frame_share[of == &of_a ? a : b];
      of->v *= own, of->w_W *= own;
    }
    share = 1.0;
  }
  return contacts.gap[c] - share * settings.time.dt * closing(contacts, c, of_a, of_b, r_a, r_b);
}

template <class Kind>
bool is_only(const Model& model, std::size_t i) {
  const auto part = static_cast<std::size_t>(model.part_begin[i]);
  return model.part_begin[i + 1] == model.part_begin[i] + 1 &&
         std::holds_alternative<Kind>(
             model.shapes[static_cast<std::size_t>(model.part_shape[part])]);
}

// Into work.touch_share: the share of the step at which a body that has no contact yet comes to
// touch something fixed; 1 for all others. A ball on a plane needs no other frame: its arm, its
// inertia and the normal are the same at any pose.
void find_touch_shares(const Model& model, const Settings& settings, const State& state,
                       Workspace& work) {
  const double h = settings.time.dt, fall = h * h * work.pull;
  const ContactSet& contacts = work.contacts;
  work.touch_share.assign(state.x.size(), 1.0);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const auto a = static_cast<std::size_t>(contacts.key[c].body_a),
               b = static_cast<std::size_t>(contacts.key[c].body_b);
    const Vector3 point = common_point(work, c);
    const double closes =
        -h * closing(contacts, c, mean_velocity(state, work, a), mean_velocity(state, work, b),
                     point - work.frame_x[a], of_b_at(work, c, point) - work.frame_x[b]);
    const double gap = contacts.gap[c];
    if (gap > closes) continue;
    const bool a_fixed = model.kind[a] == BodyKind::fixed,
               b_fixed = model.kind[b] == BodyKind::fixed;
    // What lies on something has gaps up to what a step's fall opens.
    const bool strikes =
        (a_fixed || b_fixed) && contacts.touch[c] == 1.0 && gap > fall &&
        !(is_only<Sphere>(model, a_fixed ? b : a) && is_only<HalfSpace>(model, a_fixed ? a : b));
    for (const std::size_t i : {a, b}) {
      if (model.kind[i] != BodyKind::dynamic) continue;
      // A body that has another contact, or none to wait for, keeps the middle.
      double& share = work.touch_share[i];
      share = strikes && share > 0.0 ? std::min(share, gap / closes) : -1.0;
    }
  }
  for (double& share : work.touch_share) share = share <= 0.0 ? 1.0 : share;
}

// Centres at the frames.
void place_frames(const Model& model, const Settings& settings, const State& state,
                  Workspace& work) {
  for_each_item(state.x.size(), work.executor, [&](std::size_t i) {
    work.frame_x[i] = on_the_way(model, settings.time.dt, work.frame_share[i], state, work, i);
  });
}

// Bodies turn freely, driven ones as their histories say, in State.
void turn_to_middle(const Model& model, const Settings& settings, State& state, Workspace& work) {
  work.start_q.assign(state.q.begin(), state.q.end());
  std::fill(work.spin_unsolved.begin(), work.spin_unsolved.end(), std::uint8_t{0});
  work.frame_share.assign(state.x.size(), 1.0 - settings.time.theta);
  work.turn_time.assign(state.x.size(), (1.0 - settings.time.theta) * settings.time.dt);
  integrators::turn_freely(model, work.turn_time, settings.step.rotation, state, work.spin_unsolved,
                           work.executor);
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
  if (middle) place_frames(model, settings, state, work);
}

bool move_to_touch(const Model& model, const Settings& settings, State& state, Workspace& work) {
  if (settings.step.frames == Frames::start) return false;
  find_touch_shares(model, settings, state, work);
  std::fill(work.turn_time.begin(), work.turn_time.end(), 0.0);
  bool any = false;
  for (std::size_t i = 0; i < work.touch_share.size(); ++i) {
    const double share = work.touch_share[i];
    if (!(share < 1.0)) continue;
    work.turn_time[i] = (share - work.frame_share[i]) * settings.time.dt;
    work.frame_share[i] = share;
    any = true;
  }
  if (!any) return false;
  integrators::turn_freely(model, work.turn_time, settings.step.rotation, state, work.spin_unsolved,
                           work.executor);
  free_motion(model, settings, state, work);
  place_frames(model, settings, state, work);
  return true;
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
      contacts.gap[c] +=
          contacts.touch[c] * h *
          (closing(contacts, c, of_a, of_b, r_a, r_b) -
           closing(contacts, c, of_a, of_b, point - x_a, of_b_at(work, c, point) - x_b));
      return;
    }
    contacts.gap[c] = told_gap(settings, state, work, c);
  });
}

void meet_in_one_point(Workspace& work) {
  ContactSet& contacts = work.contacts;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    work.carried.push_back({c, contacts.point_a[c], contacts.point_b[c], contacts.normal[c]});
    contacts.point_a[c] = common_point(work, c);
    contacts.point_b[c] = of_b_at(work, c, contacts.point_a[c]);
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
