#include <cmath>

#include "contact/solver/body_operator.hpp"

// The problem as methods that factorise see it.

namespace scree::contact {

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::fill_direct() {
  BodyCoupling& coupling = direct_.coupling;
  coupling.clear(n_slots(), n_contacts());
  direct_.place.clear();
  const bool locked = !locks_.empty();
  for (const Batch& batch : batches_) {
    const Locks* const locks = locked ? locks_of(batch) : nullptr;
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      const double root_a = std::sqrt(batch.inverse_mass_a[lane]),
                   root_b = std::sqrt(batch.inverse_mass_b[lane]);
      for (auto four = static_cast<std::size_t>(batch.begin);
           four < static_cast<std::size_t>(batch.end); ++four) {
        const std::size_t place = n_lanes * four + lane;
        if (source_[place] < 0) continue;
        const Contacts& c = contacts_[four];
        double a[18], b[18];
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::size_t entry = 3 * i + axis;
            a[6 * i + axis] = -root_a * c.frame[entry][lane],
                      b[6 * i + axis] = root_b * c.frame[entry][lane];
            a[6 * i + 3 + axis] = -c.spin_a[entry][lane],
                          b[6 * i + 3 + axis] = c.spin_b[entry][lane];
            if (locked) {
              a[6 * i + axis] *= locks->a[axis][lane];
              b[6 * i + axis] *= locks->b[axis][lane];
            }
          }
          coupling.b.push_back(c.b[i][lane]);
          if constexpr (gives_way) coupling.compliance.push_back(c.compliance[i][lane]);
        }
        coupling.mu.push_back(c.limits.mu[lane]);
        coupling.add(batch.body_a[lane], batch.body_b[lane], a, b);
        direct_.place.push_back(static_cast<std::int32_t>(place));
      }
    }
  }
  direct_.filled = true;
}

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::flatten(const Numbers& y, Numbers& flat) const {
  flat.resize(3 * direct_.place.size());
  for (std::size_t c = 0; c < direct_.place.size(); ++c) {
    for (std::size_t row = 0; row < 3; ++row)
      flat[3 * c + row] = y[entry(static_cast<std::size_t>(direct_.place[c]), row)];
  }
}

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::unflatten(const Numbers& flat, Numbers& y) const {
  y.assign(3 * source_.size(), 0.0);
  for (std::size_t c = 0; c < direct_.place.size(); ++c) {
    for (std::size_t row = 0; row < 3; ++row)
      y[entry(static_cast<std::size_t>(direct_.place[c]), row)] = flat[3 * c + row];
  }
}

template void BodyOperatorOf<3, false>::fill_direct();
template void BodyOperatorOf<3, false>::flatten(const Numbers&, Numbers&) const;
template void BodyOperatorOf<3, false>::unflatten(const Numbers&, Numbers&) const;
template void BodyOperatorOf<3, true>::fill_direct();
template void BodyOperatorOf<3, true>::flatten(const Numbers&, Numbers&) const;
template void BodyOperatorOf<3, true>::unflatten(const Numbers&, Numbers&) const;

}  // namespace scree::contact
