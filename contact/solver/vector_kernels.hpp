// Long-vector operations for an iterate and its image in one loop.
#pragma once

#include <cstddef>

#include "contact/problem/aligned.hpp"

namespace scree::contact {

// Entries [begin, end) of an iterate and of its image.
struct VectorPart {
  std::size_t y_begin = 0, y_end = 0, image_begin = 0, image_end = 0;
};

// Sums that a gradient step needs, of y' - y_ahead, its image and y' - y.
struct GradientSums {
  double length = 0.0;     // |y' - y_ahead|^2
  double curvature = 0.0;  // (y' - y_ahead) . W (y' - y_ahead)
  double ascent = 0.0;     // g . (y' - y)
};

// A vector, another one of the same size that it is compared with, and a direction or point that
// follows it.
struct Change {
  Numbers& x;
  const Numbers& other;
  Numbers& along;
};

// One step of the nonsmooth conjugate gradient, x' = x and `other` what x was before the sweep: d
// <- beta d + (x' - x), x <- x' + beta d_before, d = `along`; beta = 0 restarts d.
inline void extrapolate(double beta, const Change& change, std::size_t begin, std::size_t end) {
  double* x = change.x.data();
  const double* x_old = change.other.data();
  double* d = change.along.data();
  if (beta == 0.0) {
    for (std::size_t i = begin; i < end; ++i) d[i] = x[i] - x_old[i];
    return;
  }
  for (std::size_t i = begin; i < end; ++i) {
    const double push = beta * d[i], difference = x[i] - x_old[i];
    x[i] += push;
    d[i] = push + difference;
  }
}

// Nesterov's extrapolation, `other` the new x: along = x_new + beta (x_new - x), x <- x_new.
inline void momentum(double beta, const Change& change, std::size_t begin, std::size_t end) {
  double* x = change.x.data();
  const double* x_new = change.other.data();
  double* ahead = change.along.data();
  for (std::size_t i = begin; i < end; ++i) {
    ahead[i] = x_new[i] + beta * (x_new[i] - x[i]);
    x[i] = x_new[i];
  }
}

// Applies one of the two to an iterate and its image.
template <class Operator>
void apply(void (*kernel)(double, const Change&, std::size_t, std::size_t), double beta,
           const Operator& op, const Change& y, const Change& image) {
  y.along.resize(y.x.size()), image.along.resize(image.x.size());
  op.for_each_part([&](const VectorPart& part) {
    kernel(beta, y, part.y_begin, part.y_end);
    kernel(beta, image, part.image_begin, part.image_end);
  });
}

}  // namespace scree::contact
