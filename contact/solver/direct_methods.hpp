// Methods that factorise: the interior-point method and the proximal Newton method, together. The
// first finds, from anywhere, the neighbourhood of a solution and nearly all states of the
// contacts; the second ends there, where contacts that share their load or stand between two states
// make the first stall. Work counts in sweeps of the same problem, by the flops.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "contact/laws/friction_cone.hpp"
#include "contact/solver/interior_point.hpp"
#include "contact/solver/iteration.hpp"
#include "contact/solver/proximal_newton.hpp"

namespace scree::contact {

// A run of both on one iteration. Every iterate that they reach is tested, so the best is kept.
template <class Operator>
class DirectRun {
 public:
  // `share` of the iterations that are left may be spent.
  DirectRun(Iteration<Operator>& it, double share) : it_(it), direct_(it.op.direct()) {
    last_iteration_ =
        it.iterations + static_cast<std::int64_t>(
                            share * static_cast<double>(it.options.max_iterations - it.iterations));
    if (!direct_.filled) it.op.fill_direct();
    constexpr double factorisations = 20.0;  // that a run is likely to take
    const double budget =
        static_cast<double>(last_iteration_ - it.iterations) * direct_.coupling.sweep_flops();
    available_ = direct_.coupling.n_contacts() > 0 &&
                 direct_.coupling.analyse(std::min(budget / factorisations, most_flops));
  }

  bool available() const { return available_; }
  // Of one factorisation with what goes with it.
  double sweeps_per_step() const {
    return direct_.interior.flops(direct_.coupling) / direct_.coupling.sweep_flops();
  }

  // Newton's method from the best iterate.
  void polish_best() { polish_best(few_failures); }

  // Whether no velocity has w_N >= 0 at every contact: then there is no solution.
  bool has_no_velocity() {
    if (!leaves_an_error()) return false;
    direct_.mu.swap(direct_.coupling.mu);
    direct_.coupling.mu.assign(direct_.mu.size(), 0.0);
    constexpr std::int64_t most_sweeps = 200;  // that the search may take
    const bool found = impulses_without_bound(most_sweeps);
    direct_.mu.swap(direct_.coupling.mu);
    if (found) it_.runs_away_now();
    return found;
  }

  // Whether no velocity lies in the dual cones of all contacts, the impulses of plain sweeps grow
  // on and on, and what asks for them is the motion of driven bodies. (A solution that slides may
  // exist without such a velocity; of random problems where the impact law asks for more than the
  // cones allow, many have one.)
  bool is_wedged() {
    if (!it_.driven_bodies_ask || !leaves_an_error()) return false;
    // Where driven bodies move the search is worth more: without an answer all sweeps are spent.
    const std::int64_t most_sweeps = it_.driven_bodies_move ? 6000 : 800;
    it_.iterations += steady_growth_sweeps;
    const bool wedged = impulses_grow_steadily(it_.op, it_.v.y.size(), it_.v.runaway) &&
                        impulses_without_bound(most_sweeps) && it_.driven_bodies_ask();
    if (wedged) it_.runs_away_now();
    return wedged;
  }

  // The interior-point method from at most four starts, each followed by Newton's method.
  void solve(int n_starts) {
    enum class Start { near, far, best_wide, best_narrow };
    constexpr Start starts[] = {Start::near, Start::far, Start::best_wide, Start::best_narrow};
    for (const Start start : std::span(starts).first(static_cast<std::size_t>(n_starts))) {
      if (stop()) return;
      switch (start) {
        case Start::near:
          direct_.interior.begin(direct_.coupling, 1.0);
          break;
        case Start::far:
          direct_.interior.begin(direct_.coupling, 10.0);
          break;
        case Start::best_wide:
          begin_from_best(1e-2);
          break;
        case Start::best_narrow:
          begin_from_best(1e-4);
          break;
      }
      follow_path();
      // Where the first path folds Newton's method may still get there, in many pieces.
      polish(start == Start::near ? many_failures : few_failures);
    }
    // Where friction is locked in, impulses creep at a residual of 1e-7 through dozens of changes
    // of state; piece by piece Newton's method gets to the end of that.
    if (n_starts > 1 && !stop()) polish_best(all_failures);
  }

