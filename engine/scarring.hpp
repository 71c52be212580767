// What ground that gives way does to bodies that scar it: drag (contact/laws/scar_drag.hpp), and
// friction that depends on the way (contact/laws/slip_friction.hpp). Ground is what is fixed. Both
// belong to bodies, not to contacts: a rock that tumbles has another point of contact at each
// impact. engine/method/scarring.md
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"
#include "engine/workspace.hpp"

namespace scree {

// Drag of the bodies that pressed on such ground in the last step, into work.free:
//
//   m (v_1 - v_0) = ... - h c v_theta,   c = scar_drag m
//
// so that contacts move m + theta h c, and the body begins with h c v_0 less. Of several grounds
// the largest counts.
void drag_by_ground(const Model& model, const Settings& settings, const State& state,
                    Workspace& work);

// What it took.
void record_scarring(const Model& model, const Settings& settings, const State& state,
                     const Workspace& work, LedgerRow& ledger);

// The way of each body on such ground: longer by h |v_theta| after a step in which it pressed on
// it, and else shorter by the factor exp(-slip_recovery h) of the ground that it was on last.
// Before the state advances.
void keep_slip(const Model& model, const Settings& settings, Workspace& work, State& state);

}  // namespace scree
