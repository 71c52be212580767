// rest = "damped": bodies that have come to rest stop, and no contact does positive work beyond the
// tolerance (engine/method/rest.md).
#pragma once

#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"
#include "engine/workspace.hpp"

namespace scree {

// Whether candidate c has the law `fremond`, the one that can be damped.
bool is_fremond(const Model& model, const ContactSet& contacts, std::size_t c);

// Candidates that start the step damped (w_T = u_T,k1): those under `fremond`. The tangential law
// of `newton` is that already.
void start_damped(const Model& model, const Settings& settings, Workspace& work);

// Gives damped contacts that did positive work, beyond what the tolerance explains, the published
// law for the rest of the step, and with them all contacts of the bodies that touch each other
// there: of two contacts of one rigid block one cannot stop while the other turns back. Slow groups
// take the largest theta that the restitutions admit for this step. True if there were any.
// One-way, so it ends, and at the end no damped contact exceeds the bound.
bool revert_working_contacts(const Model& model, const Settings& settings, const State& state,
                             Workspace& work, StepRecord& record);

// Whether a contact that went back still does more positive work than its own bound: the residual
// is a norm over all contacts, and a small impulse is a small part of it. Then the step is solved
// again, to a tenth of what was reached, up to four times.
bool tighten_working_contacts(const Model& model, const Settings& settings, const State& state,
                              Workspace& work, StepRecord& record);

}  // namespace scree
