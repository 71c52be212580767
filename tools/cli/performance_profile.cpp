#include "tools/cli/performance_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/infinity.hpp"
#include "tools/plot/figure.hpp"

namespace scree {

namespace {

// Ratios at which the share of a method rises, ascending, without the problems that it does not
// solve.
std::vector<double> steps(const PerformanceProfile& profile, std::size_t method) {
  std::vector<double> list = profile.ratio[method];
  std::erase(list, infinity);
  std::sort(list.begin(), list.end());
  return list;
}

double largest_ratio(const PerformanceProfile& profile) {
  double largest = 1.0;
  for (std::size_t method = 0; method < profile.methods.size(); ++method) {
    for (const double ratio : steps(profile, method)) largest = std::max(largest, ratio);
  }
  return largest;
}

}  // namespace

double PerformanceProfile::share(std::size_t method, double tau) const {
  if (n_problems == 0) return 0.0;
  const auto solved =
      std::count_if(ratio[method].begin(), ratio[method].end(),
                    [tau](double value) { return std::isfinite(value) && value <= tau; });
  return static_cast<double>(solved) / static_cast<double>(n_problems);
}

PerformanceProfile performance_profile(const std::vector<std::string>& methods,
                                       const std::vector<std::vector<double>>& cost) {
  PerformanceProfile profile{methods, cost, cost.empty() ? 0 : cost.front().size()};
  for (std::size_t problem = 0; problem < profile.n_problems; ++problem) {
    double least = infinity;
    for (const std::vector<double>& of_method : cost) least = std::min(least, of_method[problem]);
    for (std::vector<double>& of_method : profile.ratio) {
      double& value = of_method[problem];
      value = std::isfinite(value) ? value / least : infinity;
    }
  }
  return profile;
}

std::string profile_table(const PerformanceProfile& profile, const std::string& cost) {
  constexpr std::array<double, 6> taus = {1.0, 1.5, 2.0, 4.0, 10.0, 100.0};
  std::string text =
      fmt::format("share of {} problems solved within tau times the least {}\n{:<10}",
                  profile.n_problems, cost, "tau");
  for (const double tau : taus) text += fmt::format("{:>7g}", tau);
  text += "    any\n";
  for (std::size_t method = 0; method < profile.methods.size(); ++method) {
    text += fmt::format("{:<10}", profile.methods[method]);
    for (const double tau : taus) text += fmt::format("{:>7.2f}", profile.share(method, tau));
    text += fmt::format("{:>7.2f}\n", profile.share(method, infinity));
  }
  return text;
}

std::string profile_csv(const PerformanceProfile& profile) {
  std::string text = "method,tau,share\n";
  for (std::size_t method = 0; method < profile.methods.size(); ++method) {
    std::vector<double> taus = steps(profile, method);
    taus.erase(std::unique(taus.begin(), taus.end()), taus.end());
    if (taus.empty() || taus.front() > 1.0) taus.insert(taus.begin(), 1.0);
    for (const double tau : taus)
      text += fmt::format("{},{},{}\n", profile.methods[method], tau, profile.share(method, tau));
  }
  return text;
}

std::string profile_svg(const PerformanceProfile& profile, const std::string& title) {
  plot::Panel panel{"log2 of tau, cost over the least", "share of problems solved", {}, false};
  const double end = std::log2(largest_ratio(profile)) + 0.25;
  for (std::size_t method = 0; method < profile.methods.size(); ++method) {
    plot::Curve curve{profile.methods[method], {0.0}, {profile.share(method, 1.0)}, {}};
    for (const double tau : steps(profile, method)) {
      curve.x.push_back(std::log2(tau)), curve.y.push_back(curve.y.back());
      curve.x.push_back(std::log2(tau)), curve.y.push_back(profile.share(method, tau));
    }
    curve.x.push_back(end), curve.y.push_back(curve.y.back());
    panel.curves.push_back(std::move(curve));
  }
  return plot::draw_svg({panel}, title);
}

}  // namespace scree
