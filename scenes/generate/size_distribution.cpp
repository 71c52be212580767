#include "scenes/generate/size_distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/base/check.hpp"

namespace scree {
namespace {

constexpr double sum_tolerance = 1e-6;

double cube(double d) { return d * d * d; }

// One class: mass evenly over [low, high], so the number of grains goes with d^-3 and the share of
// them below d is (low^-2 - d^-2) / (low^-2 - high^-2).
struct SizeClass {
  double low = 0.0, high = 0.0, fraction = 0.0;

  double at(double share) const {
    const double a = 1.0 / (low * low), b = 1.0 / (high * high);
    return 1.0 / std::sqrt(a - share * (a - b));
  }
  // Grains per unit of d^3 in this class.
  double number_per_mass() const {
    return 0.5 * (1.0 / (low * low) - 1.0 / (high * high)) / (high - low);
  }

  // Sizes of k grains at shares (i + shift) / k.
  std::vector<double> sizes(int k, double shift) const {
    std::vector<double> result;
    for (int i = 0; i < k; ++i) result.push_back(at((i + shift) / k));
    return result;
  }
};

double mass_of(const std::vector<double>& sizes) {
  double sum = 0.0;
  for (const double d : sizes) sum += cube(d);
  return sum;
}

// Rounds expected numbers to integers that keep the sum: the largest remainders are rounded up.
std::vector<int> rounded(const std::vector<double>& expected, int count) {
  std::vector<int> numbers;
  std::vector<std::size_t> order(expected.size());
  std::iota(order.begin(), order.end(), 0U);
  int left = count;
  for (const double e : expected) {
    numbers.push_back(static_cast<int>(e));
    left -= numbers.back();
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return expected[a] - numbers[a] > expected[b] - numbers[b];
  });
  for (std::size_t i = 0; left > 0; i = (i + 1) % order.size(), --left) ++numbers[order[i]];
  return numbers;
}

// The class's grains with a mass [m3, d^3 units] as near to `mass` as shifting them within their
// shares allows.
std::vector<double> fitted(const SizeClass& size_class, int k, double mass) {
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (low + high);
    (mass_of(size_class.sizes(k, middle)) < mass ? low : high) = middle;
  }
  return size_class.sizes(k, 0.5 * (low + high));
}

}  // namespace

std::vector<double> uniform_sizes(double low, double high, int count, Random& random) {
  std::vector<double> sizes;
  for (int i = 0; i < count; ++i) sizes.push_back(low + (high - low) * (i + 0.5) / count);
  random.shuffle(sizes);
  return sizes;
}

void check_grading(const GradingCurve& curve) {
  require(curve.size.size() >= 2 && curve.fraction.size() + 1 == curve.size.size(), "grading",
          fmt::format("{} sizes and {} mass fractions are not allowed; must be at least two sizes "
                      "and one fraction fewer",
                      curve.size.size(), curve.fraction.size()));
  require(
      curve.size.front() > 0.0 && std::adjacent_find(curve.size.begin(), curve.size.end(),
                                                     std::greater_equal<>()) == curve.size.end(),
      "grading", "the sizes are not ascending; must be > 0, each larger than the one before [m]");
  require(*std::min_element(curve.fraction.begin(), curve.fraction.end()) >= 0.0, "grading",
          "a mass fraction below 0 is not allowed");
  const double sum = std::accumulate(curve.fraction.begin(), curve.fraction.end(), 0.0);
  require(std::abs(sum - 1.0) <= sum_tolerance, "grading",
          fmt::format("the mass fractions sum up to {:.9g}; must be 1 within 1e-6", sum));
}

std::vector<double> graded_sizes(const GradingCurve& curve, int count, Random& random) {
  check_grading(curve);
  std::vector<SizeClass> classes;
  std::vector<double> expected;
  double total = 0.0;
  for (std::size_t i = 0; i < curve.fraction.size(); ++i) {
    classes.push_back({curve.size[i], curve.size[i + 1], curve.fraction[i]});
    expected.push_back(curve.fraction[i] * classes.back().number_per_mass());
    total += expected.back();
  }
  for (double& e : expected) e *= count / total;
  const std::vector<int> numbers = rounded(expected, count);
  std::vector<double> sizes;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::vector<double> of_class =
        fitted(classes[i], numbers[i], classes[i].fraction * count / total);
    sizes.insert(sizes.end(), of_class.begin(), of_class.end());
  }
  const double error = grading_error(curve, sizes);
  require(error <= grading_tolerance, "grading",
          fmt::format("{} grains follow the curve within {:.2g} of the mass only; must be within "
                      "{}: give more grains or fewer large ones",
                      count, error, grading_tolerance));
  random.shuffle(sizes);
  return sizes;
}

double grading_error(const GradingCurve& curve, const std::vector<double>& sizes) {
  const double total = mass_of(sizes);
  double passing = 0.0, worst = 0.0;
  for (std::size_t i = 0; i < curve.size.size(); ++i) {
    if (i > 0) passing += curve.fraction[i - 1];
    double found = 0.0;
    for (const double d : sizes) found += d <= curve.size[i] ? cube(d) : 0.0;
    worst = std::max(worst, std::abs(found / total - passing));
  }
  return worst;
}

}  // namespace scree
