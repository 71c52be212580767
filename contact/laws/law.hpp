// What a contact law is: one file with a struct of static members, listed in laws.hpp.
//
// Every law has
//   parameters            LawParameter array: the numbers that a pair of materials gives it
//   row(own, in, row)     adds its part to the row of one contact; `own` are its parameters
// An impact law, of which a pair has one, chosen by its name, besides
//   name                  what `law = "..."` and `--law` say
//   averages              whether it acts on velocities averaged over the step: then it bounds
//                         theta by 1 / (1 + e), does no positive work there, and has a damped form
//   reversed(own, theta)  the share of its tangential velocity that a sticking contact leaves with,
//                         the other way
//   dissipates(own, e, theta)  whether no contact does positive work, however contacts are coupled
//   NumbersOf             (if it has none of its own) the impact law whose parameters it takes
// A further law, which acts where a parameter differs from its default, may lack `row`, and have
//   moments               true: its contacts have rows for rolling and spinning
//   shifts                true: it sets row.shift, and is told in.share
//   energies              LawEnergy array: columns of the ledger, part of its balance
//   fault(own)            LawFault: numbers that do not go together
//   enters(own, in)       whether a contact takes part in a step, whatever its velocity
//   end(own, end, energy) adds what the contact did in the step to these columns [J]
// and, if it does something to bodies that press on what is fixed (engine/scarring.hpp),
//   drags                 true: it slows them down; its first energy is what that takes
//   drag(own)             how much [1/s]
//   slips                 true: it is told in.slip
//   recovery(own)         how fast a body forgets its slip [1/s]
// and, if its contacts give way and remember how far,
//   compliant             true: it sets row.compliance and row.memory, and is told in.memory and
//                         in.W_NN
//   yield(own, end)       what of u_theta it takes itself (n,t,s) [m/s]: the cone's part of the
//   work
//                         is that of the rest
//   end                   also turns end.memory, the one that `row` made, into that of the next
//   step drop(own, h, memory, energy)  books the end of a contact that is not in the problem any
//   more rest_gap(own, memory), healing(own)  the overlap that it holds [m], and the share of
//   others
//                         that heals in a step without velocities
//   is_sound(own, memory) whether a memory may be one of its own
// One law of a table may remember: a contact's memory is all its own.
#pragma once

#include "engine/base/math.hpp"
#include "engine/model/contact_set.hpp"
#include "engine/model/materials.hpp"

namespace scree::contact {

// A number of a pair of materials: a key of [[contact]], a table in /materials of a result file, a
// word of `scree check`.
struct LawParameter {
  const char* name;
  const char* unit;     // empty: a ratio
  double low, high;     // the values that are allowed
  double absent;        // the value when the key is not given, 0: no effect; NaN: it must be given
  double usual;         // larger ones are warned of
  const char* meaning;  // one line
  bool is_key = true;   // of [[contact]]; false: another key there says it
  bool told = true;     // by `check`, also where it has no effect
};

// An energy that a law books: a column of the ledger.
struct LawEnergy {
  const char* name;
  const char* label;    // for tables that people read
  const char* meaning;  // one line
};

// Numbers of a law that do not go together.
struct LawFault {
  const char* parameter = nullptr;  // null: none
  const char* text = "";
};

// What a law knows of a contact at the start of a step; components (n,t,s).
struct ContactInput {
  double mu = 0.0, e = 0.0;          // [-] of the pair
  double h = 0.0;                    // [s]
  double theta = 0.5;                // [-] weight of the scheme here
  Vector3 u_0 = Vector3::Zero();     // [m/s] velocity of b relative to a at t_k
  Vector3 spin_0 = Vector3::Zero();  // [rad/s] spin of b relative to a; 0 without moments
  bool damped = false;               // the damped form of the law is asked for
  bool round = false;                // at least one of the bodies counts as round
  double gap = 0.0;                  // [m] at t_k
  double touch = 0.0;                // [m] a gap up to this is a touch
  double share = 1.0;    // [-] 1 / number of the problem's contacts of the two bodies that touch
  double gravity = 0.0;  // [m/s2] what counts as a usual acceleration
  double slip = 0.0;     // [m] way that the body that moves has scarred the other, which is fixed

  // For laws that give way.
  double W_NN = 0.0;                   // [1/kg] of the contact's normal
  double digits = 0.0;                 // [m] differences of gaps up to this say nothing
  double turn = 0.0;                   // [rad] that both bodies turn about the normal in a step
  Matrix3 R_WC = Matrix3::Identity();  // columns n, t, s
  ContactMemory memory = {};
};

// Row of the contact problem, and what acts beside it.
struct ContactRow {
  Vector3 bias = Vector3::Zero();                 // [m/s] w = H z + bias
  Vector3 spin_bias = Vector3::Zero();            // [rad/s] likewise for the spin
  double mu = 0.0, mu_roll = 0.0, mu_spin = 0.0;  // [-] of the cone
  double scale = 1.0;                             // [-] on (w, b) in the rho = 1 residual measures
  // [N s] The impulse on b is p - shift, with p in the cone: the shift presses b on a.
  Vector3 shift = Vector3::Zero();
  // [1/kg] Diagonal that is added to W, >= 0, the same for t and s.
  Vector3 compliance = Vector3::Zero();
  ContactMemory memory = {};  // as the step begins with it
};

// What a contact did in a step.
struct ContactEnd {
  double mu = 0.0, e = 0.0;           // [-] of the pair
  Vector3 p = Vector3::Zero();        // [N s] in the cone
  Vector3 shift = Vector3::Zero();    // [N s] of the row
  Vector3 u_theta = Vector3::Zero();  // [m/s] averaged over the step

  // For laws that give way.
  double h = 0.0;                      // [s]
  double theta = 0.5;                  // [-]
  Matrix3 R_WC = Matrix3::Identity();  // columns n, t, s
  ContactMemory memory = {};           // of the row; by `end` that of the next step
};

}  // namespace scree::contact
