// The three residual measures, from unit-free contact data. Sums run over fixed blocks: same bits for any executor.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/friction_cone.hpp"
#include "contact/scaling.hpp"
#include "contact/solver.hpp"

namespace scree::contact {

// What a contact's residual needs besides p and w.
struct ContactTraits {
  Vector3 b = Vector3::Zero();  // [m/s] in the problem's units
  double mu = 0.0;              // [-]
  double factor = 1.0;          // [kg^-1/2 inverse] 1 / sqrt(d_c): p = factor y, w = w_y / factor
  double scale = 1.0;           // [-] of (w, b) in the rho = 1 measures
};

// Squares summed over contacts.
struct ResidualSums {
  double scaled_map = 0.0, start_map = 0.0;  // natural map with rho_c, at p and (if p = 0) at 0
  double plain_map = 0.0;                    // natural map with rho = 1
  double p = 0.0, b = 0.0, w = 0.0;

  // For all three measures.
  void add(const ContactTraits& traits, const Vector3& p_c, const Vector3& w_c) noexcept {
    add_scaled(traits, p_c, w_c);
    add_plain(traits, p_c, w_c);
    p += p_c.squaredNorm();
  }

  // For one measure only, from unit-free y and w.
  void add(const ContactTraits& traits, const double* y, const double* w_y, Measure measure) noexcept {
    const double factor = traits.factor, inverse = 1.0 / factor;
    add(traits, Vector3(factor * y[0], factor * y[1], factor * y[2]),
        Vector3(inverse * w_y[0], inverse * w_y[1], inverse * w_y[2]), measure);
  }

  void add(const ContactTraits& traits, const Vector3& p_c, const Vector3& w_c, Measure measure) noexcept {
    if (measure == Measure::scaled) add_scaled(traits, p_c, w_c);
    else add_plain(traits, p_c, w_c);
    p += p_c.squaredNorm();
  }

  void add_scaled(const ContactTraits& traits, const Vector3& p_c, const Vector3& w_c) noexcept {
    const double rho = traits.factor * traits.factor;
    scaled_map += natural_map(p_c, w_c, traits.mu, rho).squaredNorm();
    if (p_c[0] == 0.0) start_map += natural_map(Vector3(Vector3::Zero()), traits.b, traits.mu, rho).squaredNorm();
  }

  void add_plain(const ContactTraits& traits, const Vector3& p_c, const Vector3& w_c) noexcept {
    plain_map += natural_map(p_c, Vector3(traits.scale * w_c), traits.mu, 1.0).squaredNorm();
    b += (traits.scale * traits.b).squaredNorm();
    w += (traits.scale * w_c).squaredNorm();
  }

  void add(const ResidualSums& other) noexcept {
    scaled_map += other.scaled_map, start_map += other.start_map, plain_map += other.plain_map;
    p += other.p, b += other.b, w += other.w;
  }

  Residuals measures() const noexcept {
    Residuals result;
    const double scaled = std::sqrt(scaled_map), plain = std::sqrt(plain_map);
    const double unit = p > 0.0 ? std::sqrt(p) : std::sqrt(start_map);
    result.scaled = scaled == 0.0 ? 0.0 : scaled / unit;
    result.published = plain / (1.0 + std::sqrt(b));
    const double largest = std::sqrt(std::max({b, p, w}));
    result.siconos = largest > std::numeric_limits<double>::epsilon() ? plain / largest : plain;
    if (!std::isfinite(p + b + w)) result.scaled = result.published = result.siconos = std::nan("");
    return result;
  }
};

// Sums over contacts in at most 64 fixed parts; add_contact(i, sums) adds the i-th.
template <class AddContact>
ResidualSums residual_sums(std::size_t n_contacts, const Executor& executor, const AddContact& add_contact) {
  constexpr std::size_t smallest_part = 512, max_parts = 64;
  const std::size_t n_parts = std::clamp<std::size_t>(n_contacts / smallest_part, 1, max_parts);
  std::array<ResidualSums, max_parts> partial;
  executor.for_each_block(static_cast<int>(n_parts), [&](int part) {
    const auto k = static_cast<std::size_t>(part);
    ResidualSums sums;
    for (std::size_t i = k * n_contacts / n_parts; i < (k + 1) * n_contacts / n_parts; ++i) add_contact(i, sums);
    partial[k] = sums;
  });
  ResidualSums total;
  for (const ResidualSums& sums : partial) total.add(sums);
  return total;
}

}  // namespace scree::contact
