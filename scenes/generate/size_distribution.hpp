// Sizes of grains. The size of a grain is the diameter of the ball of the same volume [m].
#pragma once

#include <vector>

#include "scenes/generate/random.hpp"

namespace scree {

// Mass fractions between neighbouring sizes: fraction i lies between size[i] and size[i + 1],
// spread evenly over that interval.
struct GradingCurve {
  std::vector<double> size;      // [m] ascending, n + 1
  std::vector<double> fraction;  // [-] of the mass, n, summing to 1
};

// Largest error of the mass that passes a size, over all sizes of a curve [-].
constexpr double grading_tolerance = 0.01;

// `count` sizes spread evenly over [low, high] by number, in random order.
std::vector<double> uniform_sizes(double low, double high, int count, Random& random);

// Throws InputError ("grading: ...") for a curve that is none or does not sum up to 1 within 1e-6.
void check_grading(const GradingCurve& curve);

// `count` sizes that follow the curve within `grading_tolerance`, in random order. Throws
// InputError ("grading: ...") where check_grading does, and for a curve that cannot be met with so
// few grains.
std::vector<double> graded_sizes(const GradingCurve& curve, int count, Random& random);

// The largest difference between the mass fraction of `sizes` below a size of the curve and the
// curve's [-].
double grading_error(const GradingCurve& curve, const std::vector<double>& sizes);

}  // namespace scree
