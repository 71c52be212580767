#include "tools/study/flow_fit.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace flow_fit_test {

using namespace scree::study;

namespace {

double left_over(const FrictionLaw& law, const std::vector<double>& I,
                 const std::vector<double>& mu) {
  double sum = 0.0;
  for (std::size_t i = 0; i < I.size(); ++i) sum += std::pow(mu[i] - law(I[i]), 2);
  return sum;
}

}  // namespace

TEST_CASE("A fit of friction finds the law that the points were made of", "[study][unit]") {
  for (const FrictionLaw law : {FrictionLaw{0.38, 0.64, 0.28}, FrictionLaw{0.2, 0.9, 1.5}}) {
    const std::vector<double> I = {1e-3, 0.01, 0.03, 0.1, 0.3, 0.6};
    std::vector<double> mu;
    for (const double value : I) mu.push_back(law(value));
    const FrictionFit fit = fit_friction(I, mu);
    // The sum of squares is flat to the square root of round-off.
    CHECK(std::abs(fit.law.mu_s - law.mu_s) < 1e-6);
    CHECK(std::abs(fit.law.mu_2 - law.mu_2) < 1e-5);
    CHECK(std::abs(fit.law.I_0 - law.I_0) < 1e-5);
    CHECK(fit.rms < 1e-8);
  }
}

TEST_CASE("No law near a fit of friction leaves less", "[study][property]") {
  const std::vector<double> I = {0.002, 0.011, 0.03, 0.09, 0.24, 0.5},
                            mu = {0.37, 0.365, 0.39, 0.42, 0.51, 0.55};
  const FrictionFit fit = fit_friction(I, mu);
  const double least = left_over(fit.law, I, mu);
  CHECK(std::abs(fit.rms - std::sqrt(least / 6.0)) < 1e-15);
  for (const double step : {1e-3, -1e-3, 3e-2, -3e-2}) {
    CHECK(left_over({fit.law.mu_s + step, fit.law.mu_2, fit.law.I_0}, I, mu) > least);
    CHECK(left_over({fit.law.mu_s, fit.law.mu_2 + step, fit.law.I_0}, I, mu) > least);
    CHECK(left_over({fit.law.mu_s, fit.law.mu_2, fit.law.I_0 + step}, I, mu) > least);
  }
}

TEST_CASE("A straight line has the slope, intercept and R2 of its points", "[study][unit]") {
  const StraightLine exact = fit_line({0.0, 1.0, 3.0}, {2.0, 1.5, 0.5});
  CHECK(std::abs(exact.slope + 0.5) < 1e-15);
  CHECK(std::abs(exact.intercept - 2.0) < 1e-15);
  CHECK(std::abs(exact.r_squared - 1.0) < 1e-15);
  // (0, 0), (1, 1), (2, 0): no trend.
  CHECK(fit_line({0.0, 1.0, 2.0}, {0.0, 1.0, 0.0}).r_squared < 1e-15);
}

}  // namespace flow_fit_test
