// Friction and packing of dense flows over the inertial number: fits and published numbers.
#pragma once

#include <array>
#include <vector>

namespace scree::study {

// mu = mu_s + (mu_2 - mu_s) / (1 + I_0 / I)
struct FrictionLaw {
  double mu_s = 0.0, mu_2 = 0.0, I_0 = 0.0;

  double operator()(double I) const { return mu_s + (mu_2 - mu_s) * I / (I + I_0); }
};

// y = intercept + slope x
struct StraightLine {
  double intercept = 0.0, slope = 0.0;
  double r_squared = 0.0;  // 1: all points lie on it
};

// Least squares; x with at least two values.
StraightLine fit_line(const std::vector<double>& x, const std::vector<double>& y);

// Least squares over mu_s, mu_2 and I_0 in [1e-3, 10], of at least three points; `rms`: of what is
// left.
struct FrictionFit {
  FrictionLaw law;
  double rms = 0.0;
};
FrictionFit fit_friction(const std::vector<double>& I, const std::vector<double>& mu);

// Published laws of balls.
struct PublishedLaw {
  const char* name;
  FrictionLaw law;
};
inline constexpr std::array published_laws = {
    // Jop, Forterre, Pouliquen 2006, Nature 441, 727: heap flow of glass beads; tan 20.9 and
    // tan 32.76 degrees
    PublishedLaw{"Jop et al. 2006, glass beads", {0.382, 0.643, 0.279}}};

}  // namespace scree::study
