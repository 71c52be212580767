// Four contacts at a time, lane by lane: what a sweep, a gradient step and the residual do with
// each (local_solver.hpp, friction_cone.hpp). With six rows the contacts that resist rolling are
// taken one after another.
//
// A lane without a contact has b = 0, mu = 0, A = 0 and factor 1: it stays open, and adds nothing
// to any sum.
#pragma once

#include <algorithm>
#include <array>

#include "contact/laws/contact_rows.hpp"
#include "contact/solver/local_solver.hpp"
#include "contact/solver/residual.hpp"
#include "contact/solver/rolling_local_solver.hpp"
#include "engine/base/infinity.hpp"
#include "engine/base/lanes.hpp"

namespace scree::contact {

// The rows of one contact of four, out of their lanes and back.
template <int rows>
[[gnu::always_inline]] inline void take_lane(const Lanes* x, std::size_t lane,
                                             double* one) noexcept {
  for (int k = 0; k < rows; ++k) one[k] = x[k][lane];
}

template <int rows>
[[gnu::always_inline]] inline void put_lane(Lanes* x, std::size_t lane,
                                            const double* one) noexcept {
  for (int k = 0; k < rows; ++k) x[k][lane] = one[k];
}

template <int rows>
struct LaneLimits;

template <>
struct LaneLimits<3> {
  Lanes mu;
  void set(std::size_t lane, const FrictionLimit& limits) noexcept { mu[lane] = limits.mu; }
  FrictionLimit of(std::size_t lane) const noexcept { return {mu[lane]}; }
};

template <>
struct LaneLimits<6> {
  Lanes mu, mu_spin, mu_roll;
  void set(std::size_t lane, const ConeLimits& limits) noexcept {
    mu[lane] = limits.mu, mu_spin[lane] = limits.mu_spin, mu_roll[lane] = limits.mu_roll;
  }
  ConeLimits of(std::size_t lane) const noexcept {
    return {mu[lane], mu_spin[lane], mu_roll[lane]};
  }
};

// Local problems of four contacts. Three rows: upper triangles of W_cc and (W_cc + alpha I)^-1, by
// rows.
template <int rows>
struct LaneLocal;

template <>
struct LaneLocal<3> {
  Lanes A[6], inverse[6];
  Lanes lambda;  // last slip multiplier

  void set_A(std::size_t lane, const double entry[6]) noexcept {
    put_lane<6>(A, lane, entry);
    lambda[lane] = 0.0;
  }
  void get_A(std::size_t lane, double entry[6]) const noexcept { take_lane<6>(A, lane, entry); }
  void set_inverse(std::size_t lane, const double entry[6]) noexcept {
    put_lane<6>(inverse, lane, entry);
  }
};

template <>
struct LaneLocal<6> {
  struct One {
    double A[36], inverse[36];  // triangles as above; all entries, row-major, if the contact rolls
    double lambda;
  };
  std::array<One, n_lanes> contact;

