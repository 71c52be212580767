// What all methods share: the iterate, the budget, the residual tests and the best iterate seen.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "contact/aligned.hpp"
#include "contact/local_solver.hpp"
#include "contact/residual.hpp"
#include "contact/solver.hpp"

namespace scree::contact {

// Vectors of a solve, in unit-free variables; kept between solves so that a warm solve allocates nothing.
struct IterateVectors {
  Numbers y, image;              // the iterate
  Numbers step, step_image;      // search direction of the conjugate gradient, or extrapolated point
  Numbers shift;                 // De Saxce's, held for some gradient steps

  void swap(IterateVectors& other) {
    y.swap(other.y), image.swap(other.image), shift.swap(other.shift);
    step.swap(other.step), step_image.swap(other.step_image);
  }
};

struct IterationVectors : IterateVectors {
  std::array<IterateVectors, 4> arms;  // iterates that wait for their turn
  Numbers y_other, image_other;  // before a sweep, or what a gradient step found
  Numbers best;
};

template <class Operator>
class Iteration {
 public:
  // `true_residual` recomputes that of v.best from scratch; it may use v.image.
  Iteration(Operator& contact_operator, const SolverOptions& solver_options, IterationVectors& vectors, std::function<double()> true_residual)
      : op(contact_operator), options(solver_options), v(vectors), true_residual_(std::move(true_residual)) {
    op.set_close(root_of_sweep(options.aim * options.tolerance));
  }

  Operator& op;
  const SolverOptions& options;
  IterationVectors& v;
  std::int64_t iterations = 0;

  bool done() const { return done_; }  // and confirmed
  bool stop() const { return done_ || broken_ || iterations >= options.max_iterations; }
  double best() const { return best_; }
  double last() const { return last_; }  // residual at the last test

  // Starts from the iterate in v.y.
  void start() {
    v.best = v.y;
    moved();
    next_test_ = std::max<std::int64_t>(options.min_iterations, 1);
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
    if (best_ > options.tolerance + round_off) return;
    if (met_at_ < 0) met_at_ = iterations;
    if (best_ > options.aim * options.tolerance && iterations - met_at_ < extra_iterations) return;
    // Round-off makes the residual of an iteration smaller or larger than it is: near its floor every new best one is looked at.
    if (best_ >= not_confirmed_) return;
    const double residual = true_residual_();
    done_ = residual <= options.tolerance;
    broken_ = !std::isfinite(residual);
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
    const double residual = op.residual(v.y, v.image, options.measure).of(options.measure);
    broken_ = !std::isfinite(residual);
    last_ = residual;
    watched_ = std::min(watched_, residual);
    if (residual < best_) {
      best_ = residual;
      v.best = v.y;
    }
  }

  static constexpr double round_off = 4.0 * std::numeric_limits<double>::epsilon();
  static constexpr std::int64_t extra_iterations = 1000;  // for the aim, once the tolerance is met

  std::function<double()> true_residual_;
  double best_ = std::numeric_limits<double>::infinity(), watched_ = best_, last_ = best_, not_confirmed_ = best_;
  std::int64_t next_test_ = 1, gap_ = 1, met_at_ = -1;
  bool done_ = false, broken_ = false, image_current_ = false;
};

}  // namespace scree::contact
