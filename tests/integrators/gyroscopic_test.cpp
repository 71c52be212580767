#include "integrators/gyroscopic.hpp"
#include "integrators/rotation_update.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

namespace gyroscopic_test {

using namespace scree;
using integrators::end_spin;
using integrators::gyroscopic_impulse;

namespace {

Vector3 random_vector(std::mt19937_64& random, double scale) {
  std::uniform_real_distribution<double> uniform(-scale, scale);
  return {uniform(random), uniform(random), uniform(random)};
}

}  // namespace

TEST_CASE("End spin satisfies the spin equation to round-off for random bodies",
          "[integrators][property]") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> moment(0.2, 5.0);
  for (int i = 0; i < 10000; ++i) {
    const Vector3 inertia(moment(random), moment(random), moment(random));
    const Vector3 w_0 = random_vector(random, 20.0), impulse = random_vector(random, 3.0);
    const double theta = 0.5 + 0.05 * (i % 11), h = 1e-3;
    const Vector3 w_1 = end_spin(inertia, w_0, impulse, h, theta, w_0).w_B;
    const Vector3 w = (1.0 - theta) * w_0 + theta * w_1;
    const Vector3 residual =
        inertia.cwiseProduct(w_1 - w_0) - gyroscopic_impulse(inertia, w, h) - impulse;
    // a few roundings of J w, |J w| < 5 * 50
    REQUIRE(residual.norm() < 1e-12);
  }
}

TEST_CASE("End spin without impulse keeps the kinetic energy at theta one half",
          "[integrators][property]") {
  std::mt19937_64 random(12);
  for (int i = 0; i < 10000; ++i) {
    const Vector3 inertia = Vector3(1.0, 1.5, 2.0) + random_vector(random, 0.5);
    const Vector3 w_0 = random_vector(random, 30.0);
    const Vector3 w_1 = end_spin(inertia, w_0, Vector3::Zero(), 2e-3, 0.5, w_0).w_B;
    const double before = w_0.dot(inertia.cwiseProduct(w_0)),
                 after = w_1.dot(inertia.cwiseProduct(w_1));
    REQUIRE(std::abs(after - before) <= 1e-14 * before);  // the residual above times w
  }
}

TEST_CASE("End spin of an isotropic body is the impulse over the inertia",
          "[integrators][analytic]") {
  const Vector3 inertia = Vector3::Constant(0.4), w_0(1.0, -2.0, 3.0), impulse(0.1, 0.2, -0.3);
  const Vector3 w_1 = end_spin(inertia, w_0, impulse, 0.01, 0.5, w_0).w_B;
  CHECK((w_1 - (w_0 + impulse / 0.4)).norm() < 1e-14);
}

// Bodies of every shape, from needles to discs, turning by up to 20 rad in a step, with and without
// an impulse as large as their momentum: far beyond where Newton's method converges from the last
// spin (h |w| of about 2). Bound: a few roundings of each term of the equation.
TEST_CASE("End spin is found however far a body turns in a step", "[integrators][property]") {
  const double theta = GENERATE(0.5, 0.7, 1.0);
  std::mt19937_64 random(13);
  std::uniform_real_distribution<double> share(0.02, 1.0), turn(0.0, 20.0);
  int unsolved = 0;
  double worst = 0.0, worst_energy = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const double x = share(random), y = share(random);
    const Vector3 inertia(
        x, y,
        std::abs(x - y) +
            share(random) * (x + y - std::abs(x - y)));  // a + b >= c, as of every body
    const double h = 1e-2;
    const Vector3 w_0 = turn(random) / h * random_vector(random, 1.0).normalized();
    const Vector3 impulse = i % 2 == 0 ? Vector3(Vector3::Zero())
                                       : random_vector(random, inertia.cwiseProduct(w_0).norm());
    const integrators::EndSpin end = end_spin(inertia, w_0, impulse, h, theta, w_0);
    if (!end.solved) ++unsolved;
    const Vector3 w = (1.0 - theta) * w_0 + theta * end.w_B,
                  gyroscopic = gyroscopic_impulse(inertia, w, h);
    const Vector3 left = inertia.cwiseProduct(end.w_B - w_0) - gyroscopic - impulse;
    const double momentum = inertia.cwiseProduct(w_0).norm() + impulse.norm();
    worst = std::max(worst, left.norm() / (momentum * (1.0 + h * w.norm())));
    if (i % 2 == 1) continue;
    const double before = w_0.dot(inertia.cwiseProduct(w_0)),
                 after = end.w_B.dot(inertia.cwiseProduct(end.w_B));
    // The free spin keeps its energy at theta = 1/2 and loses some beyond.
    worst_energy =
        std::max(worst_energy, (theta == 0.5 ? std::abs(after - before) : after - before) / before);
  }
  INFO("theta " << theta);
  CHECK(unsolved == 0);
  CHECK(worst < 5e-14);
  CHECK(worst_energy < 2e-12);  // the error above times h |w|
}

