#include "contact/body_operator.hpp"

#include <algorithm>

#include "contact/contact_rows.hpp"
#include "contact/local_solver.hpp"
#include "contact/rolling_local_solver.hpp"
#include "contact/simd.hpp"

// The loops over contacts; what prepares them is in body_operator_prepare.cpp.

namespace scree::contact {

namespace {

template <std::size_t n>
[[gnu::always_inline]] inline double squared_length(const double* x) noexcept {
  double sum = x[0] * x[0];
  for (std::size_t k = 1; k < n; ++k) sum += x[k] * x[k];
  return sum;
}

}  // namespace

// Velocity and spin of the two bodies of a pair, in registers; lane 3 is not used.
template <int rows_of_contact>
struct BodyOperatorOf<rows_of_contact>::Motion {
  Lanes v_a, w_a, v_b, w_b;

  [[gnu::always_inline]] void gather(const double* image, const Pair& pair) noexcept {
    v_a = w_a = v_b = w_b = Lanes{0.0, 0.0, 0.0, 0.0};
    if (pair.body_a >= 0) {
      const double* z = image + body_stride * static_cast<std::size_t>(pair.body_a);
      load_lanes(v_a, z), load_lanes(w_a, z + 4);
    }
    if (pair.body_b >= 0) {
      const double* z = image + body_stride * static_cast<std::size_t>(pair.body_b);
      load_lanes(v_b, z), load_lanes(w_b, z + 4);
    }
  }

  [[gnu::always_inline]] void scatter(double* image, const Pair& pair) noexcept {
    v_a[3] = w_a[3] = v_b[3] = w_b[3] = 0.0;
    if (pair.body_a >= 0) {
      double* z = image + body_stride * static_cast<std::size_t>(pair.body_a);
      store_lanes(z, v_a), store_lanes(z + 4, w_a);
    }
    if (pair.body_b >= 0) {
      double* z = image + body_stride * static_cast<std::size_t>(pair.body_b);
      store_lanes(z, v_b), store_lanes(z + 4, w_b);
    }
  }

  // w = J z + b.
  [[gnu::always_inline]] void relative_velocity(const Contact& c, double* w) const noexcept {
    const Lanes dv = v_b - v_a;
    for (int i = 0; i < 3; ++i) {
      Lanes axis, spin_a, spin_b;
      load_lanes(axis, c.frame + 3 * i), load_lanes(spin_a, c.spin_a + 3 * i), load_lanes(spin_b, c.spin_b + 3 * i);
      const Lanes products = axis * dv + (spin_b * w_b - spin_a * w_a);
      w[i] = c.b[i] + sum3(products);
    }
    for (int i = 3; i < rows; ++i) {
      Lanes spin_a, spin_b;
      load_lanes(spin_a, c.spin_a + 3 * i), load_lanes(spin_b, c.spin_b + 3 * i);
      const Lanes products = spin_b * w_b - spin_a * w_a;
      w[i] = c.b[i] + sum3(products);
    }
  }

