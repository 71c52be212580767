// What all methods share: the iterate, the budget, the residual tests and the best iterate seen.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "contact/problem/aligned.hpp"
#include "contact/solver/local_solver.hpp"
#include "contact/solver/residual.hpp"
#include "contact/solver/runaway.hpp"
#include "contact/solver/solver.hpp"

namespace scree::contact {

// Vectors of a solve, in unit-free variables; kept between solves so that a warm solve allocates
// nothing.
struct IterateVectors {
  Numbers y, image;          // the iterate
  Numbers step, step_image;  // search direction of the conjugate gradient, or extrapolated point
  Numbers shift;             // De Saxce's, held for some gradient steps

  void swap(IterateVectors& other) {
    y.swap(other.y), image.swap(other.image), shift.swap(other.shift);
    step.swap(other.step), step_image.swap(other.step_image);
  }
};

struct IterationVectors : IterateVectors {
  std::array<IterateVectors, 4> arms;  // iterates that wait for their turn
  Numbers y_other, image_other;        // before a sweep, or what a gradient step found
  Numbers best;
  Numbers swept;                         // of the sweeps before the first factorisation
  std::vector<ResidualSums> of_islands;  // at the start
  RunawayVectors runaway;
};

// What a look at the best iterate from outside found.
struct Verdict {
  double residual = 0.0;   // recomputed from scratch
  bool round_off = false;  // what is left is round-off; only said when asked for
};

template <class Operator>
class Iteration {
 public:
  // `look(whether)` recomputes the residual of v.best from scratch, and says `whether` it is
  // round-off; it may use v.image.
  Iteration(Operator& contact_operator, const SolverOptions& solver_options,
            IterationVectors& vectors, std::function<Verdict(bool)> look)
      : op(contact_operator), options(solver_options), v(vectors), look_(std::move(look)) {
    find_aims();
    op.set_close(root_of_sweep(aim_ * options.tolerance));
  }

  Operator& op;
  const SolverOptions& options;
  IterationVectors& v;
  std::int64_t iterations = 0;

  bool done() const { return done_; }            // and confirmed
  bool round_off() const { return round_off_; }  // what is left is round-off, and confirmed
  bool from_zero() const { return from_zero_; }  // the start was of no use
  bool runs_away() const {
    return runs_away_;
  }  // there is no solution: impulses grow in the direction v.runaway.growth
  bool stop() const {
    return done_ || round_off_ || runs_away_ || broken_ || iterations >= options.max_iterations;
  }
  double best() const { return best_; }
  double last() const { return last_; }  // residual at the last test

  // Starts from the iterate in v.y, or from p = 0 if that one is of no use.
  void start() {
    v.best = v.y;
    moved();
    next_test_ = std::max<std::int64_t>(options.min_iterations, 1);
    record();
    if (best_ <= options.tolerance || !drop_useless_start()) return;
    best_ = std::numeric_limits<double>::infinity();
    from_zero_ = true;
    moved();
    record();
  }

  // Tests after iterations 1, 2, 4, 8, then every tenth.
  void test_when_due() {
    if (iterations < next_test_ && iterations < options.max_iterations) return;
    test();
    next_test_ = iterations + gap_;
    gap_ = gap_ < 8 ? 2 * gap_ : 10;
  }

  void test() {
    if (iterations < options.min_iterations && iterations < options.max_iterations) return;
    record();
    // The start counts: a sweep may leave a warm start slightly worse.
    if (best_ > options.tolerance + last_digits) return look_for_an_end();
    if (goes_on_to_aim()) return;
    // Round-off makes the residual of an iteration smaller or larger than it is: near its floor
    // every new best one is looked at.
    if (best_ >= not_confirmed_) return;
    const Verdict verdict = look_(true);
    done_ = verdict.residual <= options.tolerance;
    round_off_ = !done_ && verdict.round_off;
    broken_ = !std::isfinite(verdict.residual);
    if (stop()) return;
    not_confirmed_ = best_;
    moved();
  }

