#include "contact/solver/body_operator.hpp"

#include <algorithm>
#include <type_traits>

#include "contact/solver/lane_contact.hpp"
#include "engine/base/lanes.hpp"

// The loops over contacts; what prepares them is in body_operator_prepare.cpp.

namespace scree::contact {

// Velocities and spins of the two bodies of four pairs, in registers.
template <int rows_of_contact, bool gives_way>
struct BodyOperatorOf<rows_of_contact, gives_way>::Motion {
  Lanes v_a[3], w_a[3], v_b[3], w_b[3];

  [[gnu::always_inline]] static void gather(const double* image,
                                            const std::array<std::int32_t, n_lanes>& body, Lanes* v,
                                            Lanes* w) noexcept {
    Lanes linear[n_lanes], spin[n_lanes];
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      linear[lane] = spin[lane] = Lanes{};
      if (body[lane] < 0) continue;
      const double* z = image + body_stride * static_cast<std::size_t>(body[lane]);
      load_lanes(linear[lane], z), load_lanes(spin[lane], z + 4);
    }
    transpose(linear[0], linear[1], linear[2], linear[3]);
    transpose(spin[0], spin[1], spin[2], spin[3]);
    for (int k = 0; k < 3; ++k) v[k] = linear[k], w[k] = spin[k];
  }

  [[gnu::always_inline]] static void scatter(double* image,
                                             const std::array<std::int32_t, n_lanes>& body,
                                             const Lanes* v, const Lanes* w) noexcept {
    Lanes linear[n_lanes] = {v[0], v[1], v[2], Lanes{}},
          spin[n_lanes] = {w[0], w[1], w[2], Lanes{}};
    transpose(linear[0], linear[1], linear[2], linear[3]);
    transpose(spin[0], spin[1], spin[2], spin[3]);
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      if (body[lane] < 0) continue;
      double* z = image + body_stride * static_cast<std::size_t>(body[lane]);
      store_lanes(z, linear[lane]), store_lanes(z + 4, spin[lane]);
    }
  }

  [[gnu::always_inline]] void gather(const double* image, const Batch& batch) noexcept {
    gather(image, batch.body_a, v_a, w_a);
    gather(image, batch.body_b, v_b, w_b);
  }

  [[gnu::always_inline]] void scatter(double* image, const Batch& batch) const noexcept {
    scatter(image, batch.body_a, v_a, w_a);
    scatter(image, batch.body_b, v_b, w_b);
  }

  // w = J z + b.
  [[gnu::always_inline]] void relative_velocity(const Contacts& c, Lanes* w) const noexcept {
    const Lanes dv[3] = {v_b[0] - v_a[0], v_b[1] - v_a[1], v_b[2] - v_a[2]};
    for (int i = 0; i < rows; ++i) {
      Lanes products[3];
      for (int k = 0; k < 3; ++k) {
        products[k] = c.spin_b[3 * i + k] * w_b[k] - c.spin_a[3 * i + k] * w_a[k];
        if (i < 3) products[k] += c.frame[3 * i + k] * dv[k];
      }
      w[i] = c.b[i] + ((products[0] + products[1]) + products[2]);
    }
  }

  // w += D p.
  [[gnu::always_inline]] static void add_give(const Contacts& c, const Lanes* p,
                                              Lanes* w) noexcept {
    if constexpr (gives_way) {
      for (int k = 0; k < 3; ++k) w[k] += c.compliance[k] * p[k];
    }
  }

  // z += M^-1 J^T dp.
  [[gnu::always_inline]] void apply(const Contacts& c, const Batch& batch,
                                    const Lanes* dp) noexcept {
    for (int k = 0; k < 3; ++k) {
      const Lanes force = c.frame[k] * dp[0] + c.frame[3 + k] * dp[1] + c.frame[6 + k] * dp[2];
      v_a[k] -= batch.inverse_mass_a * force;
      v_b[k] += batch.inverse_mass_b * force;
      Lanes turn_a = c.spin_a[k] * dp[0], turn_b = c.spin_b[k] * dp[0];
      for (int i = 1; i < rows; ++i)
        turn_a += c.spin_a[3 * i + k] * dp[i], turn_b += c.spin_b[3 * i + k] * dp[i];
      w_a[k] -= turn_a;
      w_b[k] += turn_b;
    }
  }

  // The same where bodies have locked directions: velocities start at zero there and stay so.
  template <bool Locked>
  [[gnu::always_inline]] void apply(const Contacts& c, const Batch& batch, const Locks* locks,
                                    const Lanes* dp) noexcept {
    apply(c, batch, dp);
    if (!Locked) return;
    for (int k = 0; k < 3; ++k) v_a[k] *= locks->a[k], v_b[k] *= locks->b[k];
  }
};