 private:
  static constexpr int few_failures = 1, many_failures = 8, all_failures = 60;
  static constexpr double most_flops =
      2e9;  // of a factorisation: it, and its memory, stay small beside a run's

  // The best iterate leaves a contact with an error that shows beside P_c.
  bool leaves_an_error() {
    constexpr double large = 0.01;
    if (stop()) return false;
    it_.restore();
    const ResidualSums sums = it_.op.residual_sums(it_.v.y, it_.v.image, Measure::combined);
    return !(sums.measures().velocity < large);
  }

  // Whether impulses d in the cones show that no velocity lies in all dual cones. The proximal
  // problems of the associated law then have solutions that grow without bound, in the end by the
  // same d over eps from one to the next [Pazy71]. Leaves d in v.runaway.growth. After a failure of
  // Newton's method eps shrinks less.
  bool impulses_without_bound(std::int64_t most_sweeps) {
    const std::int64_t last_sweep = it_.iterations + most_sweeps;
    constexpr double settled = 1e-3, first = 1e-2, last = 1e-8, least_shrink = 1.2, again = 3.0;
    constexpr int most_at_last = 4;
    direct_.y.assign(3 * direct_.coupling.n_contacts(), 0.0);
    double shrink = 100.0;
    int at_last = 0;
    for (double before = shrink * first;
         at_last < most_at_last && it_.iterations < last_sweep && !it_.stop();) {
      const double eps = std::max(before / shrink, last);
      direct_.end = direct_.y;
      double flops = 0.0;
      const bool solved =
          direct_.newton.step(direct_.coupling, eps, direct_.y, flops, FrictionRule::associated);
      spend(flops);
      if (!solved) {
        direct_.y.swap(direct_.end);
        if (shrink == 1.0 || before == last) return false;
        shrink = std::sqrt(shrink) < least_shrink ? 1.0 : std::sqrt(shrink);
        continue;
      }
      if (shrink == 1.0) shrink = again;
      if (eps == last) ++at_last;
      before = eps;
      double change = 0.0, size = 0.0;
      for (std::size_t i = 0; i < direct_.y.size(); ++i) {
        const double more = direct_.y[i] - direct_.end[i];
        direct_.end[i] = more;
        change += more * more, size += direct_.y[i] * direct_.y[i];
      }
      if (change <= settled * settled * size) return false;
      // What else the impulses have settles: their growth shows more than they, but for the
      // contacts that open.
      project(direct_.end);
      for (const Numbers* d : {&direct_.end, &direct_.y}) {
        if (!leaves_no_velocity(*d)) continue;
        it_.op.unflatten(*d, it_.v.runaway.growth);
        return true;
      }
    }
    return false;
  }

  // For any velocity v with H v + b in the dual cones it holds that d . (H v + b) >= 0, and so
  // |v|_M >= -d . b / |H^T d|. If that is far more than the problem's own, there is none. (Of a
  // heavy body on a light one |v|_M is larger than |b| by the root of their masses' ratio.)
  bool leaves_no_velocity(const Numbers& d) {
    const double far_more = std::max(1e4, 10.0 * std::sqrt(it_.mass_ratio));
    const Numbers& b = direct_.coupling.b;
    direct_.trial.resize(d.size());
    direct_.coupling.product(d.data(), direct_.trial.data());
    double moves = 0.0, asks = 0.0, own = 0.0;
    for (std::size_t i = 0; i < d.size(); ++i)
      moves += d[i] * direct_.trial[i], asks -= d[i] * b[i], own += b[i] * b[i];
    return asks > far_more * std::sqrt(own * std::max(moves, 0.0));
  }

  // Also when what is left does not pay for a step.
  bool stop() const {
    return it_.stop() || static_cast<double>(last_iteration_ - it_.iterations) < sweeps_per_step();
  }

