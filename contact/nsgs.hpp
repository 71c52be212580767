// Nonsmooth Gauss-Seidel [Jean99] with a proximal term, and its acceleration by a nonsmooth conjugate gradient [SNE10].
//
// With y' the result of a sweep from y, g = y' - y takes the part of a negative gradient: beta = |g|^2 / |g_before|^2;
// beta > 1 drops the direction, else the sweep is followed by y = y' + beta d, d <- beta d + g. Residuals are tested at
// y', which lies in the cones.
#pragma once

#include <algorithm>
#include <cstdint>

#include "contact/iteration.hpp"
#include "contact/vector_kernels.hpp"

namespace scree::contact {

struct SweepOptions {
  double alpha = 0.0;       // weight of the proximal term, unit-free
  bool accelerate = false;
};

// At most `n` sweeps.
template <class Operator>
void run_sweeps(Iteration<Operator>& it, std::int64_t n, const SweepOptions& options) {
  auto& v = it.v;
  it.op.set_alpha(options.alpha);
  double last = 0.0;  // |g|^2 of the sweep before; 0: no direction
  for (std::int64_t k = 0; k < n && !it.stop(); ++k) {
    if (options.accelerate) {
      v.y_old = v.y;
      if constexpr (Operator::sweep_keeps_image) v.image_old = v.image;
    }
    it.op.sweep(v.y, v.image);
    it.swept();
    if (k + 1 == n) it.test();
    else it.test_when_due();
    if (it.stop() || !options.accelerate) continue;
    const double now = distance_squared(v.y, v.y_old, it.op.executor(), v.partial_dots);
    const double beta = last > 0.0 && now <= last ? now / last : 0.0;
    extrapolate(beta, v.y, v.y_old, v.step, it.op.executor());
    if constexpr (Operator::sweep_keeps_image) {
      extrapolate(beta, v.image, v.image_old, v.step_image, it.op.executor());
    }
    last = now;
  }
}

}  // namespace scree::contact
