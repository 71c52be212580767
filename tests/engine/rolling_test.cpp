// Rolling and spinning resistance against closed forms of the scheme, at two step sizes.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "contact/laws/laws.hpp"
#include "engine/state_hash.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace rolling_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81, radius = 0.25, mass = 2.0;
const char* const source = "closed form of the scheme, engine/method/rolling.md";

PairLaw resisting(double mu, ImpactLaw law, double rolling, double spinning) {
  PairLaw pair{mu, 0.0, law};
  contact::Laws::number(pair, "rolling") = rolling;
  contact::Laws::number(pair, "spinning") = spinning;
  return pair;
}

World ball_on_plane(double h, const PairLaw& law, const Vector3& v, const Vector3& w,
                    double slope = 0.0) {
  World world;
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-12;
  world.law() = law;
  world.model.gravity = g * Vector3(std::sin(slope), 0.0, -std::cos(slope));
  world.add_plane();
  world.add_sphere(radius, Vector3(0.0, 0.0, radius), mass, v, w);
  return world;
}

}  // namespace

// Pure rolling, w = v / R: m dv = -F h, J dw = F R h - mu_r R N h, J = 2/5 m R^2 give dv = -5/7
// mu_r g h a step, exactly, until the ball stops; the path is v0^2 / (2 a) up to a share of the
// last step.
TEST_CASE("Ball that rolls slows down by 5/7 mu_r g", "[engine][validation]") {
  const double v0 = 0.7, rolling = 0.02, a = 5.0 / 7.0 * rolling * g;
  for (const ImpactLaw law : {ImpactLaw::fremond, ImpactLaw::newton}) {
    for (const double h : {2e-3, 1e-3}) {
      World world = ball_on_plane(h, resisting(0.5, law, rolling, 0.0), Vector3(v0, 0.0, 0.0),
                                  Vector3(0.0, v0 / radius, 0.0));
      Stepper stepper(world);
      const auto before = static_cast<int>(0.9 * v0 / a / h);
      double moment_work = 0.0, friction_work = 0.0, balance = 0.0;
      for (int k = 0; k < before; ++k) {
        const LedgerRow& row = stepper.step().ledger;
        moment_work += row.contact_rolling_work, friction_work += row.contact_tangential_work,
            balance += std::abs(row.balance);
      }
      const double v1 = v0 - a * h * before;
      const std::string name = test::case_name("ball that rolls to rest", law, h);
      CHECK(test::validated({"Rolling and spinning resistance",
                             name + "speed after 90 % of the way [m/s]", v1, world.state.v[1].x(),
                             1e-9, true, source}));
      CHECK(world.state.w[1].norm() * radius == Approx(v1).epsilon(1e-9));
      // Friction does no work while nothing slides; the moment takes what the ball loses: 7/10 m
      // (v0^2 - v1^2).
      const double lost = -0.7 * mass * (v0 * v0 - v1 * v1);
      CHECK(test::validated({"Rolling and spinning resistance", name + "work of the moment [J]",
                             lost, moment_work, 1e-9, true, source}));
      CHECK(std::abs(friction_work) <= 1e-9 * std::abs(lost));
      CHECK(balance <= 1e-12 * std::abs(lost));
      stepper.steps(static_cast<int>(0.3 * v0 / a / h));
      CHECK(test::validated(
          {"Rolling and spinning resistance", name + "way to rest [m]", 0.5 * v0 * v0 / a,
           world.state.x[1].x(), v0 * h, false,
           source}));  // the step in which it stops, of at most a h, ends within one step
      const double rest = world.state.x[1].x();
      stepper.steps(100);
      // At theta = 1/2 a stopped ball keeps |u| <= a h / 2 in turn with no drift.
      CHECK(std::abs(world.state.x[1].x() - rest) <=
            1e-9 + (law == ImpactLaw::fremond ? a * h * h : 0.0));
    }
  }
}

// A ball rests where tan(alpha) <= mu_r; above, it rolls with 5/7 g (sin alpha - mu_r cos alpha),
// constant in every step.
TEST_CASE("Ball on a slope rolls above tan alpha = mu_r only", "[engine][validation]") {
  const double rolling = 0.1, critical = std::atan(rolling);
  for (const double h : {2e-3, 1e-3}) {
    for (const double factor : {0.98, 1.02, 2.0}) {
      const double slope = factor * critical;
      World world = ball_on_plane(h, resisting(0.6, ImpactLaw::fremond, rolling, 0.0),
                                  Vector3::Zero(), Vector3::Zero(), slope);
      Stepper stepper(world);
      const auto n = static_cast<int>(std::lround(1.0 / h));
      stepper.steps(n);
      const double t = h * n, a = 5.0 / 7.0 * g * (std::sin(slope) - rolling * std::cos(slope));
      const std::string name = "ball on a slope of " + test::digits(factor, 3) +
                               " mu_r, h = " + test::digits(h) + " s: ";
      if (factor < 1.0) {
        // theta = 1/2 lets a ball that sticks swing by g sin(alpha) h each step, with no drift
        CHECK(test::validated({"Rolling and spinning resistance", name + "way after 1 s [m]", 0.0,
                               world.state.x[1].x(), 1e-9, false, source}));
      } else {
        CHECK(test::validated({"Rolling and spinning resistance", name + "speed after 1 s [m/s]",
                               a * t, world.state.v[1].x(), 1e-8, true, source}));
        CHECK(test::validated({"Rolling and spinning resistance", name + "way after 1 s [m]",
                               0.5 * a * t * t, world.state.x[1].x(), 1e-8, true, source}));
      }
    }
  }
}

