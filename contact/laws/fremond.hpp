// Fremond's impact law on the averaged velocity, [Fremond24] eq. 72-73, divided by theta:
//
//   w_N = u_N,1 + e u_N,0 (u_N,0 <= 0), else u_N,1 + r u_N,0      w_T = u_T,1 + r u_T,0
//
// with r = (1 - theta)/theta. Departure from the source: separating contacts (u_N,0 > 0) take r in
// place of e, so that no contact does positive work, beyond the solver's tolerance, whatever the
// coupling. Resistance to rolling acts on omega_1 + r omega_0, as friction does. The damped form
// takes w_T = u_T,1 and omega_1, so that a sticking contact does not reverse its tangential
// velocity (engine/method/rest.md).
#pragma once

#include <array>

#include "contact/laws/law.hpp"

namespace scree::contact {

struct Fremond {
  static constexpr const char* name = "fremond";
  static constexpr bool averages = true;
  static constexpr std::array<LawParameter, 0> parameters = {};

  static double reversed(const double*, double theta) { return (1.0 - theta) / theta; }

  static bool dissipates(const double*, double e, double theta) { return theta <= 1.0 / (1.0 + e); }

  static void row(const double*, const ContactInput& in, ContactRow& row) {
    const double r = (1.0 - in.theta) / in.theta;
    const double r_T = in.damped ? 0.0 : r;
    const Vector3& u_0 = in.u_0;
    row.bias = Vector3((u_0.x() <= 0.0 ? in.e : r) * u_0.x(), r_T * u_0.y(), r_T * u_0.z());
    if (!in.damped) row.spin_bias = r * in.spin_0;
    row.scale = in.theta;  // the published law is written for u_theta
  }
};

}  // namespace scree::contact
