// Friction that grows, or falls, with the way that a body has scarred fixed ground, [L14] section
// 4, [B15]:
//
//   mu(s) = mu + 2/pi (mu_slip - mu) atan(slip_rate s)
//   s' = |v| while the body presses on such ground, else s' = -slip_recovery s
//
// s [m] is the body's own, whatever touches: a rock that tumbles has a new point of contact at
// every impact and is still in the same scar (engine/scarring.hpp). A step has the friction of the
// way at its start. Between two bodies that move friction stays mu.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "contact/laws/law.hpp"

namespace scree::contact {

struct SlipFriction {
  static constexpr bool slips = true;
  static constexpr std::array parameters = {
      LawParameter{"mu_slip", "", 0.0, 100.0, 0.0, 2.0,
                   "friction of each pair of materials after a long way on fixed ground; 0: `mu`, "
                   "whatever the way",
                   true, false},
      LawParameter{"slip_rate", "1/m", 0.0, 1e6, 0.0, 1e6,
                   "how fast friction turns from `mu` to `mu_slip`: half of it after a way of 1 "
                   "over this",
                   true, false},
      LawParameter{"slip_recovery", "1/s", 0.0, 1e6, 0.0, 1e6,
                   "how fast a body that presses on no ground forgets that way", true, false}};

  static double friction(const double* own, double mu, double slip) {
    if (own[0] == 0.0) return mu;
    return mu + 2.0 / std::numbers::pi * (own[0] - mu) * std::atan(own[1] * slip);
  }

  static LawFault fault(const double* own) {
    if (own[0] > 0.0 && own[1] == 0.0)
      return {"slip_rate", "is missing: mu_slip is reached at this rate"};
    if (own[0] == 0.0 && own[1] > 0.0) return {"slip_rate", "says nothing without mu_slip"};
    if (own[0] == 0.0 && own[2] > 0.0) return {"slip_recovery", "says nothing without mu_slip"};
    return {};
  }

  static double recovery(const double* own) { return own[2]; }

  static void row(const double* own, const ContactInput& in, ContactRow& row) {
    row.mu = friction(own, in.mu, in.slip);
  }
};

}  // namespace scree::contact