// J dw = -mu_s R m g h a step: the spin ends after w0 / (5/2 mu_s g / R).
TEST_CASE("Spinning ball stops in closed-form time", "[engine][validation]") {
  const double w0 = 12.0, spinning = 0.05, a = 2.5 * spinning * g / radius;
  for (const double h : {2e-3, 1e-3}) {
    World world = ball_on_plane(h, resisting(0.5, ImpactLaw::fremond, 0.0, spinning),
                                Vector3::Zero(), Vector3(0.0, 0.0, w0));
    Stepper stepper(world);
    const double stop = w0 / a;
    const auto before = static_cast<int>(stop / h) - 2;
    stepper.steps(before);
    const std::string name = "spinning ball, h = " + test::digits(h) + " s: ";
    CHECK(test::validated({"Rolling and spinning resistance",
                           name + "spin two steps before it stops [rad/s]", w0 - a * h * before,
                           world.state.w[1].z(), 1e-7, true,
                           source}));  // 1e-12 of 12 rad/s, against what is left
    stepper.steps(5);
    CHECK(std::abs(world.state.w[1].z()) <= 0.5 * a * h * (1.0 + 1e-9));
    CHECK(world.state.x[1].head<2>().norm() <= 1e-12);
  }
}

// Two equal balls, one on the other's top: effective radius R / 2, relative spin; equal and
// opposite moments.
TEST_CASE("Moments of a pair of balls are equal and opposite and use the reduced radius",
          "[engine][property]") {
  World world;
  world.settings.step.solver.tolerance = 1e-12;
  world.law() = PairLaw{0.5, 0.0, ImpactLaw::fremond};
  world.set_rolling(0.0, 0.1);
  world.model.gravity = Vector3::Zero();
  world.add_sphere(radius, Vector3::Zero(), mass, Vector3(0.0, 0.0, 1.0), Vector3(0.0, 0.0, 20.0));
  world.add_sphere(radius, Vector3(0.0, 0.0, 2.0 * radius), mass, Vector3(0.0, 0.0, -1.0),
                   Vector3::Zero());
  Stepper(world).step();
  // Both stop: p_N = m * 1 m/s; the moment's impulse is mu_s (R/2) p_N.
  const double expected = 0.1 * 0.5 * radius * mass / (0.4 * mass * radius * radius);
  CHECK(world.state.w[0].z() == Approx(20.0 - expected).epsilon(1e-10));
  CHECK(world.state.w[1].z() == Approx(expected).epsilon(1e-10));
}

namespace {

// Balls of two sizes and a box that tumble on each other.
World heap(Backend backend, int threads) {
  World world;
  world.settings.step.solver.tolerance = 1e-8;
  world.settings.backend = backend, world.settings.threads = threads;
  world.law() = PairLaw{0.5, 0.3, ImpactLaw::fremond};
  world.set_rolling(0.1, 0.05);
  world.add_plane();
  for (int i = 0; i < 24; ++i) {
    const double r = i % 2 == 0 ? 0.2 : 0.15;
    world.add_sphere(r, Vector3(0.42 * (i % 3), 0.42 * (i / 3 % 2), 0.25 + 0.42 * (i / 6)),
                     1.0 + i % 2, Vector3(0.3 * (i % 3 - 1), 0.1 * (i % 2), -1.0 - 0.1 * (i % 5)),
                     Vector3(0.0, 5.0, 2.0 * (i % 4)));
  }
  world.add_box(Vector3(0.4, 0.4, 0.2), Pose{Vector3(0.4, 0.2, 2.0), Quaternion::Identity()},
                500.0);
  return world;
}

}  // namespace

TEST_CASE(
    "Heap that resists rolling: ledger closes, no gain, same bits from State alone and with "
    "threads",
    "[engine][property]") {
  World world = heap(Backend::serial, 1), renewed = heap(Backend::serial, 1),
        threads = heap(Backend::tbb, 2);
  const World start = world;
  Stepper stepper(world), parallel(threads);
  int unconverged = 0;
  double gain = 0.0, balance = 0.0, rolled = 0.0;
  for (int k = 0; k < 400; ++k) {
    const StepRecord record = stepper.step();
    Stepper(renewed).step();
    parallel.step();
    unconverged += record.converged ? 0 : 1;
    const LedgerRow& row = record.ledger;
    gain = std::max({gain, row.max_normal_work / row.energy_scale,
                     row.max_tangential_work / row.energy_scale,
                     row.max_rolling_work / row.energy_scale});
    balance = std::max(balance, std::abs(row.balance) / row.energy_scale);
    rolled += row.contact_rolling_work;
  }
  CHECK(state_hash(world.state) != state_hash(start.state));
  CHECK(gain <= 1e-8);      // the solver's tolerance
  CHECK(balance <= 1e-13);  // round-off of some hundred products
  CHECK(unconverged == 0);
  CHECK(rolled < 0.0);
  CHECK(state_hash(world.state) == state_hash(renewed.state));
  CHECK(state_hash(world.state) == state_hash(threads.state));
}

}  // namespace rolling_test
