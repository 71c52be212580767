// The fields of State, listed once: for checkpoints, the hash of all that a run goes on from, and
// comparisons.
#pragma once

#include "engine/model/state.hpp"

namespace scree {

enum class FieldUse {
  future,  // decides how the run goes on, or what its ledger says
  notes    // what the run tells of its past
};

struct StateField {
  const char* group;  // in a checkpoint
  const char* name;
  const char* unit;
  const char* meaning;
  FieldUse use;
  int since = 1;  // version of the checkpoint format from which every checkpoint has it
};

// Calls visit(const StateField&, field) for every field of State but the warnings, in a fixed
// order. Fields are numbers, or arrays of one entry a body, or of one entry a kept contact; some of
// them are empty in some scenes.
template <class AnyState, class Visit>
void for_each_field(AnyState& state, Visit&& visit) {
  using enum FieldUse;
  visit(StateField{"state", "step", "", "steps done", future}, state.step);
  visit(StateField{"state", "time", "s", "time", future}, state.time);
  visit(StateField{"state", "x", "m", "centre of mass, world axes, local origin", future}, state.x);
  visit(StateField{"state", "q", "", "orientation of the principal axes, (w,x,y,z)", future},
        state.q);
  visit(StateField{"state", "v", "m/s", "velocity, world axes", future}, state.v);
  visit(StateField{"state", "w", "rad/s", "spin, principal axes", future}, state.w);
  visit(StateField{"state", "active", "", "1: the body takes part", future}, state.active);
  visit(StateField{"state", "image", "", "periods that each body has gone, of a periodic world",
                   future, 6},
        state.image);
  visit(StateField{"state", "image_shift", "m", "of the images above, of a sheared periodic world",
                   future, 6},
        state.image_shift);
  visit(StateField{"kept", "key", "", "bodies, parts and features of each contact", future},
        state.kept.key);
  visit(StateField{"kept", "impulse", "N s", "on b in the last step, world axes", future},
        state.kept.impulse_W);
  visit(StateField{"kept", "before", "N s", "on b in the step before it", future},
        state.kept.before_W);
  visit(
      StateField{"kept", "moment", "N m s", "moment on b in the last step, world axes", future, 2},
      state.kept.moment_W);
  visit(
      StateField{"kept", "moment_before", "N m s", "moment on b in the step before it", future, 2},
      state.kept.before_moment_W);
  visit(StateField{"kept", "velocity", "m/s",
                   "of b relative to a at the end of the last step, (n,t,s)", future, 4},
        state.kept.velocity);
  visit(StateField{"kept", "memory", "", "what laws remember of each contact", future, 5},
        state.kept.memory);
  visit(StateField{"state", "motion_start", "s, m, -",
                   "where driven bodies were when their motion began: time, x, q", future, 2},
        state.motion_start);
  visit(StateField{"state", "window_start", "s", "start of the window of the stop rule", future, 2},
        state.window_start);
  visit(StateField{"state", "window_x", "m", "x at the start of the window of the stop rule",
                   future, 2},
        state.window_x);
  visit(StateField{"state", "window_q", "", "q at the start of the window of the stop rule", future,
                   2},
        state.window_q);
  visit(StateField{"state", "left", "",
                   "step at whose end the body had left the terrain; 0: it has not", future, 7},
        state.left);
  visit(StateField{"state", "slip", "m", "way that the body has scarred fixed ground", future, 8},
        state.slip);
  visit(
      StateField{"state", "slip_recovery", "1/s", "how fast the body forgets that way", future, 8},
      state.slip_recovery);
  visit(StateField{"state", "turned_back", "",
                   "in how many of the last steps on end, up to 4, a contact turned the body back",
                   future, 8},
        state.turned_back);
  visit(StateField{"state", "wedged_on_end", "", "steps on end so far that had no solution", future,
                   9},
        state.wedged_on_end);
  visit(StateField{"state", "potential_change", "J",
                   "potential energy since the start, less what events brought", future},
        state.potential_change);
  visit(StateField{"state", "energy_scale", "J", "largest K + |potential_change| so far", future},
        state.energy_scale);
  visit(StateField{"state", "touched", "",
                   "1: the body has had a contact; 2 more: it turned back at the last look", notes,
                   2},
        state.touched);
}

}  // namespace scree
