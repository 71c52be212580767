// Resistance to rolling and spinning: a moment about the tangent axes of at most `rolling`, and
// about the normal of at most `spinning`, times the effective radius times the normal force.
// Contacts between bodies that both count as flat have none (rolling_cone.hpp).
#pragma once

#include <array>

#include "contact/laws/law.hpp"

namespace scree::contact {

struct RollingResistance {
  static constexpr bool moments = true;
  // Above 100 resistance is as good as infinite.
  static constexpr std::array parameters = {
      LawParameter{"rolling", "", 0.0, 100.0, 0.0, 1.0,
                   "rolling resistance of each pair of materials"},
      LawParameter{"spinning", "", 0.0, 100.0, 0.0, 1.0,
                   "spinning resistance of each pair of materials"}};

  static void row(const double* own, const ContactInput& in, ContactRow& row) {
    row.mu_roll = in.round ? own[0] : 0.0;
    row.mu_spin = in.round ? own[1] : 0.0;
  }
};

}  // namespace scree::contact
