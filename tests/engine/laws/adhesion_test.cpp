// Constant adhesion without range, against closed forms of the scheme.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "tests/support/world.hpp"

namespace adhesion_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;
constexpr ImpactLaw both[] = {ImpactLaw::newton, ImpactLaw::fremond};

// Column of the ledger that the law books.
double adhesion_work(const StepRecord& record) {
  for (std::size_t i = 0; i < contact::Laws::energies.size(); ++i) {
    if (std::string("adhesion_work") == contact::Laws::energies[i].name)
      return record.ledger.law_energy[i];
  }
  FAIL("no law books adhesion_work");
  return 0.0;
}

World sticky(double mu, double e, ImpactLaw law, double cohesion, double h) {
  World world;
  world.law() = PairLaw{mu, e, law};
  contact::Laws::number(world.law(), "cohesion") = cohesion;
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-13;
  return world;
}

// A ball on one line with the face that it touches: gap and its velocity, step by step, theta 1/2.
struct OnALine {
  double gap = 0.0, u = 0.0;      // [m], [m/s] opening
  double pull = 0.0, away = 0.0;  // [m/s2] C / m, and what opens the gap
  double e = 0.0, h = 0.0, touch = 0.0;
  bool averages = false;  // Fremond's law, with r = 1
  double work = 0.0;      // [J/kg] of the pull

  void step() {
    const bool near = gap <= touch, was_in = in_problem;
    double next = u + h * (away - (near ? pull : 0.0));
    const double bias = averages ? (u <= 0.0 ? e * u : u) : e * std::min(u, 0.0);
    const double free_mean = 0.5 * (u + u + h * away);
    in_problem = near || gap + h * free_mean <= 0.0 || (was_in && gap <= h * h * g);
    if (in_problem && next + bias < 0.0) next = -bias;
    const double mean = 0.5 * (u + next);
    if (near) work -= pull * h * mean;
    gap += h * mean;
    u = next;
  }
  bool in_problem = false;
};

}  // namespace

TEST_CASE("Ball hangs below a plate if and only if its weight is less than the adhesion",
          "[engine][analytic]") {
  const double m = 2.0, radius = 0.1;
  for (const ImpactLaw law : both) {
    for (const double h : {1e-3, 1e-4}) {
      for (const double share : {0.99, 1.01}) {
        World world = sticky(0.3, 0.0, law, share * m * g, h);
        world.add_plane(-Vector3::UnitZ());
        world.add_sphere(radius, Vector3(0.0, 0.0, -radius), m);
        Stepper stepper(world);
        OnALine line{0.0, 0.0, share * g, g, 0.0, h, 1e-10 * 2.0 * radius + h * h * g};
        line.averages = law == ImpactLaw::fremond;
        double work = 0.0, scale = 0.0;
        for (int k = 0; k < 100; ++k) {
          const StepRecord& record = stepper.step();
          line.step();
          work += adhesion_work(record);
          scale = std::max(scale, record.ledger.energy_scale);
          REQUIRE(std::abs(record.ledger.balance) <= 1e-14 * std::max(scale, m * g * radius));
          // round-off of positions of 0.1 m over the step
          REQUIRE(std::abs(world.state.v[1].z() + line.u) < 1e-15 / h);
        }
        const double z = world.state.x[1].z();
        CHECK(std::abs(z + radius + line.gap) < 1e-14);
        CHECK(std::abs(work - m * line.work) < 1e-13 * m * g * radius);
        if (share > 1.0) {
          CHECK(std::abs(z + radius) < 1e-15);
          CHECK(stepper.impulse_on(1).z() == Approx(m * g * h).epsilon(1e-12));
        } else {
          CHECK(z + radius < -0.4 * g * 1e-4 * (h / 1e-3) * (h / 1e-3) * 50.0);
          CHECK(work < 0.0);
        }
      }
    }
  }
}

