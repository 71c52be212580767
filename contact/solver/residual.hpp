// The residual measures, from unit-free contact data. Sums run over fixed blocks: same bits for any
// executor.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/laws/contact_rows.hpp"
#include "contact/problem/contact_islands.hpp"
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
    const double largest = std::sqrt(std::max({b, p, w}));
    return measures_by(p > 0.0 ? std::sqrt(p) : std::sqrt(start_map), largest);
  }

  // Of one island among others. What falls freely needs no impulses, and asks for all digits of
  // nothing where these are all that it is compared with: so a thousandth of P is counted as well.
  // Without impulses w is b, and the map at p = 0 the map itself.
  Residuals measures_of_island() const noexcept {
    constexpr double share = 1e-3;
    const double floor = share * std::sqrt(unit);
    return measures_by(std::max(std::sqrt(p > 0.0 ? p : scaled_map), floor),
                       std::max(std::sqrt(std::max({b, p, w})), floor));
  }

 private:
  // With what `scaled` and `siconos` compare with.
  Residuals measures_by(double of_scaled, double of_siconos) const noexcept {
    Residuals result;
    const double scaled = std::sqrt(scaled_map), plain = std::sqrt(plain_map);
    result.scaled = scaled == 0.0 ? 0.0 : scaled / of_scaled;
    result.impulse = scaled == 0.0 ? 0.0 : scaled / impulse_size();
    result.velocity = std::sqrt(velocity);
    result.published = plain / (1.0 + std::sqrt(b));
    result.siconos =
        of_siconos > std::numeric_limits<double>::epsilon() ? plain / of_siconos : plain;
    if (!std::isfinite(p + b + w + scaled_map + plain_map)) {
      result.impulse = result.velocity = result.scaled = result.published = result.siconos =
          std::nan("");
    }
    return result;
  }
};

// Blocks of a sum over n_contacts contacts: fixed by their number.
constexpr std::size_t most_sum_blocks = 64;
inline std::size_t n_sum_blocks(std::size_t n_contacts) {
  constexpr std::size_t smallest_block = 512;
  return std::clamp<std::size_t>(n_contacts / smallest_block, 1, most_sum_blocks);
}

// Sums over contacts in at most 64 fixed parts; add_contact(i, sums) adds the i-th.
template <class AddContact>
ResidualSums residual_sums(std::size_t n_contacts, const Executor& executor,
                           const AddContact& add_contact) {
  const std::size_t n_parts = n_sum_blocks(n_contacts);
  const auto sums_of = [&](std::size_t k) {
    ResidualSums sums;
    for (std::size_t i = k * n_contacts / n_parts; i < (k + 1) * n_contacts / n_parts; ++i)
      add_contact(i, sums);
    return sums;
  };
  if (n_parts == 1) return sums_of(0);
  std::array<ResidualSums, most_sum_blocks> partial;
  executor.for_each_block(static_cast<int>(n_parts), [&](int part) {
    const auto k = static_cast<std::size_t>(part);
    partial[k] = sums_of(k);
  });
  ResidualSums total;
  for (std::size_t k = 0; k < n_parts; ++k) total.add(partial[k]);
  return total;
}

// The same for a problem of several islands: also calls of_island(block, k, sums) once for each, on
// one thread at a time for a block.
template <class AddContact, class OfIsland>
ResidualSums residual_sums(const ContactIslands& islands, const Executor& executor,
                           const AddContact& add_contact, const OfIsland& of_island) {
  const std::size_t n = islands.n_contacts, n_parts = n_sum_blocks(n);
  // Of a part's first and last islands, which may go on in its neighbours; and of all others.
  struct Part {
    ResidualSums first, last, others;
  };
  std::array<Part, most_sum_blocks> partial;
  const auto island_at = [&](std::size_t i) {
    return static_cast<std::size_t>(islands.of[static_cast<std::size_t>(islands.contact[i])]);
  };
  const auto begin_of = [&](std::size_t part) { return part * n / n_parts; };
  executor.for_each_block(static_cast<int>(n_parts), [&](int block) {
    const auto part = static_cast<std::size_t>(block);
    const std::size_t begin = begin_of(part), end = begin_of(part + 1), first = island_at(begin),
                      last = island_at(end - 1);
    Part& sums = partial[part];
    for (std::size_t i = begin; i < end;) {
      const std::size_t k = island_at(i);
      ResidualSums of_k;
      for (; i < end && island_at(i) == k; ++i)
        add_contact(static_cast<std::size_t>(islands.contact[i]), of_k);
      if (k == first)
        sums.first = of_k;
      else if (k == last)
        sums.last = of_k;
      else
        of_island(part, k, of_k), sums.others.add(of_k);
    }
  });
  ResidualSums total, open;
  for (std::size_t part = 0; part < n_parts; ++part) {
    const std::size_t first = island_at(begin_of(part)), last = island_at(begin_of(part + 1) - 1);
    const bool goes_on = part + 1 < n_parts && island_at(begin_of(part + 1)) == last;
    open.add(partial[part].first);
    if (first != last) {
      of_island(part, first, open), total.add(open);
      total.add(partial[part].others);
      open = partial[part].last;
    }
    if (goes_on) continue;
    of_island(part, last, open), total.add(open);
    open = {};
  }
  return total;
}

}  // namespace scree::contact
