// The residual measures, from unit-free contact data. Sums run over fixed blocks: same bits for any
// executor.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/laws/contact_rows.hpp"
#include "contact/problem/scaling.hpp"
#include "contact/solver/solver.hpp"

namespace scree::contact {

// Squares summed over contacts, of three rows or six.
struct ResidualSums {
  double scaled_map = 0.0, start_map = 0.0;  // natural map with rho_c, at p and (if p = 0) at 0
  double plain_map = 0.0;                    // natural map with rho = 1
  double p = 0.0, b = 0.0, w = 0.0;
  double unit = 0.0;      // of P_c
  double velocity = 0.0;  // largest (|r_c| / P_c)^2

  // For all measures.
  template <class Traits, class Rows>
  void add(const Traits& traits, const Rows& p_c, const Rows& w_c) noexcept {
    add_scaled(traits, p_c, w_c);
    add_plain(traits, p_c, w_c);
    p += p_c.squaredNorm();
    unit += traits.unit * traits.unit;
  }

  // For one measure only, from unit-free y and w.
  template <class Traits>
  void add(const Traits& traits, const double* y, const double* w_y, Measure measure) noexcept {
    using Rows = decltype(Traits::b);
    const double factor = traits.factor, inverse = 1.0 / factor;
    add(traits, Rows(factor * Eigen::Map<const Rows>(y)),
        Rows(inverse * Eigen::Map<const Rows>(w_y)), measure);
  }

  template <class Traits, class Rows>
  void add(const Traits& traits, const Rows& p_c, const Rows& w_c, Measure measure) noexcept {
    if (measure == Measure::scaled || measure == Measure::combined)
      add_scaled(traits, p_c, w_c);
    else
      add_plain(traits, p_c, w_c);
    p += p_c.squaredNorm();
    unit += traits.unit * traits.unit;
  }

  template <class Traits, class Rows>
  void add_scaled(const Traits& traits, const Rows& p_c, const Rows& w_c) noexcept {
    const double rho = traits.factor * traits.factor;
    const double map = natural_map(traits, p_c, w_c, rho).squaredNorm();
    scaled_map += map;
    if (traits.unit > 0.0) velocity = std::max(velocity, map / (traits.unit * traits.unit));
    // Impulses whose squares vanish count as none.
    if (p_c.squaredNorm() == 0.0)
      start_map += natural_map(traits, Rows(Rows::Zero()), traits.b, rho).squaredNorm();
  }

  template <class Traits, class Rows>
  void add_plain(const Traits& traits, const Rows& p_c, const Rows& w_c) noexcept {
    plain_map += natural_map(traits, p_c, Rows(traits.scale * w_c), 1.0).squaredNorm();
    b += (traits.scale * traits.b).squaredNorm();
    w += (traits.scale * w_c).squaredNorm();
  }

  void add(const ResidualSums& other) noexcept {
    scaled_map += other.scaled_map, start_map += other.start_map, plain_map += other.plain_map;
    p += other.p, b += other.b, w += other.w, unit += other.unit;
    velocity = std::max(velocity, other.velocity);
  }

  // |p| + |P|.
  double impulse_size() const noexcept { return std::sqrt(p) + std::sqrt(unit); }

  Residuals measures() const noexcept {
    Residuals result;
    const double scaled = std::sqrt(scaled_map), plain = std::sqrt(plain_map);
    result.scaled = scaled == 0.0 ? 0.0 : scaled / (p > 0.0 ? std::sqrt(p) : std::sqrt(start_map));
    result.impulse = scaled == 0.0 ? 0.0 : scaled / impulse_size();
    result.velocity = std::sqrt(velocity);
    result.published = plain / (1.0 + std::sqrt(b));
    const double largest = std::sqrt(std::max({b, p, w}));
    result.siconos = largest > std::numeric_limits<double>::epsilon() ? plain / largest : plain;
    if (!std::isfinite(p + b + w + scaled_map + plain_map)) {
      result.impulse = result.velocity = result.scaled = result.published = result.siconos =
          std::nan("");
    }
    return result;
  }
};

// Sums over contacts in at most 64 fixed parts; add_contact(i, sums) adds the i-th.
template <class AddContact>
ResidualSums residual_sums(std::size_t n_contacts, const Executor& executor,
                           const AddContact& add_contact) {
  constexpr std::size_t smallest_part = 512, max_parts = 64;
  const std::size_t n_parts = std::clamp<std::size_t>(n_contacts / smallest_part, 1, max_parts);
  std::array<ResidualSums, max_parts> partial;
  executor.for_each_block(static_cast<int>(n_parts), [&](int part) {
    const auto k = static_cast<std::size_t>(part);
    ResidualSums sums;
    for (std::size_t i = k * n_contacts / n_parts; i < (k + 1) * n_contacts / n_parts; ++i)
      add_contact(i, sums);
    partial[k] = sums;
  });
  ResidualSums total;
  for (const ResidualSums& sums : partial) total.add(sums);
  return total;
}

}  // namespace scree::contact
