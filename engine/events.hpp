// Bodies that appear, vanish or leave during a run.
#pragma once

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"

namespace scree {

// Switches bodies on and off whose time has come at t_k (within 1e-9 h), off those that have left
// the terrain, and books their K + U as event energy.
void apply_events(const Model& model, const Settings& settings, State& state, LedgerRow& ledger);

}  // namespace scree