namespace {

// What a second of free flight makes of momentum, energy and orientation.
struct FreeFlight {
  double momentum = 0.0, energy = 0.0;  // [-] relative errors at the end
  Quaternion q = Quaternion::Identity();
};

enum class GyroscopicTerm { implicit, explicit_term, none };

// The scheme's own step, or the shortcuts of codes that take the term at the start of the step or
// leave it out.
FreeFlight free_flight(GyroscopicTerm term, int steps) {
  const Vector3 inertia(1.0, 1.6, 2.1), w_0(1.0, 8.0, 5.0);
  const double h = 1.0 / steps;
  Vector3 w = w_0;
  FreeFlight flight;
  for (int k = 0; k < steps; ++k) {
    Vector3 next = w;
    if (term == GyroscopicTerm::implicit)
      next = end_spin(inertia, w, Vector3::Zero(), h, 0.5, w).w_B;
    else if (term == GyroscopicTerm::explicit_term)
      next += gyroscopic_impulse(inertia, w, h).cwiseQuotient(inertia);
    flight.q = (flight.q * integrators::cayley(0.5 * h * (w + next))).normalized();
    w = next;
  }
  const Vector3 before = inertia.cwiseProduct(w_0), after = inertia.cwiseProduct(w);
  flight.momentum = (flight.q * after - before).norm() / before.norm();
  flight.energy = std::abs(w.dot(after) / w_0.dot(before) - 1.0);
  return flight;
}

}  // namespace

// The table of engine/method/passes.md: orders from two step sizes, digits of the table to 2 %.
TEST_CASE("Gyroscopic term at the start of the step, or left out, costs momentum and energy",
          "[integrators][order]") {
  const FreeFlight exact = free_flight(GyroscopicTerm::implicit, 20000);
  const auto turn = [&](const FreeFlight& flight) { return flight.q.angularDistance(exact.q); };
  const FreeFlight coarse = free_flight(GyroscopicTerm::implicit, 100),
                   fine = free_flight(GyroscopicTerm::implicit, 1000);
  for (const FreeFlight& flight : {coarse, fine}) {
    CHECK(flight.momentum < 1e-14);
    CHECK(flight.energy < 1e-14);
  }
  CHECK(turn(coarse) == Approx(8.3e-3).epsilon(0.02));
  CHECK(turn(coarse) / turn(fine) == Approx(100.0).epsilon(0.02));  // order 2
  const FreeFlight coarse_start = free_flight(GyroscopicTerm::explicit_term, 100),
                   fine_start = free_flight(GyroscopicTerm::explicit_term, 1000);
  CHECK(coarse_start.momentum == Approx(2.8e-2).epsilon(0.02));
  CHECK(coarse_start.energy == Approx(6.8e-2).epsilon(0.02));
  CHECK(coarse_start.momentum / fine_start.momentum == Approx(10.0).epsilon(0.1));  // order 1
  CHECK(coarse_start.energy / fine_start.energy == Approx(10.0).epsilon(0.1));
  for (const int steps : {100, 1000}) {
    const FreeFlight none = free_flight(GyroscopicTerm::none, steps);
    CHECK(none.momentum == Approx(0.27).epsilon(0.02));  // no convergence at all
    CHECK(turn(none) > 2.0);
  }
}

}  // namespace gyroscopic_test