  void polish_best(int most_failures) {
    it_.op.flatten(it_.v.best, direct_.y);
    polish(most_failures);
  }

  void begin_from_best(double m) {
    it_.op.flatten(it_.v.best, direct_.y);
    direct_.interior.begin_from(direct_.coupling, direct_.y, m);
  }

  // Leaves the best iterate of this path in direct_.y.
  void follow_path() {
    constexpr int most_steps = 40, most_short = 3, patience = 8;
    constexpr double short_step = 0.1, pays = 0.7;
    int short_steps = 0, without_gain = 0;
    double best = std::numeric_limits<double>::infinity(), gained = best;
    for (int k = 0;
         k < most_steps && !stop() && short_steps < most_short && without_gain < patience; ++k) {
      if (!direct_.interior.step()) return;
      spend(direct_.interior.flops(direct_.coupling));
      direct_.interior.store(direct_.trial);
      show();
      short_steps = direct_.interior.last_step() < short_step ? short_steps + 1 : 0;
      if (it_.last() < best) best = it_.last(), direct_.y.swap(direct_.trial);
      ++without_gain;
      if (best < pays * gained) gained = best, without_gain = 0;
    }
  }

  // Newton's method from direct_.y. The proximal term shrinks while Newton's method finds the
  // states of the contacts, and grows where it does not: then the path to the solution leads
  // through many changes of state, and is taken in pieces. The nearer the start, the smaller the
  // first term. Given up after so many failures.
  void polish(int most_failures) {
    constexpr double of_error = 100.0, widest = 1e-2, narrowest = 1e-5, smallest = 1e-9;
    constexpr double largest = 10.0, shrink = 0.3, grow = 5.0;
    const int most_pieces = most_failures == all_failures ? 120 : 30;
    direct_.trial = direct_.y;
    show();
    const double error =
        it_.op.residual_sums(it_.v.y, it_.v.image, Measure::combined).measures().impulse;
    double eps = std::isfinite(error) ? std::clamp(of_error * error, narrowest, widest) : widest;
    int failures = 0;
    for (int piece = 0; piece < most_pieces && !stop(); ++piece) {
      direct_.trial = direct_.y;
      double flops = 0.0;
      const bool solved = direct_.newton.step(direct_.coupling, eps, direct_.trial, flops);
      spend(flops);
      direct_.end = direct_.trial;
      show();
      if (solved) direct_.y.swap(direct_.end);
      if (solved && eps <= smallest) return;
      if (!solved && (++failures == most_failures || eps >= largest)) return;
      eps = solved ? std::max(eps * shrink, smallest) : std::min(eps * grow, largest);
    }
  }

  void spend(double flops) {
    flops_ += flops;
    const double sweeps = std::floor(flops_ / direct_.coupling.sweep_flops());
    flops_ -= sweeps * direct_.coupling.sweep_flops();
    const double left = static_cast<double>(it_.options.max_iterations - it_.iterations);
    it_.iterations += static_cast<std::int64_t>(std::min(sweeps, left));
  }

  // Each contact on its cone.
  void project(Numbers& y) const {
    for (std::size_t c = 0; c < direct_.coupling.n_contacts(); ++c)
      project_on_cone(direct_.coupling.mu[c], y[3 * c], y[3 * c + 1], y[3 * c + 2]);
  }

  // Tests direct_.trial, projected on the cones.
  void show() {
    project(direct_.trial);
    it_.op.unflatten(direct_.trial, it_.v.y);
    it_.moved();
    it_.test();
    spend(2.0 * direct_.coupling.sweep_flops());
  }

  Iteration<Operator>& it_;
  decltype(std::declval<Operator&>().direct()) direct_;
  std::int64_t last_iteration_ = 0;
  double flops_ = 0.0;
  bool available_ = false;
};

template <class Operator>
void run_direct(Iteration<Operator>& it, double share) {
  if constexpr (Operator::rows == 3) {
    DirectRun<Operator> run(it, share);
    if (!run.available()) return;
    run.solve(4);
    it.restore();
  }
}

}  // namespace scree::contact
