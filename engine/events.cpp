#include "engine/events.hpp"

#include "engine/departures.hpp"
#include "engine/ledger.hpp"

namespace scree {

void apply_events(const Model& model, const Settings& settings, State& state, LedgerRow& ledger) {
  const double now = state.time + 1e-9 * settings.time.dt;
  for (std::size_t i = 0; i < state.active.size(); ++i) {
    const bool present =
        model.appears_at[i] <= now && now < model.vanishes_at[i] && !has_left(state, i);
    if (present == (state.active[i] != 0)) continue;
    state.active[i] = present ? 1 : 0;
    const double energy = kinetic_energy(model, state, i) + potential_energy(model, state, i);
    ledger.event_energy += present ? energy : -energy;
  }
}

}  // namespace scree
