// Contacts that turn their velocity round at every step, and rest = "clamped", which stops them
// (engine/method/rest.md).
#pragma once

#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"
#include "engine/workspace.hpp"

namespace scree {

// Whether contact c, which bears and was there in the last step, ends this one with the opposite of
// its velocity, of more than `least` [m/s]. A spin that friction resists counts with the length of
// the contact.
bool turns_back(const Workspace& work, std::size_t c, double least);

// Counts in State the steps on end in which a contact that goes on has turned a body back.
void note_turning_bodies(const Model& model, const Settings& settings, Workspace& work,
                         State& state);

// Under rest = "clamped": gives the contacts of bodies that were turned back in the last steps, up
// to State::turns_on_end, and would be again, the damped form of `fremond` for the rest of this
// one. True if there were any; once a step. Bodies that something strikes in this step are left to
// the law as it stands.
bool stop_turning_contacts(const Model& model, const Settings& settings, const State& state,
                           Workspace& work, StepRecord& record);

}  // namespace scree
