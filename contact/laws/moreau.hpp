// Moreau's general impact law with tangential restitution, [Fremond24] eq. 58:
//
//   w_N = u_N,1 + e u_N,0 (u_N,0 <= 0), else u_N,1 + max(e_T, 0) u_N,0      w_T = u_T,1 + e_T u_T,0
//
// What sticks leaves with u_T,1 = -e_T u_T,0, whatever theta is. e_T = 0 is `newton`; at theta =
// 1/2, e_T = 1 is `fremond`, which sets e_T = (1 - theta)/theta without being asked. As there,
// separating contacts depart from the source: with its w_N = u_N,1 they may put in energy even
// where nothing else does. `moreau_published` is the source's form.
//
// Energy, for theta <= 1/(1 + e): no contact does positive work for e_T = (1 - theta)/theta; all
// together do none for e_T = e, the same at all contacts; any other e_T may, where contacts are
// coupled (engine/method/tangential_restitution.md).
#pragma once

#include <algorithm>
#include <array>

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
    const double e_T = own[0], apart = as_published ? 0.0 : std::max(e_T, 0.0);
    const Vector3& u_0 = in.u_0;
    row.bias = Vector3((u_0.x() <= 0.0 ? in.e : apart) * u_0.x(), e_T * u_0.y(), e_T * u_0.z());
    row.spin_bias = e_T * in.spin_0;
    row.scale = 1.0 / (1.0 + std::max(e_T, 0.0));  // 1 as `newton`, 1/2 as `fremond`
  }
};

struct Moreau : MoreauForm<false> {
  static constexpr const char* name = "moreau";
  static constexpr std::array parameters = {
      LawParameter{"e_T", "", -1.0, 1.0, 0.0, 1.0,
                   "tangential restitution under the law moreau: what sticks leaves with -e_T "
                   "times its tangential velocity"}};
};

struct MoreauPublished : MoreauForm<true> {
  static constexpr const char* name = "moreau_published";
  static constexpr std::array<LawParameter, 0> parameters = {};
  using NumbersOf = Moreau;
};

}  // namespace scree::contact