  // z += M^-1 J^T dp.
  [[gnu::always_inline]] void apply(const Contact& c, const Pair& pair, const double* dp) noexcept {
    Lanes row[3];
    for (int i = 0; i < 3; ++i) load_lanes(row[i], c.frame + 3 * i);
    const Lanes force = row[0] * dp[0] + row[1] * dp[1] + row[2] * dp[2];
    v_a -= pair.inverse_mass_a * force;
    v_b += pair.inverse_mass_b * force;
    for (int i = 0; i < 3; ++i) load_lanes(row[i], c.spin_a + 3 * i);
    w_a -= row[0] * dp[0] + row[1] * dp[1] + row[2] * dp[2];
    for (int i = 0; i < 3; ++i) load_lanes(row[i], c.spin_b + 3 * i);
    w_b += row[0] * dp[0] + row[1] * dp[1] + row[2] * dp[2];
    if constexpr (rows == 6) {
      for (int i = 0; i < 3; ++i) load_lanes(row[i], c.spin_a + 3 * (i + 3));
      w_a -= row[0] * dp[3] + row[1] * dp[4] + row[2] * dp[5];
      for (int i = 0; i < 3; ++i) load_lanes(row[i], c.spin_b + 3 * (i + 3));
      w_b += row[0] * dp[3] + row[1] * dp[4] + row[2] * dp[5];
    }
  }
};

namespace {

template <class Pair, class Visit>
[[gnu::always_inline]] inline void visit_range(const Pair* begin, const Pair* end, const Visit& visit) noexcept {
  for (const Pair* pair = begin; pair != end; ++pair) visit(*pair);
}

template <class Pair, class Visit>
void visit_portable(const Pair* begin, const Pair* end, const Visit& visit) noexcept {
  visit_range(begin, end, visit);
}

template <class Pair, class Visit>
SCREE_TARGET_AVX2 void visit_avx2(const Pair* begin, const Pair* end, const Visit& visit) noexcept {
  visit_range(begin, end, visit);
}

}  // namespace

// Visits the pairs of one block; `visit` must be forced inline, so that it is compiled for either machine.
template <int rows_of_contact>
template <class Visit>
void BodyOperatorOf<rows_of_contact>::visit_block(int block, const Visit& visit) const {
  const auto at = static_cast<std::size_t>(block);
  const Pair* begin = pairs_.data() + order_.block_begin[at];
  const Pair* end = pairs_.data() + order_.block_begin[at + 1];
  if (has_avx2()) visit_avx2(begin, end, visit);
  else visit_portable(begin, end, visit);
}

template <int rows_of_contact>
double BodyOperatorOf<rows_of_contact>::sum_partial(double GradientSums::*member) const {
  double total = 0.0;
  for (const GradientSums& sums : partial_) total += sums.*member;
  return total;
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::make_image(const Numbers& y, Numbers& image) const {
  image.resize(body_stride * n_slots());
  if (pairs_.empty()) std::fill(image.begin(), image.end(), 0.0);
  executor_.for_each_phase(order_.colour_begin, [&](int block) {
    for_bodies(block, [z = image.data()](std::size_t slot) { std::fill_n(z + body_stride * slot, body_stride, 0.0); });
    visit_block(block, [&](const Pair& pair) __attribute__((always_inline)) {
      Motion motion;
      motion.gather(image.data(), pair);
      for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
        motion.apply(contacts_[i], pair, y.data() + n_rows * i);
      }
      motion.scatter(image.data(), pair);
    });
  });
}

template <int rows_of_contact>
Residuals BodyOperatorOf<rows_of_contact>::residual(const Numbers& y, const Numbers& image, Measure measure) const {
  const std::array<std::int32_t, 2> blocks = {0, static_cast<std::int32_t>(order_.block_begin.size()) - 1};
  partial_residual_.assign(static_cast<std::size_t>(blocks[1]), ResidualSums{});
  executor_.for_each_phase(blocks, [&](int block) {
    ResidualSums sums;
    visit_block(block, [&](const Pair& pair) __attribute__((always_inline)) {
      Motion motion;
      motion.gather(image.data(), pair);
      for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
        double w[n_rows];
        motion.relative_velocity(contacts_[i], w);
        sums.add(traits(i), y.data() + n_rows * i, w, measure);
      }
    });
    partial_residual_[static_cast<std::size_t>(block)] = sums;
  });
  ResidualSums total;
  for (const ResidualSums& sums : partial_residual_) total.add(sums);
  return total.measures();
}

// Exact solution of one contact, the others frozen.
template <int rows_of_contact>
[[gnu::always_inline]] inline void BodyOperatorOf<rows_of_contact>::visit(const Contact& c, Local& local, const double* w,
                                                                          double* p, double* dp) const {
  if constexpr (rows == 6) {
    if (resists(c.limits)) {
      visit_rolling(local.A, local.inverse, alpha_, c.limits, w, p, dp);
      return;
    }
    for (int k = 3; k < rows; ++k) dp[k] = 0.0;
  }
  visit_contact(Symmetric{local.A}, Symmetric{local.inverse}, alpha_, c.limits.mu, w, local.lambda, p, dp);
}

