// What is gathered over a run: the one quantile against its definition, extremes.
#include "engine/base/quantile.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "engine/report.hpp"

namespace scree::quantile_test {
namespace {

// The smallest value that at least `share` of all do not exceed, by counting.
double by_definition(const std::vector<int>& values, double share) {
  double best = INFINITY;
  for (const int candidate : values) {
    const auto below =
        std::count_if(values.begin(), values.end(), [&](int value) { return value <= candidate; });
    if (static_cast<double>(below) >= share * static_cast<double>(values.size()) - 1e-9)
      best = std::min<double>(best, candidate);
  }
  return best;
}

}  // namespace

TEST_CASE("Quantile is the value of the nearest rank", "[engine][oracle]") {
  CHECK(quantile(std::vector<double>{4.0, 1.0, 3.0, 2.0}, 0.5) == 2.0);
  CHECK(quantile(std::vector<double>{5.0, 1.0, 3.0}, 0.5) == 3.0);
  CHECK(quantile(std::vector<double>{7.0}, 0.95) == 7.0);
  CHECK(std::isnan(quantile(std::vector<double>{}, 0.5)));
  std::vector<int> values;
  for (int n = 1; n <= 60; ++n) {
    values.push_back(n * 37 % 23);
    for (const double share : {0.01, 0.05, 0.5, 0.9, 0.95, 0.99, 1.0}) {
      CAPTURE(n, share);
      CHECK(quantile(values, share) == by_definition(values, share));
    }
  }
}

TEST_CASE("A residual that is not a number is the worst of a run", "[engine][unit]") {
  RunStatistics statistics;
  StepRecord record;
  for (const double residual : {1e-7, std::numeric_limits<double>::quiet_NaN(), 1e-5}) {
    record.residual.scaled = residual;
    statistics.add(record);
  }
  CHECK(std::isnan(statistics.report().residual_max.scaled));
  CHECK(statistics.report().residual_max.published == 0.0);
}

}  // namespace scree::quantile_test
