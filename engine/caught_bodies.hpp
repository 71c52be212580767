// Impacts that would carry a body deep into what it hits within the step that finds them.
//
// An impact acts on velocities for a whole step, in which a body goes on by up to h v (1 - theta)(1
// - e) into what it hits. Where that is more than `catch_share` of the thickness of the thinner
// one, the way of the bodies ends at the touch: detection knows the share of the step at which it
// comes (ContactSet::touch), velocities at the end of the step are those of the impact law, and the
// next step goes on from there. So nothing is passed through, and nothing is left deep inside. All
// bodies that push each other in that step stop together, at the first touch among them. What a
// driven body hits goes on with its end velocity, as the driver does.
//
// Kinetic energy and the work of contacts are as ever. The way not gone takes m g . (way) out of
// the potential energy that the velocities account for, which is booked as projection work, like
// other displacements without velocity.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"
#include "engine/workspace.hpp"

namespace scree {

// After the solve: work.way_share, and the number of bodies caught.
void find_caught(const Model& model, const Settings& settings, const State& state, Workspace& work,
                 StepRecord& record);

// After the poses moved on: those caught go back to the touch.
void hold_caught(const Model& model, const Workspace& work, State& state, StepRecord& record);

}  // namespace scree
