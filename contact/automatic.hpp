// The default method: conjugate-gradient sweeps (N) and gradient steps (A) hand the best iterate to each other. All
// decisions rest on counted work and residuals, never on the clock, so they are the same on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "contact/apgd.hpp"
#include "contact/nsgs.hpp"

namespace scree::contact {

// Share of the normal impulse carried by contacts on the boundary of their cones.
template <class Operator>
double sliding_share(const Operator& op, const std::vector<double>& y) {
  double sliding = 0.0, total = 0.0;
  for (std::size_t i = 0; i < op.n_contacts(); ++i) {
    const auto& traits = op.traits()[i];
    const double normal = y[3 * i], tangential = std::hypot(y[3 * i + 1], y[3 * i + 2]);
    total += traits.factor * normal;
    if (tangential >= traits.mu * normal * (1.0 - 1e-9)) sliding += traits.factor * normal;
  }
  return total > 0.0 ? sliding / total : 0.0;
}

template <class Operator>
void run_automatic(Iteration<Operator>& it) {
  constexpr std::int64_t largest_block = 8000;
  // Plain Gauss-Seidel comes second: slow, but it gets through where extrapolation is thrown off by sliding contacts.
  constexpr std::array<SweepOptions, 4> ways = {
      {{0.2, true}, {0.0, false}, {0.5, true}, {0.1, true}}};
  constexpr std::array<std::int64_t, 2> periods = {10, 50};
  const bool cold = std::all_of(it.v.y.begin(), it.v.y.end(), [](double y) { return y == 0.0; });
  run_sweeps(it, 100, ways[0]);
  if (it.stop()) return;
  const bool sliding = sliding_share(it.op, it.v.best) >= 0.1;
  const double sweeps_pay = sliding ? 0.7 : 0.1, steps_pay = sliding ? 0.7 : 0.5;
  std::size_t way = 0, period = sliding ? 1 : 0;
  std::int64_t sweeps = sliding ? 1000 : 100, steps = sliding ? 1000 : 500;
  GradientState gradient;
  bool sweeping = true;
  bool try_from_zero = cold && !sliding;
  while (!it.stop()) {
    const double before = it.best();
    if (sweeping) run_sweeps(it, sweeps, ways[way]);
    else run_gradient(it, gradient, steps, periods[period]);
    if (it.stop()) return;
    if (it.best() <= (sweeping ? sweeps_pay : steps_pay) * before) continue;
    if (!sweeping && try_from_zero) {
      // Gauss-Seidel's order leaves errors in the soft modes of a stack (a tower leans); from zero, gradient steps never
      // stir them. The best iterate so far is kept all the same.
      try_from_zero = false;
      steps = 1000;
      gradient.running = false;
      it.restart_from_zero();
      continue;
    }
    std::int64_t& block = sweeping ? sweeps : steps;
    block = std::min(2 * block, largest_block);
    if (sweeping) way = (way + (sliding ? 1 : 2)) % ways.size();
    else period = (period + 1) % periods.size();
    sweeping = !sweeping;
    gradient.running = false;
    it.restore();
  }
}

}  // namespace scree::contact
