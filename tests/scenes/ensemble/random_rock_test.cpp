// What the runs of an ensemble draw: sizes, orientations and blocks, against their distributions.
#include "scenes/ensemble/random_rock.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "engine/base/check.hpp"
#include "engine/model/shapes/shapes.hpp"
#include "scenes/generate/eota_block.hpp"

namespace random_rock_test {

using namespace scree;
using namespace scree::ensemble;
using site::Distribution;

namespace {

constexpr int n = 20000;

// Largest distance of the share of values below x from what it should be, times sqrt(n): above 1.95
// in one of a thousand seeds (Kolmogorov).
template <class Share>
double distance_from(std::vector<double> values, Share share_below) {
  std::sort(values.begin(), values.end());
  const auto size = static_cast<double>(values.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = share_below(values[i]), here = static_cast<double>(i);
    largest = std::max(
        {largest, std::abs(here / size - expected), std::abs((here + 1.0) / size - expected)});
  }
  return largest * std::sqrt(size);
}

std::vector<double> drawn(const Distribution& distribution) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) {
    Draws draws(11, static_cast<std::uint64_t>(i), 2);
    values.push_back(drawn_from(distribution, draws));
  }
  return values;
}

double normal_share(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

}  // namespace

TEST_CASE("The exponential is that of the library") {
  double worst = 0.0;
  for (double x = -50.0; x < 50.0; x += 0.00917)
    worst = std::max(worst, std::abs(portable_exp(x) / std::exp(x) - 1.0) / (1.0 + std::abs(x)));
  CHECK(worst < 1e-15);
  CHECK(portable_exp(0.0) == 1.0);
}

TEST_CASE("An EOTA block has 24 corners and 17/24 of the volume of its box") {
  for (const Vector3& sides :
       {Vector3(1.122, 1.122, 1.122), Vector3(1.4136, 1.4136, 0.7068), Vector3(2.0, 1.0, 0.5)}) {
    const std::vector<Vector3> corners = eota_block(sides);
    CHECK(corners.size() == 24);
    const Shape shape = make_convex_polyhedron(corners);
    const MassProperties solid = mass_properties(shape);
    CHECK(solid.volume == Approx(17.0 / 24.0 * sides.prod()).epsilon(1e-14));
    CHECK(solid.centre.norm() < 1e-14);
    const auto& hull = std::get<ConvexPolyhedron>(shape);
    CHECK(hull.n_faces() == 26);  // 6 and 12 of four corners, 8 of three
    // Its box touches it on all six sides.
    Vector3 low = corners[0], high = corners[0];
    for (const Vector3& corner : corners) low = low.cwiseMin(corner), high = high.cwiseMax(corner);
    CHECK((high - 0.5 * sides).norm() + (low + 0.5 * sides).norm() < 1e-15);
  }
  // The published shapes of 1 m3.
  for (const Vector3& sides : {Vector3(1.122, 1.122, 1.122), Vector3(1.4136, 1.4136, 0.7068)})
    CHECK(17.0 / 24.0 * sides.prod() == Approx(1.0).epsilon(1e-3));
}

TEST_CASE("Orientations are uniform over all rotations") {
  std::vector<double> height, angle, turned_angle;
  Matrix3 sum = Matrix3::Zero(), squares = Matrix3::Zero();
  const Quaternion other(Eigen::AngleAxisd(2.1, Vector3(1.0, -2.0, 0.5).normalized()));
  for (int i = 0; i < n; ++i) {
    Draws draws(5, static_cast<std::uint64_t>(i), 4);
    const Quaternion q = drawn_orientation(draws);
    CHECK(std::abs(q.norm() - 1.0) < 1e-15);
    const Matrix3 R = q.toRotationMatrix();
    sum += R, squares += R.cwiseProduct(R);
    height.push_back((R * Vector3(0.6, 0.0, 0.8)).y());
    const auto angle_of = [](const Quaternion& p) {
      return 2.0 * std::atan2(p.vec().norm(), std::abs(p.w()));
    };
    angle.push_back(angle_of(q)), turned_angle.push_back(angle_of(other * q));
  }
  // Any direction goes anywhere on the sphere: each of its coordinates is uniform (Archimedes).
  CHECK(distance_from(height, [](double z) { return 0.5 * (1.0 + z); }) < 1.95);
  // The Haar measure: the angle of turn has the density (1 - cos a) / pi, also after another turn.
  const auto share = [](double a) { return (a - std::sin(a)) / std::numbers::pi; };
  CHECK(distance_from(angle, share) < 1.95);
  CHECK(distance_from(turned_angle, share) < 1.95);
  // Entries of the matrix: mean 0, mean square 1/3 (variance 4/45), five standard deviations.
  CHECK((sum / n).cwiseAbs().maxCoeff() < 5.0 * std::sqrt(1.0 / 3.0 / n));
  CHECK(((squares / n).array() - 1.0 / 3.0).abs().maxCoeff() < 5.0 * std::sqrt(4.0 / 45.0 / n));
}

TEST_CASE("Sizes have the distributions that the scene asks for") {
  Distribution lognormal;
  lognormal.kind = Distribution::Kind::lognormal, lognormal.median = 500.0, lognormal.sigma = 0.7;
  const auto share = [&](double x) { return normal_share(std::log(x / 500.0) / 0.7); };
  CHECK(distance_from(drawn(lognormal), share) < 1.95);
  // Between limits it is the same, of what lies there.
  lognormal.low = 300.0, lognormal.high = 900.0;
  CHECK(distance_from(drawn(lognormal), [&](double x) {
          return (share(x) - share(300.0)) / (share(900.0) - share(300.0));
        }) < 1.95);

  Distribution power;
  power.kind = Distribution::Kind::power, power.low = 0.1, power.high = 20.0, power.exponent = 1.3;
  const auto above = [](double x) { return std::pow(x / 0.1, -1.3); };
  CHECK(distance_from(drawn(power),
                      [&](double x) { return (1.0 - above(x)) / (1.0 - above(20.0)); }) < 1.95);

  Distribution uniform;
  uniform.kind = Distribution::Kind::uniform, uniform.low = 2.0, uniform.high = 5.0;
  CHECK(distance_from(drawn(uniform), [](double x) { return (x - 2.0) / 3.0; }) < 1.95);

  Distribution table;
  table.kind = Distribution::Kind::table, table.values = {1.0, 2.0, 4.0};
  table.weights = {1.0, 3.0, 4.0};
  std::vector<double> values = drawn(table);
  double chi = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double expected = n * table.weights[i] / 8.0;
    const auto count =
        static_cast<double>(std::count(values.begin(), values.end(), table.values[i]));
    chi += (count - expected) * (count - expected) / expected;
  }
  CHECK(chi < 13.8);  // of 2 degrees of freedom: above in one of a thousand seeds

  Distribution value;
  value.median = 7.0;
  CHECK(drawn(value) == std::vector<double>(n, 7.0));
  lognormal.low = 1e9, lognormal.high = 2e9;
  Draws draws(1, 1, 1);
  CHECK_THROWS_AS(drawn_from(lognormal, draws), InputError);
}

}  // namespace random_rock_test