template <int rows_of_contact>
template <bool Keep>
double BodyOperatorOf<rows_of_contact>::sweep_with(Numbers& y, Numbers& image, double* y_old, double* image_old) {
  if (Keep) partial_.assign(order_.block_begin.size() - 1, GradientSums{});
  executor_.for_each_phase(order_.colour_begin, [&, p = y.data(), z = image.data()](int block) {
    if (Keep) {
      for_bodies(block, [=](std::size_t slot) { std::copy_n(z + body_stride * slot, body_stride, image_old + body_stride * slot); });
    }
    double length = 0.0;
    visit_block(block, [&](const Pair& pair) __attribute__((always_inline)) {
      Motion motion;
      motion.gather(z, pair);
      for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
        const Contact& c = contacts_[i];
        double w[n_rows], dp[n_rows];
        motion.relative_velocity(c, w);
        if (Keep) std::copy_n(p + n_rows * i, n_rows, y_old + n_rows * i);
        visit(c, local_[i], w, p + n_rows * i, dp);
        if (Keep) length += squared_length<n_rows>(dp);
        motion.apply(c, pair, dp);
      }
      motion.scatter(z, pair);
    });
    if (Keep) partial_[static_cast<std::size_t>(block)].length = length;
  });
  return Keep ? sum_partial(&GradientSums::length) : 0.0;
}

template <int rows_of_contact>
void BodyOperatorOf<rows_of_contact>::sweep(Numbers& y, Numbers& image) { sweep_with<false>(y, image, nullptr, nullptr); }

template <int rows_of_contact>
double BodyOperatorOf<rows_of_contact>::sweep(Numbers& y, Numbers& image, Numbers& y_old, Numbers& image_old) {
  y_old.resize(y.size()), image_old.resize(image.size());
  return sweep_with<true>(y, image, y_old.data(), image_old.data());
}

template <int rows_of_contact>
GradientSums BodyOperatorOf<rows_of_contact>::project_step(const Numbers& y_ahead, const Numbers& image_ahead,
                                                           const Numbers& y, double step, bool refresh, Numbers& shift,
                                                           Numbers& y_new, Numbers& image_new) const {
  y_new.resize(y.size()), image_new.resize(image_ahead.size()), shift.resize(n_contacts());
  const auto n_blocks = static_cast<int>(order_.block_begin.size()) - 1;
  if (pairs_.empty()) std::fill(image_new.begin(), image_new.end(), 0.0);
  partial_.assign(static_cast<std::size_t>(gradient_phases_.back()), GradientSums{});
  executor_.for_each_phase(gradient_phases_, [&](int block) {
    GradientSums sums;
    if (block >= n_blocks) {
      for_bodies(block - n_blocks, [&, a = image_new.data(), b = image_ahead.data()](std::size_t slot) {
        double linear = 0.0, spin = 0.0;
        for (std::size_t k = body_stride * slot; k < body_stride * slot + 3; ++k) {
          const double dv = a[k] - b[k], dw = a[k + 4] - b[k + 4];
          linear += dv * dv;
          spin += dw * dw;
        }
        sums.curvature += spin + linear * mass_[slot];
      });
    } else {
      for_bodies(block, [z = image_new.data()](std::size_t slot) { std::fill_n(z + body_stride * slot, body_stride, 0.0); });
      visit_block(block, [&](const Pair& pair) __attribute__((always_inline)) {
        Motion motion, moved;
        motion.gather(image_ahead.data(), pair);
        moved.gather(image_new.data(), pair);
        for (auto i = static_cast<std::size_t>(pair.begin); i < static_cast<std::size_t>(pair.end); ++i) {
          const Contact& c = contacts_[i];
          double w[n_rows];
          motion.relative_velocity(c, w);
          if (refresh) shift[i] = shift_of(c.limits, w);
          w[0] += shift[i];
          double p[n_rows];
          for (std::size_t k = 0; k < n_rows; ++k) p[k] = y_ahead[n_rows * i + k] - step * w[k];
          project_on_cone(c.limits, p);
          for (std::size_t k = 0; k < n_rows; ++k) {
            const double change = p[k] - y_ahead[n_rows * i + k];
            sums.length += change * change;
            sums.ascent += w[k] * (p[k] - y[n_rows * i + k]);
            y_new[n_rows * i + k] = p[k];
          }
          moved.apply(c, pair, p);
        }
        moved.scatter(image_new.data(), pair);
      });
    }
    partial_[static_cast<std::size_t>(block)] = sums;
  });
  return {sum_partial(&GradientSums::length), sum_partial(&GradientSums::curvature), sum_partial(&GradientSums::ascent)};
}

template class BodyOperatorOf<3>;
template class BodyOperatorOf<6>;

}  // namespace scree::contact
