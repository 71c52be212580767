// What statics leaves open: the smallest and largest value of a resultant over all states of forces
// that are in equilibrium with the weights and within friction.
//
// Unknown are compressions with friction where blocks touch as they stand: at the corners of those
// parts of joint polygons where the faces are within the tolerance, and at the contacts of the run.
// The cone of friction is replaced by a pyramid of so many sides within it, and by one around it:
// the interval of Coulomb's cone lies between the two.
#pragma once

#include <string>

#include "tools/joints/joint_forces.hpp"

namespace scree {

struct Resultant {
  std::int32_t a = -1, b = -1;          // joint of two blocks; b < 0: the reaction of support a
  Vector3 direction = Vector3::Zero();  // zero: the normal of the joint
  std::string text;                     // as given
};

// "A:B.normal", "A:B.x", "SUPPORT.z" and the like. Throws InputError("--interval: ...").
Resultant resultant_named(const std::string& text, const JointReport& report);

struct Interval {
  double computed = 0.0;                     // [N] in the run's frame
  double low = 0.0, high = 0.0;              // [N] with the pyramid within the cone
  double low_outer = 0.0, high_outer = 0.0;  // [N] with the one around it
  double error = 0.0;                        // [N] largest gap between primal and dual value of the
                                             // bounds that are finite
  double unbalanced = 0.0;  // [N] by which the computed value may miss, for what the run's forces
                            // lack for equilibrium
  bool admissible = false;  // some state is
  bool bounded_low = true, bounded_high = true;
  double missing = 0.0;  // [-] of the weight: what no state balances

  // [N] By how much the computed value lies outside, more than the errors of both; else 0.
  double outside() const;
};

// `sides` of a pyramid, a multiple of 4.
Interval interval_of(const JointReport& report, const Resultant& resultant, int sides = 16);

}  // namespace scree
