// The default method: conjugate-gradient sweeps, then factorisations where they are cheap, then
// arms that take turns, each with its own iterate. All decisions rest on counted work and
// residuals, never on the clock, so they are the same on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "contact/solver/apgd.hpp"
#include "contact/solver/direct_methods.hpp"
#include "contact/solver/leaps.hpp"
#include "contact/solver/nsgs.hpp"

namespace scree::contact {

// Share of the normal impulse carried by contacts on the boundary of their cones (rolling and
// spinning count).
template <class Operator>
double sliding_share(const Operator& op, const Numbers& y) {
  double sliding = 0.0, total = 0.0;
  op.for_each_impulse(y, [&](const auto& limits, double factor, const double* p) {
    total += factor * p[0];
    if (at_limit(limits, p, 1e-9)) sliding += factor * p[0];
  });
  return total > 0.0 ? sliding / total : 0.0;
}

// One way of iterating with an iterate of its own: what others do never sets it back.
struct Arm {
  enum class Way { conjugate, leaps, gradient } way;
  bool from_zero = false;
};

template <class Operator>
class RunningArm {
 public:
  // `unused`: residual of a best iterate that sweeps do not take over, if they have one of their
  // own to go on from.
  RunningArm(const Arm& arm, IterateVectors& vectors, double unused)
      : arm_(arm), vectors_(vectors), unused_(unused) {}

  // Goes on for blocks of the arm's length while each brings its residual down by a factor `pays`.
  // Returns how fast it got better than it, or the start, was: -d log(residual) / d work.
  double run(Iteration<Operator>& it, double pays) {
    it.swap_iterate(vectors_);
    const double best_of_all = it.best();
    if (!started_)
      start(it);
    else if (!arm_.from_zero && best_of_all < 0.1 * std::min(best_, unused_))
      take_best(it);
    const double start_residual = std::min(best_, best_of_all);
    const std::int64_t start_iterations = it.iterations;
    double before = best_;
    do {
      before = best_;
      it.watch(best_);
      const std::int64_t n = static_cast<std::int64_t>(block_) / iteration_work();
      switch (arm_.way) {
        case Arm::Way::conjugate:
          run_sweeps(it, n, conjugate_sweeps);
          break;
        case Arm::Way::leaps:
          run_leaps(it, leaps_, n);
          break;
        case Arm::Way::gradient:
          run_gradient(it, gradient_, n, gradient_period);
          break;
      }
      best_ = it.watched();
    } while (!it.stop() && best_ <= pays * before);
    it.swap_iterate(vectors_);
    const auto work = static_cast<double>((it.iterations - start_iterations) * iteration_work());
    return work > 0.0 && best_ < start_residual ? std::log(start_residual / best_) / work : 0.0;
  }

  void lengthen(double factor) {
    constexpr double largest_block = 32000.0;
    block_ = std::min(factor * block_, largest_block);
  }

 private:
  static constexpr std::int64_t gradient_period = 10;

  // In gradient steps.
  std::int64_t iteration_work() const {
    return arm_.way == Arm::Way::gradient ? 1 : Operator::sweep_work;
  }

  void start(Iteration<Operator>& it) {
    started_ = true;
    if (arm_.from_zero) {
      it.go_to_zero();
      best_ = std::numeric_limits<double>::infinity();
    } else if (arm_.way == Arm::Way::conjugate && !it.v.swept.empty()) {
      it.v.y = it.v.swept;
      it.moved();
      best_ = std::numeric_limits<double>::infinity();
    } else {
      unused_ = std::numeric_limits<double>::infinity();
      take_best(it);
    }
  }

  void take_best(Iteration<Operator>& it) {
    it.restore();
    gradient_.running = false;
    leaps_.begin_anew();
    best_ = it.best();
  }

  Arm arm_;
  IterateVectors& vectors_;
  GradientState gradient_;
  LeapState leaps_;
  double best_ = 0.0, unused_;
  double block_ = 500.0;  // [gradient steps]
  bool started_ = false;
};

// Lends the memory of the iterate to arm `arm`, which begins anew: one set of vectors less than
// arms and iterate need.
template <class Operator>
class LentIterate {
 public:
  LentIterate(Iteration<Operator>& it, IterateVectors& arm) : it_(it), arm_(arm) {
    it_.swap_iterate(arm_);
  }
  ~LentIterate() { it_.swap_iterate(arm_); }
  LentIterate(const LentIterate&) = delete;
  LentIterate& operator=(const LentIterate&) = delete;