  // Back to the best iterate.
  void restore() {
    v.y = v.best;
    moved();
  }

  // To p = 0; the best iterate stays the best.
  void go_to_zero() {
    v.y.assign(v.best.size(), 0.0);
    moved();
  }

  // There is no solution: v.runaway.growth has impulses that show it.
  void runs_away_now() { runs_away_ = true; }

  // Whether the impulses in v.runaway.growth are asked for by the motion of driven bodies: told by
  // whoever knows the bodies; empty: nobody does.
  std::function<bool()> driven_bodies_ask;
  bool driven_bodies_move = false;  // the problem has any that do
  double mass_ratio = 1.0;          // [-] of its heaviest body to its lightest

  // v.y was set from outside.
  void moved() {
    op.make_image(v.y, v.image);
    image_current_ = true;
  }

  // Exchanges the iterate, with its momentum, for another one.
  void swap_iterate(IterateVectors& other) {
    refresh_image();
    static_cast<IterateVectors&>(v).swap(other);
    image_current_ = true;
  }

  // Follows the smallest residual from here on, starting at `residual`.
  void watch(double residual) { watched_ = residual; }
  double watched() const { return watched_; }

  // A sweep changed v.y; its image follows at once or, for a matrix, when it is needed.
  void swept() {
    ++iterations;
    image_current_ = Operator::sweep_keeps_image;
  }

  void refresh_image() {
    if (!image_current_) op.make_image(v.y, v.image);
    image_current_ = true;
  }

 private:
  // Measures the iterate and keeps it when it is the best so far.
  void record() {
    refresh_image();
    sums_ = op.residual_sums(v.y, v.image, options.measure);
    const double residual = measured();
    broken_ = !std::isfinite(residual);
    last_ = residual;
    watched_ = std::min(watched_, residual);
    if (residual < best_) {
      best_ = residual;
      v.best = v.y;
    }
  }

  double aim_of(std::size_t island) const {
    const std::span<const double> aims = op.islands().aims();
    return aims.empty() ? options.aim : aims[island];
  }

  void find_aims() {
    aim_ = largest_aim_ = op.islands().size() > 0 ? aim_of(0) : options.aim;
    for (std::size_t k = 1; k < op.islands().size(); ++k)
      aim_ = std::min(aim_, aim_of(k)), largest_aim_ = std::max(largest_aim_, aim_of(k));
  }

  // What is to come down, from the sums of the iterate: the residual of the whole, or of the island
  // where it is largest, while that misses the tolerance; then what is left of the islands to their
  // own aims.
  double measured() const {
    const double whole = stop_value(sums_.measures(), options);
    const std::span<const ResidualSums> islands = op.islands().last_sums();
    if (islands.empty()) return whole;
    double residual = whole, aimed = whole * (aim_ / largest_aim_);
    for (std::size_t k = 0; k < islands.size(); ++k) {
      const double here = stop_value(islands[k].measures_of_island(), options);
      residual = std::max(residual, here);
      aimed = std::max(aimed, here * (aim_ / aim_of(k)));
    }
    return residual > options.tolerance + last_digits ? residual : aimed;
  }

  // Whether a start says nothing: not finite, or with an error as large as itself that p = 0 does
  // not have. (A start that is right but for noise may leave a larger error than p = 0: of a stack
  // in free fall only the lowest contact is violated.)
  static bool is_doubtful(const ResidualSums& start) {
    constexpr double small = 0.1;
    return start.p != 0.0 && !(std::sqrt(start.scaled_map) <= small * start.impulse_size());
  }
  static bool is_useless(const ResidualSums& start, const ResidualSums& zero) {
    return is_doubtful(start) && !(std::sqrt(start.scaled_map) <= std::sqrt(zero.scaled_map));
  }

