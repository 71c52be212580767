// Performance profiles [DM02]: for each method, the share of problems that it solves within tau
// times the cost of the best method.
//
// [DM02] Dolan, More, Benchmarking optimization software with performance profiles, 2002.
#pragma once

#include <string>
#include <vector>

namespace scree {

struct PerformanceProfile {
  std::vector<std::string> methods;
  std::vector<std::vector<double>>
      ratio;  // [method][problem] cost over the least of all methods; infinity: not solved
  std::size_t n_problems = 0;  // those that no method solves count too

  double share(std::size_t method, double tau) const;
};

// Costs [method][problem] > 0, infinity where a method does not solve a problem.
PerformanceProfile performance_profile(const std::vector<std::string>& methods,
                                       const std::vector<std::vector<double>>& cost);

// The shares at a few tau, as lines of text; as CSV, each step of each curve; as an SVG figure with
// tau on a logarithmic axis.
std::string profile_table(const PerformanceProfile& profile, const std::string& cost);
std::string profile_csv(const PerformanceProfile& profile);
std::string profile_svg(const PerformanceProfile& profile, const std::string& title);

}  // namespace scree