 private:
  Iteration<Operator>& it_;
  IterateVectors& arm_;
};

// Factorisations, where they are cheap beside sweeps: of small problems, and of larger ones that
// are asked for much.
template <class Operator>
class DirectArm {
 public:
  explicit DirectArm(Iteration<Operator>& it) : it_(it) {
    if constexpr (Operator::rows == 3) {
      const std::size_t n = it.op.n_contacts();
      small_ = n <= 200;
      // Where faces meet in large structures gradient steps do better than all that waits for a
      // factorisation. What is not run is not set up either: the rows and blocks of a factorisation
      // take more room than all else of a contact.
      const bool much = it.options.tolerance <= 1e-5 && it.op.contacts_per_pair() < 2.5;
      if (!small_ && !much) return;
      run_.emplace(it, 0.5);
      const double most_sweeps = small_ ? 200.0 : 50.0;  // that a step may cost
      if (!run_->available() || run_->sweeps_per_step() > most_sweeps) run_.reset();
    }
  }

  // Sweeps for as long as they promise to end for less than the factorisations cost.
  void wait() {
    if constexpr (Operator::rows == 3) {
      if (!run_) return;
      constexpr std::int64_t block = 50;
      constexpr double steps = 12.0;  // that a run takes
      double left = 0.0;
      do {
        const double before = it_.best();
        run_sweeps(it_, block, conjugate_sweeps);
        left = it_.best() < before ? std::log(it_.best() / it_.options.tolerance) /
                                         std::log(before / it_.best()) * block
                                   : std::numeric_limits<double>::infinity();
      } while (!it_.stop() && left < steps * run_->sweeps_per_step());
    }
  }

  // Newton's method from the best iterate, then the interior-point method. What sweeps had reached
  // is kept where it costs little: where friction is locked in they end soon from there, and creep
  // for ever from where factorisations stall.
  void begin() {
    it_.v.swept.clear();
    if constexpr (Operator::rows == 3) {
      if (!run_) return;
      constexpr std::size_t few = 20;  // [contacts] below, friction is hardly locked in
      if (small_ && it_.op.n_contacts() >= few) it_.v.swept = it_.v.y;
      if (run_->has_no_velocity() || run_->is_wedged()) return;
      constexpr double near = 100.0;  // [tolerances] farther, it hardly finds the states
      if (it_.op.n_contacts() < few || it_.best() < near * it_.options.tolerance)
        run_->polish_best();
      if (!it_.stop()) run_->solve(small_ ? 4 : 1);
      polished_ = it_.best();
    }
  }

  // Newton's method, whenever the others have come nearer.
  void go_on() {
    if constexpr (Operator::rows == 3) {
      if (!run_ || it_.best() > 0.1 * polished_) return;
      run_->polish_best();
      polished_ = it_.best();
    }
  }

 private:
  Iteration<Operator>& it_;
  std::optional<DirectRun<Operator>> run_;
  bool small_ = false;
  double polished_ = 0.0;
};

template <class Operator>
void run_automatic(Iteration<Operator>& it) {
  // Faces that meet carry more contacts than they need, and many bodies take long to hear of each
  // other: gradient steps soon win. Elsewhere sweeps often do.
  const bool faces = it.op.contacts_per_pair() >= 2.5 && it.op.n_contacts() >= 500;
  run_sweeps(it, faces ? 10 : 100, conjugate_sweeps);
  if (it.stop()) return;
  DirectArm<Operator> direct(it);
  direct.wait();
  if (it.stop()) return;
  direct.begin();
  if (it.stop()) return;
  it.restore();
  const bool sliding = !faces && sliding_share(it.op, it.v.best) >= 0.1;
  constexpr Arm conjugate{Arm::Way::conjugate}, plain{Arm::Way::leaps},
      gradient{Arm::Way::gradient}, from_zero{Arm::Way::gradient, true};
  const double unused = it.best();
  const std::array<Arm, 4> order = sliding ? std::array{conjugate, gradient, plain, from_zero}
                                           : std::array{gradient, conjugate, from_zero, plain};
  std::array<RunningArm<Operator>, 4> arms = {{{order[0], it.v.arms[0], unused},
                                               {order[1], it.v.arms[1], unused},
                                               {order[2], it.v.arms[2], unused},
                                               {order[3], it.v.arms[3], unused}}};
  const LentIterate lent(it, it.v.arms[0]);
  const double pays = sliding ? 0.7 : 0.5;
  while (!it.stop()) {
    std::size_t fastest = 0;
    double fastest_rate = 0.0;
    for (std::size_t i = 0; i < arms.size(); ++i) {
      const double rate = arms[i].run(it, pays);
      if (it.stop()) return;
      direct.go_on();
      if (it.stop()) return;
      if (rate > fastest_rate) fastest = i, fastest_rate = rate;
    }
    for (RunningArm<Operator>& arm : arms) arm.lengthen(1.2);
    arms[fastest].lengthen(2.0);
  }
}

}  // namespace scree::contact
