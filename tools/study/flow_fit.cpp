#include "tools/study/flow_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::study {

StraightLine fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0.0, mean_y = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i] / n, mean_y += y[i] / n;
  double xx = 0.0, xy = 0.0, yy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - mean_x, dy = y[i] - mean_y;
    xx += dx * dx, xy += dx * dy, yy += dy * dy;
  }
  StraightLine line;
  line.slope = xy / xx;
  line.intercept = mean_y - line.slope * mean_x;
  line.r_squared = yy > 0.0 ? xy * xy / (xx * yy) : 1.0;
  return line;
}

FrictionFit fit_friction(const std::vector<double>& I, const std::vector<double>& mu) {
  // For a given I_0 the law is a straight line in I / (I + I_0); what is left over has one minimum
  // in log I_0 or ends at a bound.
  const auto at = [&](double log_I_0) {
    FrictionFit fit;
    const double I_0 = std::exp(log_I_0);
    std::vector<double> share;
    for (const double value : I) share.push_back(value / (value + I_0));
    const StraightLine line = fit_line(share, mu);
    fit.law = {line.intercept, line.intercept + line.slope, I_0};
    double square = 0.0;
    for (std::size_t i = 0; i < I.size(); ++i) square += std::pow(mu[i] - fit.law(I[i]), 2);
    fit.rms = std::sqrt(square / static_cast<double>(I.size()));
    return fit;
  };
  const double low = std::log(1e-3), high = std::log(10.0);
  constexpr int places = 200;
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= places; ++i) {
    const double rms = at(low + (high - low) * i / places).rms;
    if (rms < least) least = rms, best = i;
  }
  double a = low + (high - low) * std::max(0, best - 1) / places,
         b = low + (high - low) * std::min(places, best + 1) / places;
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  for (int i = 0; i < 60; ++i) {
    const double c = b - golden * (b - a), d = a + golden * (b - a);
    if (at(c).rms < at(d).rms)
      b = d;
    else
      a = c;
  }
  return at(0.5 * (a + b));
}

}  // namespace scree::study
