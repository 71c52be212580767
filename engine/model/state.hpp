// State: all that changes during a run and is saved. Two equal states give equal futures.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/math.hpp"
#include "engine/model/contact_set.hpp"
#include "engine/model/warnings.hpp"

namespace scree {

// The contacts of the last step's problem and their impulses in the last two steps, for the warm
// start and the activation rule. Sorted by key.
struct KeptImpulses {
  std::vector<ContactKey> key;
  std::vector<Vector3> impulse_W;  // [N s] on body b, world axes, in the last step
  std::vector<Vector3>
      before_W;  // [N s] in the step before it; that of the last step where the contact is new
  std::vector<Vector3> moment_W,
      before_moment_W;  // [N m s] likewise; empty unless some pair resists rolling or spinning
  std::vector<Vector3> velocity;  // [m/s] of b relative to a at the end of the last step (n,t,s);
                                  // empty unless contact frames are in the middle of the step
  std::vector<ContactMemory> memory;  // of laws; empty unless some law keeps any
};

// Where a driven body was when its motion began: its pose follows from this and the history, so
// that nothing adds up.
struct MotionStart {
  double time = -1.0;  // [s] negative: not yet
  Vector3 x = Vector3::Zero();
  Quaternion q = Quaternion::Identity();
};

struct State {
  std::int64_t step = 0;
  double time = 0.0;                 // [s]
  std::vector<Vector3> x;            // [m] centre of mass, world axes
  std::vector<Quaternion> q;         // x_W = q * x_B + x
  std::vector<Vector3> v;            // [m/s] world axes
  std::vector<Vector3> w;            // [rad/s] spin, body axes B
  std::vector<std::uint8_t> active;  // 1: takes part
  KeptImpulses kept;

  // Of a periodic world: how many periods each body has gone since the start (empty: there are
  // none), and how far the images above are shifted (cell.hpp).
  std::vector<PeriodCount> image;
  double image_shift = 0.0;  // [m]

  std::vector<MotionStart> motion_start;  // [n_histories]; empty before the first step

  // [n_bodies] Step at whose end the body had left the terrain (engine/departures.hpp); 0: it has
  // not. Empty while none has.
  std::vector<std::int64_t> left;

  // [n_bodies] Way that each body has scarred fixed ground, and how fast it forgets it
  // (engine/scarring.hpp). Empty unless some pair's friction depends on it.
  std::vector<double> slip;           // [m]
  std::vector<double> slip_recovery;  // [1/s]
  // [n_bodies] In how many of the last steps on end, up to `turns_on_end`, a contact that goes on
  // turned it back (engine/turning_back.hpp). Empty while in none.
  std::vector<std::uint8_t> turned_back;
  static constexpr std::uint8_t turns_on_end = 4;

  // Steps so far, on end but for those that merely did not converge, that had no solution, as
  // bodies were wedged (StopSettings).
  std::int64_t wedged_on_end = 0;

  // Where bodies were at the start of the window of the stop rule (StopSettings); empty without
  // one.
  double window_start = 0.0;      // [s]
  std::vector<Vector3> window_x;  // [m]
  std::vector<Quaternion> window_q;

  // Running quantities of the energy ledger.
  double potential_change =
      0.0;  // [J] U - U_0 less what events brought, summed step by step (no cancellation)
  double energy_scale = 0.0;  // [J] largest K + |potential_change| so far

  // What was seen so far that the user should know of; decides nothing.
  std::vector<std::uint8_t> touched;              // bits of each body; empty before the first step
  static constexpr std::uint8_t has_touched = 1,  // had a contact in the problem of some step
      has_turned_back = 2;  // clamped at the last look, with its velocity turned round
  WarningLog warnings;
};

}  // namespace scree
