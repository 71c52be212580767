#include "engine/step.hpp"

#include "engine/base/stopwatch.hpp"
#include "engine/caught_bodies.hpp"
#include "engine/contact_frames.hpp"
#include "engine/contact_memory.hpp"
#include "engine/contact_phase.hpp"
#include "engine/damped_rest.hpp"
#include "engine/departures.hpp"
#include "engine/driven_contacts.hpp"
#include "engine/events.hpp"
#include "engine/ledger.hpp"
#include "engine/motion_phase.hpp"
#include "engine/periodic_cell.hpp"
#include "engine/project.hpp"
#include "engine/scarring.hpp"
#include "engine/step_warnings.hpp"
#include "engine/stop_rule.hpp"
#include "engine/turning_back.hpp"

namespace scree {
namespace {

// Why the contacts of a step are solved once more.
enum class Pass {
  first,
  missed_contacts,  // the solved velocities would violate a contact that is not in the problem
  turned_back,      // bodies would be turned back as in the last step: their contacts stop them
  positive_work,    // damped contacts went back to the published law
  spins_moved,      // the gyroscopic impulse was frozen at other velocities
  solver_target,    // contacts that went back exceed their own bound: a tighter solve
  done
};

// Looks at what a pass has left, and prepares the next one. Contacts are never taken out, what
// turns back is stopped once, contacts that went back to the published law stay there, a solve that
// stopped short and missed none is followed by a whole one, and a tighter solve is asked for four
// times at most: so this ends.
Pass judge(const Model& model, const Settings& settings, const State& state, Workspace& work,
           StepRecord& record) {
  if (add_missed_contacts(model, settings, state, work, record)) return Pass::missed_contacts;
  if (stop_turning_contacts(model, settings, state, work, record)) return Pass::turned_back;
  if (revert_working_contacts(model, settings, state, work, record)) return Pass::positive_work;
  if (!check_coupling(model, settings, state, work, record)) return Pass::spins_moved;
  if (tighten_working_contacts(model, settings, state, work, record)) return Pass::solver_target;
  return Pass::done;
}

}  // namespace

void solve_candidates(const Model& model, const Settings& settings, const State& state,
                      Workspace& work, StepRecord& record) {
  Stopwatch watch;

  // The contacts that velocities without contacts would violate.
  activate(model, settings, state, work);
  assemble(model, settings, state, work);
  start_impulses(state, work);
  record.seconds_assemble = watch.lap();

  // Passes: contacts with the gyroscopic impulse frozen, spins with the contact impulses frozen.
  for (Pass next = Pass::first; next != Pass::done;) {
    solve(model, settings, state, work, record);
    end_velocities(model, settings, state, work);
    next = judge(model, settings, state, work, record);
  }
  record.seconds_solve = watch.lap();
}

StepRecord step(const Model& model, const Settings& settings, State& state, Workspace& work) {
  StepRecord record = begin_record(settings, state);
  Stopwatch watch;

  // Bodies that appear, vanish, are driven or loaded at t_k and how they move without contacts,
  // then what could touch during the step.
  apply_events(model, settings, state, record.ledger);
  drive(model, settings, state, work);
  find_frames(model, settings, state, work);
  detect(model, settings, state, work, record);
  if (move_to_touch(model, settings, state, work)) detect(model, settings, state, work, record);
  carry_to_middle(model, settings, state, work);
  record.seconds_detect = watch.lap();

  // Velocities at t_{k+1}.
  solve_candidates(model, settings, state, work, record);
  carry_back(work);
  watch.lap();

  // Energies need both ends of the step; then the poses move on.
  record_work(model, settings, state, work, record);
  warn_of_step(model, settings, work, state, record);
  keep_slip(model, settings, work, state);
  if (record.converged && record.wedged[0] < 0)
    note_turning_bodies(model, settings, work, state);
  else
    state.turned_back.clear();  // what has no answer tells nothing of what turns back
  note_wedged(record, state);
  find_caught(model, settings, state, work, record);
  advance(model, settings, work, state);
  hold_caught(model, work, state, record);
  project(model, settings, state, work, record);
  keep_impulses(record, work, state);
  keep_velocities(settings, work, state);
  keep_memory(work, state);
  stay_in_cell(model, settings, state, work, record);
  finish_record(model, state, record);
  note_departures(model, work.terrains, record, state);
  keep_warnings(model, settings, work, record, state);
  record.seconds_advance = watch.lap();
  return record;
}

}  // namespace scree
