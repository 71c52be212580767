// Constant adhesion without range: bodies that touch pull at each other along the normal with the
// force `cohesion`, shared alike by the points at which the two touch. The reaction of the cone is
// p^ = p + C h n, so that friction holds with mu (p_N + C h), and the contact takes part as long as
// it touches, whatever its velocity. A gap up to what a step's free fall opens counts as a touch:
// that is the range, and it vanishes with the square of the step.
#pragma once

#include <array>
#include <limits>
#include <span>

#include "contact/laws/law.hpp"

namespace scree::contact {

struct Adhesion {
  static constexpr bool shifts = true;
  static constexpr std::array parameters = {
      LawParameter{"cohesion", "N", 0.0, 1e12, 0.0, std::numeric_limits<double>::infinity(),
                   "force with which two bodies that touch pull at each other"}};
  static constexpr std::array energies = {
      LawEnergy{"adhesion_work", "work of adhesion", "sum over contacts of -u_N,theta C h"}};

  static bool enters(const double*, const ContactInput& in) { return in.gap <= in.touch; }

  static void row(const double* own, const ContactInput& in, ContactRow& row) {
    if (enters(own, in)) row.shift.x() += own[0] * in.h * in.share;
  }

  static void end(const double*, const ContactEnd& end, std::span<double> energy) {
    energy[0] -= end.shift.x() * end.u_theta.x();
  }
};

}  // namespace scree::contact