TEST_CASE("Block on an incline holds up to tan a = mu (1 + C / (m g cos a))",
          "[engine][analytic]") {
  const double mu = 0.5, a = 0.7, m = 1000.0 * 0.4 * 0.3 * 0.2;
  const double limit = m * g * std::cos(a) * (std::tan(a) / mu - 1.0);  // [N] of C
  for (const ImpactLaw law : both) {
    for (const double h : {2e-3, 5e-4}) {
      for (const double share : {0.98, 1.02}) {
        World world = sticky(mu, 0.0, law, share * limit, h);
        const Vector3 n(std::sin(a), 0.0, std::cos(a));
        world.add_plane(n);
        const Quaternion q(Eigen::AngleAxisd(a, Vector3::UnitY()));
        world.add_box(Vector3(0.4, 0.3, 0.2), Pose{0.1 * n, q}, 1000.0);
        Stepper stepper(world);
        double worst = 0.0, scale = 0.0;
        const int steps = static_cast<int>(0.2 / h);
        for (int k = 0; k < steps; ++k) {
          const StepRecord& record = stepper.step();
          scale = std::max(scale, record.ledger.energy_scale);
          worst = std::max(worst, std::abs(record.ledger.balance));
        }
        const double t = steps * h, way = (world.state.x[1] - 0.1 * n).norm();
        // What friction leaves over: g sin a - mu (g cos a + C / m).
        const double rest = g * std::sin(a) - mu * (g * std::cos(a) + share * limit / m);
        INFO("h = " << h << ", C / limit = " << share);
        CHECK(worst <= 1e-12 * std::max(scale, m * g));
        if (share > 1.0) {
          CHECK(way < 1e-10);
        } else {
          CHECK(way == Approx(0.5 * rest * t * t).epsilon(1e-8));
        }
      }
    }
  }
}

TEST_CASE("Ball that strikes a sticky floor rebounds, and leaves it if it is fast enough",
          "[engine][analytic]") {
  // No gravity: what holds the ball back acts while it is in the floor, and there is no range.
  const double m = 0.5, v = 3.0, e = 0.4, h = 1e-3, radius = 0.1;
  for (const ImpactLaw law : both) {
    for (const double C : {0.1 * m * v / h, 2.0 * m * v / h}) {
      World world = sticky(0.2, e, law, C, h);
      world.model.gravity.setZero();
      world.add_plane();
      world.add_sphere(radius, Vector3(0.0, 0.0, radius), m, Vector3(0.0, 0.0, -v));
      Stepper stepper(world);
      OnALine line{0.0, -v, C / m, 0.0, e, h, 1e-10 * 2.0 * radius};
      line.averages = law == ImpactLaw::fremond;
      double work = 0.0, normal = 0.0;
      for (int k = 0; k < 20; ++k) {
        const StepRecord& record = stepper.step();
        line.step();
        work += adhesion_work(record);
        normal += record.ledger.contact_normal_work;
        REQUIRE(std::abs(record.ledger.balance) < 1e-14 * m * v * v);
        REQUIRE(std::abs(world.state.v[1].z() - line.u) < 1e-12 * v);
      }
      CHECK(std::abs(world.state.x[1].z() - radius - line.gap) < 1e-14);
      CHECK(std::abs(work - m * line.work) < 1e-12 * m * v * v);
      const double kinetic = 0.5 * m * (world.state.v[1].squaredNorm() - v * v);
      CHECK(std::abs(kinetic - work - normal) < 1e-13 * m * v * v);
      const bool leaves = world.state.v[1].z() > 0.01 * v && line.gap > 0.0;
      CHECK(leaves == (C < m * v / h));
    }
  }
}

TEST_CASE("Adhesion of a pair does not depend on the number of points at which it touches",
          "[engine][analytic]") {
  // A box below a plate touches at four points; together they hold C.
  const double h = 1e-3;
  for (const double share : {0.98, 1.02}) {
    World world = sticky(0.3, 0.0, ImpactLaw::fremond, share * 1000.0 * 0.4 * 0.3 * 0.2 * g, h);
    world.add_plane(-Vector3::UnitZ());
    world.add_box(Vector3(0.4, 0.3, 0.2), Pose{Vector3(0.0, 0.0, -0.1), Quaternion::Identity()},
                  1000.0);
    Stepper stepper(world);
    stepper.steps(100);
    CHECK((std::abs(world.state.x[1].z() + 0.1) < 1e-12) == (share > 1.0));
    if (share > 1.0) CHECK(stepper.record().contacts == 4);
  }
}

}  // namespace adhesion_test
