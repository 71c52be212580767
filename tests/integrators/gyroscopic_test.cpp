#include "integrators/gyroscopic.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace scree;
using integrators::end_spin;
using integrators::gyroscopic_impulse;

namespace {

Vector3 random_vector(std::mt19937_64& random, double scale) {
  std::uniform_real_distribution<double> uniform(-scale, scale);
  return {uniform(random), uniform(random), uniform(random)};
}

}  // namespace

TEST_CASE("End spin satisfies the spin equation to round-off for random bodies", "[integrators][property]") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> moment(0.2, 5.0);
  for (int i = 0; i < 10000; ++i) {
    const Vector3 inertia(moment(random), moment(random), moment(random));
    const Vector3 w_0 = random_vector(random, 20.0), impulse = random_vector(random, 3.0);
    const double theta = 0.5 + 0.05 * (i % 11), h = 1e-3;
    const Vector3 w_1 = end_spin(inertia, w_0, impulse, h, theta, w_0);
    const Vector3 w = (1.0 - theta) * w_0 + theta * w_1;
    const Vector3 residual =
        inertia.cwiseProduct(w_1 - w_0) - gyroscopic_impulse(inertia, w, h) - impulse;
    // a few roundings of J w, |J w| < 5 * 50
    REQUIRE(residual.norm() < 1e-12);
  }
}

TEST_CASE("End spin without impulse keeps the kinetic energy at theta one half", "[integrators][property]") {
  std::mt19937_64 random(12);
  for (int i = 0; i < 10000; ++i) {
    const Vector3 inertia = Vector3(1.0, 1.5, 2.0) + random_vector(random, 0.5);
    const Vector3 w_0 = random_vector(random, 30.0);
    const Vector3 w_1 = end_spin(inertia, w_0, Vector3::Zero(), 2e-3, 0.5, w_0);
    const double before = w_0.dot(inertia.cwiseProduct(w_0)), after = w_1.dot(inertia.cwiseProduct(w_1));
    REQUIRE(std::abs(after - before) <= 1e-14 * before);  // the residual above times w
  }
}

TEST_CASE("End spin of an isotropic body is the impulse over the inertia", "[integrators][analytic]") {
  const Vector3 inertia = Vector3::Constant(0.4), w_0(1.0, -2.0, 3.0), impulse(0.1, 0.2, -0.3);
  const Vector3 w_1 = end_spin(inertia, w_0, impulse, 0.01, 0.5, w_0);
  CHECK((w_1 - (w_0 + impulse / 0.4)).norm() < 1e-14);
}
