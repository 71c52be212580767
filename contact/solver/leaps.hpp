// Gauss-Seidel sweeps that leap ahead when they creep: where impulses are nearly redundant, they
// drift for thousands of sweeps in one direction at one speed, while the residual stands still
// (four corners of a sliding box, of which one has to lift).
//
// With d and d' the changes of the last two windows of sweeps, nearly parallel, and lambda = d . d'
// / d . d the ratio of a geometric series, what is left to go is lambda / (1 - lambda) d' [Aitken].
// A leap goes there, at most twice as far as the longest leap that proved good; it is undone when
// the residual is larger two windows later. Impulses may reach twice the norm they began with and
// no more: in problems without a solution they creep as well, and would grow until any residual is
// small beside them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "contact/solver/iteration.hpp"
#include "contact/solver/nsgs.hpp"

namespace scree::contact {

// Memory of a run of sweeps with leaps, so that it can go on in a later block.
struct LeapState {
  int windows = 0;  // since the last leap or start
  int pause = 0;    // windows without leaps, after one that was undone
  int next_pause = 2;
  bool leapt = false;     // and it is not known yet whether that was good
  double longest = 8.0;   // [windows]
  double residual = 0.0;  // before the leap
  double start = 0.0;     // |y|^2 after the first window

  void begin_anew() { windows = 0, leapt = false, start = 0.0; }
};

// Changes of two windows, d and d', and the iterate after them.
struct Creep {
  double first = 0.0, product = 0.0, second = 0.0;  // d . d, d . d', d' . d'
  double norm = 0.0, outward = 0.0;                 // y . y, y . d'

  bool parallel() const {
    return product > 0.5 * first && product * product > 0.9 * first * second;
  }
  // How far to go, in windows; 0: nowhere.
  double leap(double longest, double largest_norm) const {
    const double left = first - product;
    double far = product < longest * left ? product / left : longest;
    while (far >= 1.0 && norm + far * (2.0 * outward + far * second) > largest_norm) far *= 0.5;
    return far >= 1.0 ? far : 0.0;
  }
};

// At most `n` sweeps, in whole windows. Between calls v.shift holds the change of the last window
// and v.step_image the iterate before a leap.
template <class Operator>
void run_leaps(Iteration<Operator>& it, LeapState& state, std::int64_t n) {
  constexpr std::int64_t window = 10;  // sweeps
  auto& v = it.v;
  for (std::int64_t k = window; k <= n; k += window) {
    v.step = v.y;
    run_sweeps(it, window, {});
    if (it.stop()) return;
    v.shift.resize(v.y.size());
    Creep creep;
    for (std::size_t i = 0; i < v.y.size(); ++i) {
      const double change = v.y[i] - v.step[i], before = v.shift[i];
      creep.first += before * before, creep.product += before * change,
          creep.second += change * change;
      creep.norm += v.y[i] * v.y[i], creep.outward += v.y[i] * change;
      v.shift[i] = change;
    }
    if (state.start == 0.0) state.start = creep.norm;
    ++state.windows;
    if (state.pause > 0) --state.pause;
    if (state.windows < 2) continue;
    if (state.leapt) {
      state.leapt = false;
      if (it.last() <= std::max(state.residual, 1.5 * it.watched())) {
        state.longest = std::min(2.0 * state.longest, 1e6);
        state.next_pause = 2;
      } else {
        v.y = v.step_image;
        it.moved();
        state.longest = std::max(state.longest / 4.0, 1.0);
        state.pause = state.next_pause, state.next_pause *= 2;
        state.windows = 0;
        continue;
      }
    }
    if (state.pause > 0 || !creep.parallel()) continue;
    const double leap = creep.leap(state.longest, 4.0 * state.start);
    if (leap == 0.0) continue;
    v.step_image = v.y;
    state.residual = it.last();
    for (std::size_t i = 0; i < v.y.size(); ++i) v.y[i] += leap * v.shift[i];
    it.moved();
    state.leapt = true;
    state.windows = 0;
  }
}

}  // namespace scree::contact