namespace {

template <int rows>
[[gnu::always_inline]] inline void load_rows(Lanes* x, const double* from) noexcept {
  for (std::size_t k = 0; k < rows; ++k) load_lanes(x[k], from + n_lanes * k);
}

template <int rows>
[[gnu::always_inline]] inline void store_rows(double* to, const Lanes* x) noexcept {
  for (std::size_t k = 0; k < rows; ++k) store_lanes(to + n_lanes * k, x[k]);
}

// Asks for the cache lines of what a loop over items comes to two items after `now`. Where they are
// too many for the caches, waiting for them takes half of a sweep otherwise (walls of 100 000
// contacts: 24 ns a contact, 16 with it).
template <class Items>
[[gnu::always_inline]] inline void fetch_ahead(const Items& items, std::size_t now) noexcept {
  constexpr std::size_t ahead = 2, cache_line = 64;
  const char* const bytes =
      reinterpret_cast<const char*>(&items[std::min(now + ahead, items.size() - 1)]);
  for (std::size_t at = 0; at < sizeof(items[0]); at += cache_line) __builtin_prefetch(bytes + at);
}

}  // namespace

// Visits batches `first` to `last` - 1; `visit` must be forced inline (run_widest).
template <int rows_of_contact, bool gives_way>
template <class Visit>
void BodyOperatorOf<rows_of_contact, gives_way>::visit_batches(std::int32_t first,
                                                               std::int32_t last,
                                                               const Visit& visit) const {
  const Batch* begin = batches_.data() + first;
  const Batch* end = batches_.data() + last;
  run_widest([ =, &visit ]() __attribute__((always_inline)) {
    for (const Batch* batch = begin; batch != end; ++batch) visit(*batch);
  });
}

// The same for the batches of one block.
template <int rows_of_contact, bool gives_way>
template <class Visit>
void BodyOperatorOf<rows_of_contact, gives_way>::visit_block(int block, const Visit& visit) const {
  const auto at = static_cast<std::size_t>(block);
  visit_batches(grouping_.block_begin()[at], grouping_.block_begin()[at + 1], visit);
}

template <int rows_of_contact, bool gives_way>
double BodyOperatorOf<rows_of_contact, gives_way>::sum_partial(double GradientSums::*member) const {
  double total = 0.0;
  for (const GradientSums& sums : partial_) total += sums.*member;
  return total;
}

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::make_image(const Numbers& y,
                                                            Numbers& image) const {
  locks_.empty() ? make_image_with<false>(y, image) : make_image_with<true>(y, image);
}

template <int rows_of_contact, bool gives_way>
template <bool Locked>
void BodyOperatorOf<rows_of_contact, gives_way>::make_image_with(const Numbers& y,
                                                                 Numbers& image) const {
  image.resize(body_stride * n_slots());
  if (batches_.empty()) std::fill(image.begin(), image.end(), 0.0);
  executor_.for_each_phase(order_.colour_begin, [&](int block) {
    for_bodies(block, [z = image.data()](std::size_t slot) {
      std::fill_n(z + body_stride * slot, body_stride, 0.0);
    });
    visit_block(
        block,
        [&, p = y.data(), z = image.data() ](const Batch& batch) __attribute__((always_inline)) {
          Motion motion;
          motion.gather(z, batch);
          for (auto four = static_cast<std::size_t>(batch.begin);
               four < static_cast<std::size_t>(batch.end); ++four) {
            Lanes impulse[n_rows];
            load_rows<rows>(impulse, p + width * four);
            motion.template apply<Locked>(contacts_[four], batch, locks_of(batch), impulse);
          }
          motion.scatter(z, batch);
        });
  });
}

