#include "integrators/rotation_update.hpp"

#include <catch2/catch.hpp>

#include <cmath>

namespace rotation_update_test {

using namespace scree;
using integrators::cayley;
using integrators::exponential;

namespace {

double angle_of(const Quaternion& q) { return 2.0 * std::atan2(q.vec().norm(), q.w()); }

}  // namespace

TEST_CASE("Exponential update turns by the length of its argument about its direction",
          "[integrators][analytic]") {
  for (const double angle : {1e-12, 1e-7, 9.9e-5, 1.1e-4, 0.3, 3.0}) {
    const Vector3 axis = Vector3(0.36, -0.48, 0.8);
    const Quaternion q = exponential(angle * axis);
    CHECK(std::abs(q.norm() - 1.0) < 1e-15);  // rounding of four products
    CHECK(std::abs(angle_of(q) - angle) < 4e-16 * (1.0 + angle));
    CHECK((q.vec().normalized() - axis).norm() < 1e-15);
  }
}

TEST_CASE("Cayley update turns by twice the arc tangent of half its argument",
          "[integrators][analytic]") {
  for (const double length : {1e-9, 0.01, 0.7, 5.0}) {
    const Quaternion q = cayley(length * Vector3::UnitY());
    CHECK(std::abs(q.norm() - 1.0) < 1e-15);
    CHECK(std::abs(angle_of(q) - 2.0 * std::atan(0.5 * length)) < 1e-15 * (1.0 + length));
  }
}

TEST_CASE("Cayley and exponential updates differ at third order of the angle",
          "[integrators][analytic]") {
  const Vector3 a = 0.2 * Vector3(2.0, -1.0, 2.0) / 3.0;
  const double coarse = cayley(a).angularDistance(exponential(a));
  const double fine = cayley(0.5 * a).angularDistance(exponential(0.5 * a));
  // 2 atan(x/2) = x - x^3/12 + O(x^5): halving x divides the difference by 8, up to x^2/10
  CHECK(std::abs(coarse - 0.2 * 0.2 * 0.2 / 12.0) < 1e-5);
  CHECK(std::abs(coarse / fine - 8.0) < 0.05);
}

}  // namespace rotation_update_test
