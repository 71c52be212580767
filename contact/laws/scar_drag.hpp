// Drag of soft ground that a body scars, [Lu19], [B15]: while a body presses on what is fixed, its
// centre is slowed down by
//
//   F = -scar_drag m v_theta
//
// beside friction. It acts in a step if the body had an impulse from such ground in the step
// before, and is implicit (engine/scarring.hpp): it takes energy whatever the step. Between two
// bodies that move there is none: ground is what is fixed.
#pragma once

#include <array>

#include "contact/laws/law.hpp"

namespace scree::contact {

struct ScarDrag {
  static constexpr bool drags = true;
  // Above 100 1/s what touches stops within a hundredth of a second.
  static constexpr std::array parameters = {
      LawParameter{"scar_drag", "1/s", 0.0, 100.0, 0.0, 10.0,
                   "drag of ground that is scarred: what presses on a fixed body is slowed down by "
                   "this times its momentum",
                   true, false}};
  static constexpr std::array energies = {
      LawEnergy{"scarring_work", "work of the drag of ground",
                "what the drag of ground that is scarred takes, <= 0"}};

  static double drag(const double* own) { return own[0]; }
};

}  // namespace scree::contact