template <int rows_of_contact, bool gives_way>
LaneResidualSums BodyOperatorOf<rows_of_contact, gives_way>::sums_of(std::int32_t first_batch,
                                                                     std::int32_t last_batch,
                                                                     const Numbers& y,
                                                                     const Numbers& image,
                                                                     Measure measure) const {
  LaneResidualSums sums;
  visit_batches(
      first_batch, last_batch,
      [&, p = y.data(), z = image.data() ](const Batch& batch) __attribute__((always_inline)) {
        Motion motion;
        motion.gather(z, batch);
        for (auto four = static_cast<std::size_t>(batch.begin);
             four < static_cast<std::size_t>(batch.end); ++four) {
          const Contacts& c = contacts_[four];
          Lanes w[n_rows], impulse[n_rows];
          motion.relative_velocity(c, w);
          load_rows<rows>(impulse, p + width * four);
          Motion::add_give(c, impulse, w);
          add_lanes<rows>(sums, c.limits, c.factor, scale_[four], inverse_unit_[four], impulse, w,
                          c.b, measure);
        }
      });
  return sums;
}

template <int rows_of_contact, bool gives_way>
ResidualSums BodyOperatorOf<rows_of_contact, gives_way>::residual_sums(const Numbers& y,
                                                                       const Numbers& image,
                                                                       Measure measure) const {
  const std::array<std::int32_t, 2> blocks = {
      0, static_cast<std::int32_t>(grouping_.block_begin().size()) - 1};
  ResidualSums total;
  if (islands_.several()) {
    executor_.for_each_phase(blocks, [&](int block) {
      for (const OperatorIslands::Run& run : islands_.runs(block))
        islands_.keep(run, sums_of(run.begin, run.end, y, image, measure));
    });
    total = islands_.sum_up();
  } else {
    partial_residual_.assign(static_cast<std::size_t>(blocks[1]), ResidualSums{});
    executor_.for_each_phase(blocks, [&](int block) {
      const auto at = static_cast<std::size_t>(block);
      partial_residual_[at] =
          sums_of(grouping_.block_begin()[at], grouping_.block_begin()[at + 1], y, image, measure)
              .total();
    });
    for (const ResidualSums& sums : partial_residual_) total.add(sums);
  }
  total.unit = units_;
  return total;
}

template <int rows_of_contact, bool gives_way>
template <bool Keep, bool Locked>
double BodyOperatorOf<rows_of_contact, gives_way>::sweep_with(Numbers& y, Numbers& image,
                                                              double* y_old, double* image_old) {
  if (Keep) partial_.assign(grouping_.block_begin().size() - 1, GradientSums{});
  executor_.for_each_phase(order_.colour_begin, [&, p = y.data(), z = image.data()](int block) {
    if (Keep) {
      for_bodies(block, [=](std::size_t slot) {
        std::copy_n(z + body_stride * slot, body_stride, image_old + body_stride * slot);
      });
    }
    Lanes length{};
    visit_block(
        block, [&](const Batch& batch) __attribute__((always_inline)) {
          Motion motion;
          motion.gather(z, batch);
          for (auto four = static_cast<std::size_t>(batch.begin);
               four < static_cast<std::size_t>(batch.end); ++four) {
            fetch_ahead(contacts_, four), fetch_ahead(local_, four);
            const Contacts& c = contacts_[four];
            Lanes w[n_rows], impulse[n_rows], change[n_rows];
            motion.relative_velocity(c, w);
            load_rows<rows>(impulse, p + width * four);
            Motion::add_give(c, impulse, w);
            if (Keep) store_rows<rows>(y_old + width * four, impulse);
            visit_lanes(local_[four], c.limits, alpha_, close_, w, impulse, change);
            store_rows<rows>(p + width * four, impulse);
            if (Keep) add_squares<rows>(change, length);
            motion.template apply<Locked>(c, batch, locks_of(batch), change);
          }
          motion.scatter(z, batch);
        });
    if (Keep) partial_[static_cast<std::size_t>(block)].length = sum(length);
  });
  return Keep ? sum_partial(&GradientSums::length) : 0.0;
}

template <int rows_of_contact, bool gives_way>
void BodyOperatorOf<rows_of_contact, gives_way>::sweep(Numbers& y, Numbers& image) {
  locks_.empty() ? sweep_with<false, false>(y, image, nullptr, nullptr)
                 : sweep_with<false, true>(y, image, nullptr, nullptr);
}

template <int rows_of_contact, bool gives_way>
double BodyOperatorOf<rows_of_contact, gives_way>::sweep(Numbers& y, Numbers& image, Numbers& y_old,
                                                         Numbers& image_old) {
  y_old.resize(y.size()), image_old.resize(image.size());
  return locks_.empty() ? sweep_with<true, false>(y, image, y_old.data(), image_old.data())
                        : sweep_with<true, true>(y, image, y_old.data(), image_old.data());
}

