// The poses that contacts are found at (engine/method/contact_frames.md).
//
// `frames = "start"`: the poses of t_k, and each body has the arm of its own witness point.
//
// `frames = "middle"`: 1 - theta of the step on without contacts, half of it as a rule,
//
//   x_m = x_k + (1 - theta) h v_theta,free      (q_m, w_m-) = free turn of (q_k, w_k) over
//                                                             (1 - theta) h
//
// There impulses act, J (w_m+ - w_m-) = R_m^T Q, and bodies turn on freely over theta h. Both
// bodies of a contact have arms to one point between the witness points. At theta = 1/2
// contacts keep the angular momentum to round-off: a pair of impulses then has no moment about any
// point; x_m x m (v_k1 - v_k) = x_k1 x m v_k1 - x_k x m v_k, as the error of x_m is along v_k1 -
// v_k; and the free turn keeps R J w. The turn is no part of the problem, which is linear: no
// passes for spins.
//
// Gaps are told from t_k, by the velocities that lead to the middle, so that gap + h u_N,theta is
// the gap of t_{k+1} in both.
//
// The middle is not where a body touches. One that strikes something fixed in this step, and has no
// other contact, has its frame at the share s of the step at which it touches instead: it turns
// freely over s h before the impulses and (1 - s) h after them (move_to_touch).
//
// u_k and u_k1 are then seen from the middle: on a curved way, or where spins change without a
// contact, their normal parts differ from those in the frames of t_k and t_{k+1}, while u_theta is
// the same. A contact that goes on takes u_N,k from the end of its last step; only a new one, an
// impact, sees what the middle sees. u_theta, and with it all work, does not depend on this.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/workspace.hpp"

namespace scree {

// Centres into work.frame_x, with what loads do and the motion without contacts, as bodies lie at
// these poses. In the middle bodies are turned, in State.
void find_frames(const Model& model, const Settings& settings, State& state, Workspace& work);

// Gives bodies that strike something fixed the frame at which they touch; their candidates have to
// be found again then. True if there are any.
bool move_to_touch(const Model& model, const Settings& settings, State& state, Workspace& work);

// The share of the step that is left for body i after its frame.
inline double left_of_step(const Settings& settings, const Workspace& work, std::size_t i) {
  const double theta = settings.time.theta;
  return work.frame_share[i] == 1.0 - theta ? theta : 1.0 - work.frame_share[i];
}

// Candidates as they are found there get their gaps of t_k; those of fast pairs, which are told
// about the centres of t_k, the centres of the middle.
void tell_from_start(const Settings& settings, const State& state, Workspace& work);

// Both bodies' points become one, until carry_back.
void meet_in_one_point(Workspace& work);

// Contacts that go on begin with the normal velocity that they ended with; work.u_N and work.match
// are known.
void go_on_from_last_step(const State& state, Workspace& work);

// Velocities that contacts end with, for the next step; after the ledger.
void keep_velocities(const Settings& settings, const Workspace& work, State& state);

}  // namespace scree
