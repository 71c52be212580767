// What laws remember of contacts from step to step (engine/method/contact_device.md).
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"
#include "engine/workspace.hpp"

namespace scree {

// What each candidate goes on with: the memory of its contact of the last step, to which
// `work.match` leads. Where two lead to one the first has it, and what goes over to another partner
// is forgotten unless the same law holds there. A corner of a face that became another corner's
// goes on too.
void recall_memory(const Model& model, const State& state, Workspace& work);

// What contact c of the problem did, for its laws, at the velocity u_theta.
contact::ContactEnd contact_end(const Model& model, const Settings& settings, const Workspace& work,
                                std::size_t c, const Vector3& u_theta);

// What laws book of their own, and what they remember of each contact for the next step, into
// work.memory_end. Contacts of the last step that are in the problem no more are forgotten.
void record_laws(const Model& model, const Settings& settings, const State& state, Workspace& work,
                 LedgerRow& ledger);

// For the next step.
void keep_memory(const Workspace& work, State& state);

}  // namespace scree