  void set_A(std::size_t lane, const double entry[6]) noexcept {
    std::copy_n(entry, 6, contact[lane].A);
    contact[lane].lambda = 0.0;
  }
  void set_rolling_A(std::size_t lane, const double entry[36]) noexcept {
    std::copy_n(entry, 36, contact[lane].A);
  }
  void get_A(std::size_t lane, double entry[6]) const noexcept {
    std::copy_n(contact[lane].A, 6, entry);
  }
  void set_inverse(std::size_t lane, const double entry[6]) noexcept {
    std::copy_n(entry, 6, contact[lane].inverse);
  }
};

// p of four contacts on their cones, as project_on_cone.
[[gnu::always_inline]] inline void project_lanes(const LaneLimits<3>& limits, Lanes* p) noexcept {
  Lanes tangential = p[1] * p[1] + p[2] * p[2];
  square_root(tangential);
  const Lanes mu = limits.mu, zero = Lanes{};
  const LaneMask inside = (p[0] >= zero) & (tangential <= mu * p[0]),
                 polar = mu * tangential <= -p[0];
  if (all(inside)) return;
  const Lanes n = (mu * tangential + p[0]) / (1.0 + mu * mu), shrink = mu * n / tangential;
  p[0] = inside ? p[0] : polar ? zero : n;
  p[1] = inside ? p[1] : polar ? zero : p[1] * shrink;
  p[2] = inside ? p[2] : polar ? zero : p[2] * shrink;
}

inline void project_lanes(const LaneLimits<6>& limits, Lanes* p) noexcept {
  for (std::size_t lane = 0; lane < n_lanes; ++lane) {
    double one[6];
    take_lane<6>(p, lane, one);
    project_on_cone(limits.of(lane), one);
    put_lane<6>(p, lane, one);
  }
}

// De Saxce's shifts at contact velocities w.
[[gnu::always_inline]] inline void shift_lanes(const LaneLimits<3>& limits, const Lanes* w,
                                               Lanes& shift) noexcept {
  shift = w[1] * w[1] + w[2] * w[2];
  square_root(shift);
  shift *= limits.mu;
}

inline void shift_lanes(const LaneLimits<6>& limits, const Lanes* w, Lanes& shift) noexcept {
  for (std::size_t lane = 0; lane < n_lanes; ++lane) {
    double one[6];
    take_lane<6>(w, lane, one);
    shift[lane] = shift_of(limits.of(lane), one);
  }
}

// Squares of lanes, for the sums of a residual.
struct LaneResidualSums {
  Lanes scaled_map{}, start_map{}, plain_map{}, p{}, b{}, w{};
  Lanes velocity{};  // largest, not summed

  ResidualSums total() const noexcept {
    const double largest =
        std::max(std::max(velocity[0], velocity[1]), std::max(velocity[2], velocity[3]));
    return {sum(scaled_map), sum(start_map), sum(plain_map), sum(p), sum(b), sum(w), 0.0, largest};
  }

