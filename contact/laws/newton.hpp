// Newton's impact law of the classical Moreau-Jean scheme, [Fremond24] eq. 61-62:
//
//   w_N = u_N,1 + e min(u_N,0, 0)      w_T = u_T,1
#pragma once

#include <array>

#include "contact/laws/law.hpp"

namespace scree::contact {

struct Newton {
  static constexpr const char* name = "newton";
  static constexpr bool averages = false;
  static constexpr std::array<LawParameter, 0> parameters = {};

  static double reversed(const double*, double) { return 0.0; }

  static bool dissipates(const double*, double e, double theta) { return theta == 1.0 && e == 0.0; }

  static void row(const double*, const ContactInput& in, ContactRow& row) {
    row.bias = Vector3(in.u_0.x() < 0.0 ? in.e * in.u_0.x() : 0.0, 0.0, 0.0);
  }
};

}  // namespace scree::contact