template <int rows_of_contact, bool gives_way>
GradientSums BodyOperatorOf<rows_of_contact, gives_way>::project_step(
    const Numbers& y_ahead, const Numbers& image_ahead, const Numbers& y, double step, bool refresh,
    Numbers& shift, Numbers& y_new, Numbers& image_new) const {
  const auto project = [&](auto locked) {
    return project_step_with<decltype(locked)::value>(y_ahead, image_ahead, y, step, refresh, shift,
                                                      y_new, image_new);
  };
  return locks_.empty() ? project(std::false_type()) : project(std::true_type());
}

template <int rows_of_contact, bool gives_way>
template <bool Locked>
GradientSums BodyOperatorOf<rows_of_contact, gives_way>::project_step_with(
    const Numbers& y_ahead, const Numbers& image_ahead, const Numbers& y, double step, bool refresh,
    Numbers& shift, Numbers& y_new, Numbers& image_new) const {
  y_new.resize(y.size()), image_new.resize(image_ahead.size()), shift.resize(source_.size());
  const auto n_blocks = static_cast<int>(grouping_.block_begin().size()) - 1;
  if (batches_.empty()) std::fill(image_new.begin(), image_new.end(), 0.0);
  partial_.assign(static_cast<std::size_t>(gradient_phases_.back()), GradientSums{});
  executor_.for_each_phase(gradient_phases_, [&](int block) {
    GradientSums& sums = partial_[static_cast<std::size_t>(block)];
    if (block >= n_blocks) {
      for_bodies(block - n_blocks,
                 [&, a = image_new.data(), b = image_ahead.data()](std::size_t slot) {
                   double linear = 0.0, spin = 0.0;
                   for (std::size_t k = body_stride * slot; k < body_stride * slot + 3; ++k) {
                     const double dv = a[k] - b[k], dw = a[k + 4] - b[k + 4];
                     linear += dv * dv;
                     spin += dw * dw;
                   }
                   sums.curvature += spin + linear * mass_[slot];
                 });
      return;
    }
    for_bodies(block, [z = image_new.data()](std::size_t slot) {
      std::fill_n(z + body_stride * slot, body_stride, 0.0);
    });
    Lanes length{}, ascent{}, give{};
    visit_block(
        block, [&](const Batch& batch) __attribute__((always_inline)) {
          Motion motion, moved;
          motion.gather(image_ahead.data(), batch);
          moved.gather(image_new.data(), batch);
          for (auto four = static_cast<std::size_t>(batch.begin);
               four < static_cast<std::size_t>(batch.end); ++four) {
            fetch_ahead(contacts_, four);
            const Contacts& c = contacts_[four];
            Lanes w[n_rows], p[n_rows], ahead[n_rows], last[n_rows], held{};
            motion.relative_velocity(c, w);
            load_rows<rows>(ahead, y_ahead.data() + width * four);
            Motion::add_give(c, ahead, w);
            if (refresh)
              shift_lanes(c.limits, w, held), store_lanes(shift.data() + n_lanes * four, held);
            else
              load_lanes(held, shift.data() + n_lanes * four);
            w[0] += held;
            load_rows<rows>(last, y.data() + width * four);
            for (int k = 0; k < rows; ++k) p[k] = ahead[k] - step * w[k];
            project_lanes(c.limits, p);
            for (int k = 0; k < rows; ++k) {
              const Lanes change = p[k] - ahead[k];
              if constexpr (gives_way) {
                if (k < 3) give += c.compliance[k] * (change * change);
              }
              length += change * change;
              ascent += w[k] * (p[k] - last[k]);
            }
            store_rows<rows>(y_new.data() + width * four, p);
            moved.template apply<Locked>(c, batch, locks_of(batch), p);
          }
          moved.scatter(image_new.data(), batch);
        });
    sums.length = sum(length), sums.ascent = sum(ascent);
    if constexpr (gives_way) sums.curvature = sum(give);
  });
  return {sum_partial(&GradientSums::length), sum_partial(&GradientSums::curvature),
          sum_partial(&GradientSums::ascent)};
}

template class BodyOperatorOf<3, false>;
template class BodyOperatorOf<6, false>;
template class BodyOperatorOf<3, true>;
template class BodyOperatorOf<6, true>;

}  // namespace scree::contact
