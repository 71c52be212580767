// The time loop: steps, observers, and what to do when a step does not converge.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "contact/problem/contact_problem.hpp"
#include "engine/departures.hpp"
#include "engine/model/bodies.hpp"
#include "engine/model/contact_set.hpp"
#include "engine/model/free_motion.hpp"
#include "engine/model/state.hpp"
#include "engine/model/warnings.hpp"
#include "engine/settings.hpp"
#include "engine/step_record.hpp"

namespace scree {

enum class ContactStatus : std::uint8_t { open = 0, stick = 1, slip = 2 };

// What an observer sees after a step. Contacts are those of the problem solved in it (geometry at
// t_k).
struct StepView {
  const Model& model;
  const Settings& settings;
  const State& state;  // at t_{k+1}
  const StepRecord& record;
  const ContactSet& contacts;                // candidates; `in_problem` says which entered
  std::span<const ContactIndex> in_problem;  // [n] index into `contacts`, ascending
  std::span<const Vector3> tangent;          // [n] world axes; s = n x t
  std::span<const Vector3> impulse;          // [n] N s, on b, (n,t,s)
  std::span<const Vector3> impulse_W;        // [n] N s, on b, world axes
  std::span<const Vector3> velocity;         // [n] m/s, u_theta, (n,t,s)
  std::span<const ContactStatus> status;     // [n]
  const contact::BodyProblem&
      problem;        // the contact problem of the step, [n] contacts; `reaction` solves it
  bool last = false;  // the run ends after this step: finished, or asked to stop
  std::span<const Vector3> moment = {}, moment_W = {};  // [n] N m s, on b, (n,t,s) and world axes;
                                                        // empty unless some law has moments
  std::span<const Vector3> spin = {};      // [n] rad/s, relative spin_theta, (n,t,s); likewise
  std::span<const Vector3> reaction = {};  // [n] N s, on b, (n,t,s): the part of `impulse` in the
                                           // cone; all of it unless a law presses or pulls besides
  // [n_loaded] of the bodies that carry loads, mean over the step, world axes: the resultant [N],
  // and its moment about the centre of mass [N m].
  std::span<const Vector3> load_force = {}, load_torque = {};
  std::span<const Vector3> velocity_before = {};  // [n] m/s, u at t_k, (n,t,s)
  std::span<const double> theta = {};             // [-, n_bodies] weight of each body in the step
  std::span<const double> way_share = {};  // [-, n_bodies] as in Workspace; empty: none was caught
  std::span<const Vector3> yield = {};     // [n] m/s, what of `velocity` laws that give way take
  // [n_bodies] of the poses that contacts were found at: centres [m], orientations of the axes B,
  // and spins before and after the impulses [rad/s, world axes].
  std::span<const Vector3> centre = {};
  std::span<const Matrix3> R_WB = {};
  std::span<const Vector3> start_spin_W = {}, end_spin_W = {};
  std::span<const SteeredStep> steered = {};  // by number in Model::steered: what loads do
  double image_shift = 0.0;                   // [m] of images above, when contacts were found
};

// The middle of the witness points of a candidate, where its body a is [m].
inline Vector3 contact_middle(const StepView& view, std::size_t candidate) {
  const Vector3 sum = view.contacts.point_a[candidate] + view.contacts.point_b[candidate];
  const ImageCode image = view.contacts.key[candidate].image;
  if (image == 0) return 0.5 * sum;
  return 0.5 * (sum + view.model.cell.offset(image, view.image_shift));
}

// Called once before the first step (record.step == 0, no contacts) and after every step.
using Observer = std::function<void(const StepView&)>;

// End of time; everything at rest; steps without a solution; asked to stop.
enum class RunEnd { finished, quiet, wedged, stopped };
const char* name_of(RunEnd end);

// Statistics over a run, as printed and as JSON.
struct RunReport {
  RunEnd end = RunEnd::finished;
  std::int64_t bodies = 0, steps = 0, unconverged_steps = 0;
  std::int64_t round_off_steps = 0;  // that met round-off before the tolerance; not unconverged
  std::int64_t from_zero_steps = 0;  // that found their warm start of no use
  double worst_residual =
      0.0;  // [-] largest of what is compared with the tolerance, in an unconverged step
  double time_end = 0.0;  // [s]
  std::int64_t contacts_max = 0;
  double contacts_mean = 0.0;
  double iterations_mean = 0.0, iterations_median = 0.0, iterations_p95 = 0.0;
  std::int64_t iterations_max = 0;
  contact::Residuals residual_max;
  LedgerRow energy;              // work terms summed, K and U at the end, extremes over the run
  double max_abs_balance = 0.0;  // [J]
  double penetration_max = 0.0;  // [m]
  std::int64_t caught = 0;       // bodies stopped at a touch, over all steps
  std::int64_t projection_unconverged_steps = 0;
  double projection_residual_max = 0.0;
  double seconds_total = 0.0, seconds_detect = 0.0, seconds_assemble = 0.0, seconds_solve = 0.0,
         seconds_advance = 0.0, seconds_record = 0.0;
  int threads = 1;
  Backend backend = Backend::serial;
  std::vector<Departure> departures;  // bodies that left the terrain, likewise
  WarningLog warnings;                // of the whole run, also of what came before a checkpoint
  std::string state_hash;             // SHA-256 of the final time, poses and velocities
  std::string resume_hash;            // SHA-256 of all that the run would go on from
};

// A state that is no longer finite: the run cannot go on; what was observed stays.
class RunFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Runs until settings.time.end, or until `stop` is set (checked between steps). Throws RunFailure.
RunReport run(const Model& model, const Settings& settings, State& state,
              std::span<const Observer> observers, const std::atomic<bool>* stop = nullptr);

}  // namespace scree
