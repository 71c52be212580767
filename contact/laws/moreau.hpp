// Moreau's general impact law with tangential restitution, [Fremond24] eq. 58:
//
//   w_N = u_N,1 + e u_N,0 (u_N,0 <= 0), else u_N,1 + max(e_T, 0) u_N,0      w_T = u_T,1 + e_T u_T,0
//
// What sticks leaves with u_T,1 = -e_T u_T,0, whatever theta is. e_T = 0 is `newton`; at theta =
// 1/2, e_T = 1 is `fremond`, which sets e_T = (1 - theta)/theta without being asked. As there,
// separating contacts depart from the source: with its w_N = u_N,1 they may put in energy even
// where nothing else does. `moreau_published` is the source's form.
//
// e_T < 0 is what an impact leaves of the tangential velocity. A contact that goes on has dry
// friction instead, e_T = 0: else what slides would lose h mu g a step only down to h mu g / (1 +
// e_T), and at e_T = -1 nothing. `moreau_published` does that, as the source's form does.
//
// Energy, for theta <= 1/(1 + e): no contact does positive work for e_T = (1 - theta)/theta; all
// together do none for e_T = e, the same at all contacts; any other e_T may, where contacts are
// coupled (engine/method/tangential_restitution.md).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/laws/law.hpp"

namespace scree::contact {

template <bool as_published>
struct MoreauForm {
  static constexpr bool averages = false;

  static double reversed(const double* own, double) { return own[0]; }

  static bool dissipates(const double* own, double e, double theta) {
    return !as_published && own[0] == (1.0 - theta) / theta && theta <= 1.0 / (1.0 + e);
  }

  static void row(const double* own, const ContactInput& in, ContactRow& row) {
    const double e_T = as_published || own[0] >= 0.0 || is_impact(in) ? own[0] : 0.0;
    const double apart = as_published ? 0.0 : std::max(e_T, 0.0);
    const Vector3& u_0 = in.u_0;
    row.bias = Vector3((u_0.x() <= 0.0 ? in.e : apart) * u_0.x(), e_T * u_0.y(), e_T * u_0.z());
    row.spin_bias = e_T * in.spin_0;
    row.scale = 1.0 / (1.0 + std::max(e_T, 0.0));  // 1 as `newton`, 1/2 as `fremond`
  }

 private:
  // Whether the bodies approach faster than what a few steps' fall makes, and not merely graze.
  static bool is_impact(const ContactInput& in) {
    constexpr double steps_of_fall = 3.0, grazing = 1e-3;  // [-] of the tangential velocity
    return -in.u_0.x() >
           steps_of_fall * in.h * in.gravity + grazing * std::hypot(in.u_0.y(), in.u_0.z());
  }
};

struct Moreau : MoreauForm<false> {
  static constexpr const char* name = "moreau";
  static constexpr std::array parameters = {
      LawParameter{"e_T", "", -1.0, 1.0, 0.0, 1.0,
                   "tangential restitution under the law moreau: what sticks leaves with -e_T "
                   "times its tangential velocity; below 0 in impacts only, where the published "
                   "R_t, the share that is left, is -e_T"}};
};

struct MoreauPublished : MoreauForm<true> {
  static constexpr const char* name = "moreau_published";
  static constexpr std::array<LawParameter, 0> parameters = {};
  using NumbersOf = Moreau;
};

}  // namespace scree::contact
