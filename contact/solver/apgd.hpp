// Accelerated projected gradient [MHN15]: Nesterov's extrapolation, backtracking on the Lipschitz
// constant, restart when the step goes against the gradient, and De Saxce's shift s = mu |w_T| held
// for a number of iterations.
#pragma once

#include <cmath>
#include <cstdint>

#include "contact/solver/iteration.hpp"
#include "contact/solver/vector_kernels.hpp"

namespace scree::contact {

// Memory of a run of gradient steps, so that it can go on in a later block.
struct GradientState {
  double lipschitz = 1.0;  // estimate for unit-free W
  double theta = 1.0;      // Nesterov's parameter; 1 also says that no momentum is kept
  bool running = false;    // v.step, v.step_image hold the extrapolated point
};

// At most `n` steps (each costs one product with W, backtracking ones included), refreshing the
// shift every `period`.
template <class Operator>
void run_gradient(Iteration<Operator>& it, GradientState& state, std::int64_t n,
                  std::int64_t period) {
  auto& v = it.v;
  it.refresh_image();
  if (!state.running) {
    v.step = v.y, v.step_image = v.image;
    state.theta = 1.0;
    state.running = true;
  }
  std::int64_t accepted = 0;
  for (std::int64_t k = 0; k < n && !it.stop(); ++k) {
    const bool refresh = accepted % period == 0;
    const GradientSums sums = it.op.project_step(v.step, v.step_image, v.y, 1.0 / state.lipschitz,
                                                 refresh, v.shift, v.y_other, v.image_other);
    ++it.iterations;
    if (sums.curvature > state.lipschitz * sums.length * (1.0 + 1e-12) && k + 1 < n && !it.stop()) {
      state.lipschitz = std::max(1.1 * sums.curvature / sums.length, 1.2 * state.lipschitz);
      continue;
    }
    ++accepted;
    const double theta_2 = state.theta * state.theta;
    const double theta_new = 0.5 * (std::sqrt(theta_2 * theta_2 + 4.0 * theta_2) - theta_2);
    const double beta =
        sums.ascent > 0.0 ? 0.0 : state.theta * (1.0 - state.theta) / (theta_2 + theta_new);
    state.theta = sums.ascent > 0.0 ? 1.0 : theta_new;
    state.lipschitz *= 0.98;
    apply(momentum, beta, it.op, Change{v.y, v.y_other, v.step},
          Change{v.image, v.image_other, v.step_image});
    if (k + 1 == n)
      it.test();
    else
      it.test_when_due();
  }
}

}  // namespace scree::contact