  ResidualSums of(std::size_t lane) const noexcept {
    return {scaled_map[lane], start_map[lane], plain_map[lane], p[lane], b[lane], w[lane], 0.0,
            velocity[lane]};
  }
};

template <int rows>
[[gnu::always_inline]] inline void add_squares(const Lanes* x, Lanes& sum) noexcept {
  Lanes squares = x[0] * x[0];
  for (int k = 1; k < rows; ++k) squares += x[k] * x[k];
  sum += squares;
}

// |p - proj_K(p - rho w~)|^2, evaluated as natural_map.
template <int rows>
[[gnu::always_inline]] inline void natural_map_squares(const LaneLimits<rows>& limits,
                                                       const Lanes* p, const Lanes* w,
                                                       const Lanes& rho, Lanes& squares) noexcept {
  constexpr auto n_rows = static_cast<std::size_t>(rows);
  Lanes step[n_rows], moved[n_rows], inside[n_rows], map[n_rows], shift{};
  shift_lanes(limits, w, shift);
  for (int k = 0; k < rows; ++k) step[k] = rho * w[k];
  step[0] += rho * shift;
  for (int k = 0; k < rows; ++k) inside[k] = moved[k] = p[k] - step[k];
  project_lanes(limits, inside);
  const LaneMask opens = inside[0] == Lanes{};
  for (int k = 0; k < rows; ++k) map[k] = opens ? p[k] : step[k] + (moved[k] - inside[k]);
  squares = map[0] * map[0];
  for (int k = 1; k < rows; ++k) squares += map[k] * map[k];
}

// Adds four contacts for one measure, from unit-free impulses, velocities and b. The map at p = 0
// counts only when no contact has an impulse whose square is a number.
template <int rows>
[[gnu::always_inline]] inline void add_lanes(LaneResidualSums& sums, const LaneLimits<rows>& limits,
                                             const Lanes& factor, const Lanes& scale,
                                             const Lanes& inverse_unit, const Lanes* y,
                                             const Lanes* w_y, const Lanes* b_y,
                                             Measure measure) noexcept {
  constexpr auto n_rows = static_cast<std::size_t>(rows);
  const Lanes inverse = 1.0 / factor;
  Lanes p[n_rows], w[n_rows], b[n_rows], map;
  for (int k = 0; k < rows; ++k)
    p[k] = factor * y[k], w[k] = inverse * w_y[k], b[k] = inverse * b_y[k];
  if (measure == Measure::scaled || measure == Measure::combined) {
    const Lanes rho = factor * factor;
    natural_map_squares<rows>(limits, p, w, rho, map);
    sums.scaled_map += map;
    if (measure == Measure::combined) {
      const Lanes error = map * (inverse_unit * inverse_unit);
      sums.velocity = error > sums.velocity ? error : sums.velocity;
    }
    if (all(p[0] * p[0] == Lanes{})) {
      const Lanes none[n_rows] = {};
      natural_map_squares<rows>(limits, none, b, rho, map);
      sums.start_map += map;
    }
  } else {
    for (int k = 0; k < rows; ++k) w[k] *= scale, b[k] *= scale;
    natural_map_squares<rows>(limits, p, w, Lanes{1.0, 1.0, 1.0, 1.0}, map);
    sums.plain_map += map;
    add_squares<rows>(b, sums.b), add_squares<rows>(w, sums.w);
  }
  add_squares<rows>(p, sums.p);
}

// The slipping lanes of a visit, as solve_slip: Newton's method on all of them until each is close
// to its root. A lane that it does not bring there, for want of a bracket, is solved on its own.
[[gnu::always_inline]] inline void slip_lanes(LaneLocal<3>& local, double alpha, double close,
                                              const Lanes& mu, const LaneMask& slips,
                                              const Lanes* w, const Lanes& b_n, const Lanes* old,
                                              Lanes* p) noexcept {
  constexpr int max_steps = 8;
  const Lanes* A = local.A;
  const Lanes A_n = A[0] + alpha, A_t = A[3] + alpha, A_s = A[5] + alpha, inverse = 1.0 / A_n,
              zero = Lanes{};
  const Lanes n_0 = -inverse * b_n;
  const LaneMask frictionless = slips & (mu <= zero);
  p[0] = frictionless ? n_0 : p[0], p[1] = frictionless ? zero : p[1],
  p[2] = frictionless ? zero : p[2];
  const LaneMask rubs = slips & ~frictionless;
  if (!any(rubs)) return;
  const Lanes b_t = w[1] - (A[1] * old[0] + A_t * old[1] + A[4] * old[2]);
  const Lanes b_s = w[2] - (A[2] * old[0] + A[4] * old[1] + A_s * old[2]);
  const Lanes e_t = A[1] * inverse, e_s = A[2] * inverse;
  const Lanes S_tt = A_t - A[1] * e_t, S_ts = A[4] - A[1] * e_s, S_ss = A_s - A[2] * e_s;
  const Lanes c_t = b_t - e_t * b_n, c_s = b_s - e_s * b_n, push = e_t * c_t + e_s * c_s;
  Lanes lambda =
      (local.lambda > zero) & (local.lambda < infinity) ? local.lambda : 0.1 * (A_n + A_t + A_s);
  // SlipProblem::evaluate: f = (mu N - |y|) / |y|.
  Lanes trace, bound, determinant, y_t, y_s, squared, length, N, excess;
  const auto evaluate = [&]() __attribute__((always_inline)) {
    const Lanes t = S_tt + lambda, s = S_ss + lambda;
    trace = t + s, bound = 1e-3 * t * s;
    determinant = t * s - S_ts * S_ts;
    y_t = S_ts * c_s - s * c_t, y_s = S_ts * c_t - t * c_s;
    squared = y_t * y_t + y_s * y_s;
    length = squared;
    square_root(length);
    N = n_0 * determinant - e_t * y_t - e_s * y_s;
    excess = mu * N - length;
  };
  LaneMask found{};
  evaluate();
  for (int step = 0; step < max_steps; ++step) {
    const Lanes slope = mu * ((n_0 * trace + push) * squared + N * (y_t * c_t + y_s * c_s));
    const LaneMask is_close = (excess <= close * length) & (-excess <= close * length);
    lambda -= excess * squared / slope;
    found = is_close & (lambda > zero) & (lambda < infinity);
    evaluate();
    if (!any(rubs & ~found)) break;
  }
  const Lanes n = N / determinant, shrink = mu * n / length;
  found &= rubs & (determinant > bound) & (n > zero) & (length > zero) & (n < infinity);
  p[0] = found ? n : p[0], p[1] = found ? y_t * shrink : p[1], p[2] = found ? y_s * shrink : p[2];
  local.lambda = found ? lambda : local.lambda;
  const LaneMask left = rubs & ~found;
  if (!any(left)) return;
  for (std::size_t lane = 0; lane < n_lanes; ++lane) {
    if (left[lane] == 0) continue;
    double entries[6], w_c[3], old_c[3], p_c[3], multiplier = local.lambda[lane];
    local.get_A(lane, entries);
    take_lane<3>(w, lane, w_c), take_lane<3>(old, lane, old_c), take_lane<3>(p, lane, p_c);
    slip_visit(Symmetric{entries}, alpha, mu[lane], close, w_c, b_n[lane], multiplier, old_c, p_c);
    local.lambda[lane] = multiplier;
    put_lane<3>(p, lane, p_c);
  }
}

// One visit of a sweep to four contacts, as visit_contact: writes p' over p and p' - p to dp.
[[gnu::always_inline]] inline void visit_lanes(LaneLocal<3>& local, const LaneLimits<3>& limits,
                                               double alpha, double close, const Lanes* w, Lanes* p,
                                               Lanes* dp) noexcept {
  const Lanes* A = local.A;
  const Lanes* B = local.inverse;
  const Lanes old[3] = {p[0], p[1], p[2]}, zero = Lanes{};
  const Lanes b_n = w[0] - (A[0] * old[0] + A[1] * old[1] + A[2] * old[2] + alpha * old[0]);
  const Lanes n = old[0] - (B[0] * w[0] + B[1] * w[1] + B[2] * w[2]);
  const Lanes t = old[1] - (B[1] * w[0] + B[3] * w[1] + B[4] * w[2]);
  const Lanes s = old[2] - (B[2] * w[0] + B[4] * w[1] + B[5] * w[2]);
  const Lanes limit = limits.mu * n;
  const LaneMask open = b_n >= zero, sticks = (n >= zero) & (t * t + s * s <= limit * limit),
                 slips = ~open & ~sticks;
  p[0] = open ? zero : n, p[1] = open ? zero : t, p[2] = open ? zero : s;
  if (any(slips)) slip_lanes(local, alpha, close, limits.mu, slips, w, b_n, old, p);
  for (int k = 0; k < 3; ++k) dp[k] = p[k] - old[k];
}

inline void visit_lanes(LaneLocal<6>& local, const LaneLimits<6>& limits, double alpha,
                        double close, const Lanes* w, Lanes* p, Lanes* dp) noexcept {
  for (std::size_t lane = 0; lane < n_lanes; ++lane) {
    LaneLocal<6>::One& one = local.contact[lane];
    const ConeLimits limits_c = limits.of(lane);
    double w_c[6], p_c[6], dp_c[6] = {};
    take_lane<6>(w, lane, w_c), take_lane<6>(p, lane, p_c);
    if (resists(limits_c))
      visit_rolling(one.A, one.inverse, alpha, limits_c, w_c, p_c, dp_c);
    else
      visit_contact(Symmetric{one.A}, Symmetric{one.inverse}, alpha, limits_c.mu, close, w_c,
                    one.lambda, p_c, dp_c);
    put_lane<6>(p, lane, p_c), put_lane<6>(dp, lane, dp_c);
  }
}

}  // namespace scree::contact
