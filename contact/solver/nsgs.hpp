// Nonsmooth Gauss-Seidel [Jean99] with a proximal term, and its acceleration by a nonsmooth
// conjugate gradient [SNE10].
//
// With y' the result of a sweep from y, g = y' - y takes the part of a negative gradient: beta =
// |g|^2 / |g_before|^2; beta > 1 drops the direction, else the sweep is followed by y = y' + beta
// d, d <- beta d + g. Residuals are tested at y', which lies in the cones.
#pragma once

#include <algorithm>
#include <cstdint>

#include "contact/solver/iteration.hpp"
#include "contact/solver/vector_kernels.hpp"

namespace scree::contact {

struct SweepOptions {
  double alpha = 0.0;  // weight of the proximal term, unit-free
  bool accelerate = false;
};

// Those of `nncg`; plain ones are SweepOptions{}.
inline constexpr SweepOptions conjugate_sweeps{0.2, true};

// At most `n` sweeps.
template <class Operator>
void run_sweeps(Iteration<Operator>& it, std::int64_t n, const SweepOptions& options) {
  auto& v = it.v;
  it.op.set_alpha(options.alpha);
  double last = 0.0;  // |g|^2 of the sweep before; 0: no direction
  for (std::int64_t k = 0; k < n && !it.stop(); ++k) {
    const double now =
        options.accelerate ? it.op.sweep(v.y, v.image, v.y_other, v.image_other) : 0.0;
    if (!options.accelerate) it.op.sweep(v.y, v.image);
    it.swept();
    if (k + 1 == n)
      it.test();
    else
      it.test_when_due();
    if (it.stop() || !options.accelerate) continue;
    const double beta = last > 0.0 && now <= last ? now / last : 0.0;
    const Change impulses{v.y, v.y_other, v.step}, images{v.image, v.image_other, v.step_image};
    if constexpr (Operator::sweep_keeps_image)
      apply(extrapolate, beta, it.op, impulses, images);
    else
      v.step.resize(v.y.size()), extrapolate(beta, impulses, 0, v.y.size());
    last = now;
  }
}

}  // namespace scree::contact
