// Problems without a solution: bodies wedged between others that leave no velocity which obeys
// every contact.
//
// By Farkas' lemma such a problem has impulses d in the cones with H^T d = 0 (they move nothing)
// and d . w~ < 0 (the contacts that they load ask for more of them). Gauss-Seidel finds them: from
// p = 0 its impulses grow by the same d in every sweep, for ever, and the residual stands still.
// Impulses that merely creep, as where four corners share a load, grow in no such direction: some
// of them fall.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "contact/problem/aligned.hpp"
#include "contact/solver/residual.hpp"

namespace scree::contact {

struct RunawayVectors {
  Numbers y, image, before, growth, end, last, shift, scratch, scratch_image;
  bool alike = false;  // the two windows
};

// Says when it is time to look: the smallest error after 128 and after 384 iterations is still half
// of that after 32.
class RunawayWatch {
 public:
  // Number of plain sweeps to look at before the two windows; 0: no reason to look.
  int settle(std::int64_t iterations, double error) {
    smallest_ = std::min(smallest_, error);
    if (iterations < next_ || looks_ == n_looks) return 0;
    if (looks_ < 0) base_ = smallest_;
    next_ = 4 * next_;
    const bool stands = smallest_ > 0.5 * base_;
    constexpr int settles[n_looks] = {60, 300};
    return ++looks_ > 0 && stands ? settles[looks_ - 1] : 0;
  }

  // Impulses that grew in unlike directions creep: another look, of 340 sweeps, finds nothing.
  void give_up() { looks_ = n_looks; }

 private:
  static constexpr int n_looks = 2;
  std::int64_t next_ = 32;
  int looks_ = -1;
  double smallest_ = std::numeric_limits<double>::infinity(), base_ = 0.0;
};

constexpr int runaway_window = 20;  // sweeps

// x . W x, and b . x into `bias`.
template <class Operator>
double quadratic(const Operator& op, const Numbers& x, RunawayVectors& v, double& bias) {
  v.shift.assign(x.size(), 0.0);
  // Gradient steps of length 0 with no shift: their `ascent` is w(at) . (at - last).
  const auto product = [&](const Numbers& at) {
    for (std::size_t i = 0; i < x.size(); ++i) v.last[i] = at[i] - x[i];
    op.make_image(at, v.image);
    return op.project_step(at, v.image, v.last, 0.0, false, v.shift, v.scratch, v.scratch_image)
        .ascent;
  };
  v.last.resize(x.size());
  v.before.assign(x.size(), 0.0);
  bias = product(v.before);
  return product(x) - bias;
}

// |growth|^2 in two windows of plain sweeps, and |change|^2 from one to the other.
struct GrowthInWindows {
  double first = 0.0, second = 0.0, change = 0.0;
};

// Sweeps from p = 0: `n_settle`, a window, `n_between`, a window; the growth in the second window
// is left in `v.growth`.
template <class Operator>
GrowthInWindows watch_growth(Operator& op, std::size_t n, int n_settle, int n_between,
                             RunawayVectors& v) {
  const double alpha = op.alpha();
  op.set_alpha(0.0);
  v.y.assign(n, 0.0);
  op.make_image(v.y, v.image);
  const auto sweeps = [&](int count) {
    for (int k = 0; k < count; ++k) op.sweep(v.y, v.image);
  };
  sweeps(n_settle);
  v.before = v.y;
  v.growth.resize(n);
  sweeps(runaway_window);
  for (std::size_t i = 0; i < n; ++i) v.growth[i] = v.y[i] - v.before[i];
  sweeps(n_between);
  v.before = v.y;
  sweeps(runaway_window);
  op.set_alpha(alpha);
  GrowthInWindows grown;
  for (std::size_t i = 0; i < n; ++i) {
    const double now = v.y[i] - v.before[i], last = v.growth[i];
    grown.first += last * last, grown.second += now * now;
    grown.change += (now - last) * (now - last);
    v.growth[i] = now;
  }
  return grown;
}

constexpr int steady_growth_sweeps = 200;

// Whether the impulses of plain sweeps from p = 0 grow as much after 200 of them as after 80, or
// half as much.
template <class Operator>
bool impulses_grow_steadily(Operator& op, std::size_t n, RunawayVectors& v) {
  constexpr double steady = 0.5;
  constexpr int n_settle = 60;
  const GrowthInWindows grown =
      watch_growth(op, n, n_settle, steady_growth_sweeps - n_settle - 2 * runaway_window, v);
  return grown.second > 0.0 && grown.second >= steady * steady * grown.first;
}

// Whether plain sweeps from p = 0 make the impulses grow for ever; the direction is left in
// `vectors.growth`.
template <class Operator>
bool impulses_run_away(Operator& op, std::size_t n, int n_settle, RunawayVectors& vectors) {
  constexpr double parallel = 1e-3, alike = 0.5, moves_nothing = 1e-5, outside = 1e-3;
  RunawayVectors& v = vectors;
  const GrowthInWindows grown = watch_growth(op, n, n_settle, 0, v);
  const double change = grown.change, length = grown.second;
  // The same growth in both windows.
  v.alike = change <= alike * alike * length;
  if (!(length > 0.0) || !(change <= parallel * parallel * length)) return false;
  // It may go on: every contact's growth lies in its cone.
  bool goes_on = true;
  op.for_each_impulse(v.growth, [&](const auto& limits, double, const double* d) {
    constexpr std::size_t rows = Operator::rows;
    double inside[rows], away = 0.0;
    std::copy_n(d, rows, inside);
    project_on_cone(limits, inside);
    for (std::size_t k = 0; k < rows; ++k) away += (d[k] - inside[k]) * (d[k] - inside[k]);
    goes_on = goes_on && away <= outside * outside * length;
  });
  if (!goes_on) return false;
  double bias = 0.0;
  v.end = v.y;
  double moved = quadratic(op, v.growth, v, bias);
  if (moved <= moves_nothing * moves_nothing * length) {
    // w~ . growth at the end of the sweeps.
    op.make_image(v.end, v.image);
    for (std::size_t i = 0; i < n; ++i) v.last[i] = v.end[i] - v.growth[i];
    return op.project_step(v.end, v.image, v.last, 0.0, true, v.shift, v.scratch, v.scratch_image)
               .ascent < 0.0;
  }
  // Friction still slows the bodies down. The normal impulses alone say that no velocity has w_N >=
  // 0 at all contacts.
  op.keep_normal(v.growth);
  moved = quadratic(op, v.growth, v, bias);
  double normal = 0.0;
  for (const double d : v.growth) normal += d * d;
  return moved <= moves_nothing * moves_nothing * normal && bias < 0.0;
}

}  // namespace scree::contact