  // Puts p = 0 for a start that is useless: that of the whole, or of each island for itself.
  bool drop_useless_start() {
    const ResidualSums start = op.residual_sums(v.y, v.image, Measure::combined);
    const std::span<const ResidualSums> islands = op.islands().last_sums();
    v.of_islands.assign(islands.begin(), islands.end());
    if (islands.empty() ? !is_doubtful(start)
                        : std::none_of(islands.begin(), islands.end(), is_doubtful))
      return false;
    v.y_other.assign(v.y.size(), 0.0), v.image_other.clear();
    op.make_image(v.y_other, v.image_other);
    const ResidualSums zero = op.residual_sums(v.y_other, v.image_other, Measure::combined);
    bool any = islands.empty() && is_useless(start, zero);
    if (any) v.y.assign(v.y.size(), 0.0);
    for (std::size_t k = 0; k < islands.size(); ++k) {
      if (!is_useless(v.of_islands[k], islands[k])) continue;
      op.clear_island(k, v.y);
      any = true;
    }
    return any;
  }

  // Whether to go on although the tolerance is met: the aim is not. A start that meets the
  // tolerance goes on only while the aim comes nearer: what is not reached now the next step may
  // reach from here, and where it is never reached this costs little.
  bool goes_on_to_aim() {
    if (met_at_ < 0) met_at_ = iterations;
    if (best_ <= aim_ * options.tolerance || iterations - met_at_ >= extra_iterations) return false;
    if (best_ < progress * nearest_) nearest_ = best_, nearest_at_ = iterations;
    return met_at_ > std::max<std::int64_t>(options.min_iterations, 1) ||
           iterations - nearest_at_ < patience;
  }

  // Without the tolerance met: is what is left round-off, or is there no solution?
  void look_for_an_end() {
    look_for_round_off();
    if (stop()) return;
    const int settle = watch_.settle(
        iterations, std::sqrt(sums_.scaled_map + sums_.plain_map));  // one of them is summed up
    if (settle == 0) return;
    iterations += settle + 2 * runaway_window;
    runs_away_ = impulses_run_away(op, v.y.size(), settle, v.runaway);
    if (!v.runaway.alike) watch_.give_up();
  }

  // Residuals far below what a problem asks for may be round-off: looks after twice as many
  // iterations each time.
  void look_for_round_off() {
    constexpr double small = 1e-9;
    if (iterations < next_look_) return;
    next_look_ = 2 * iterations;
    const ResidualSums sums = op.residual_sums(v.y, v.image, Measure::combined);
    if (std::sqrt(sums.scaled_map) > small * sums.impulse_size()) return;
    const Verdict verdict = look_(true);
    done_ = verdict.residual <= options.tolerance;  // the iteration's own is round-off above it
    round_off_ = !done_ && verdict.round_off;
    if (!stop()) moved();
  }

  static constexpr double last_digits = 4.0 * std::numeric_limits<double>::epsilon();
  static constexpr std::int64_t extra_iterations = 1000;  // for the aim, once the tolerance is met
  static constexpr std::int64_t patience =
      512;                                 // iterations for the aim in which the residual must fall
  static constexpr double progress = 0.9;  // to this share of what it was

  std::function<Verdict(bool)> look_;
  double aim_ = 1.0, largest_aim_ = 1.0;  // of the islands
  ResidualSums sums_;
  RunawayWatch watch_;
  double nearest_ = std::numeric_limits<double>::infinity();
  std::int64_t nearest_at_ = 0;
  double best_ = std::numeric_limits<double>::infinity(), watched_ = best_, last_ = best_,
         not_confirmed_ = best_;
  std::int64_t next_test_ = 1, gap_ = 1, met_at_ = -1;
  std::int64_t next_look_ = 16;
  bool done_ = false, round_off_ = false, from_zero_ = false, runs_away_ = false, broken_ = false,
       image_current_ = false;
};

}  // namespace scree::contact
