// Drag of ground that is scarred, and friction that depends on the way, against closed forms of the
// scheme.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace scarring_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;
constexpr const char* section = "Scarred ground";
constexpr ImpactLaw both[] = {ImpactLaw::newton, ImpactLaw::fremond};

double law_energy(const StepRecord& record, const std::string& name) {
  for (std::size_t i = 0; i < contact::Laws::energies.size(); ++i) {
    if (name == contact::Laws::energies[i].name) return record.ledger.law_energy[i];
  }
  FAIL("no law books " << name);
  return 0.0;
}

double scarring_work(const StepRecord& record) { return law_energy(record, "scarring_work"); }

World ground(double mu, ImpactLaw law, double h, double theta = 0.5) {
  World world;
  world.law() = PairLaw{mu, 0.0, law};
  world.settings.time.dt = h;
  world.settings.time.theta = theta;
  world.settings.step.solver.tolerance = 1e-13;
  world.add_plane();
  return world;
}

std::size_t at(BodyIndex body) { return static_cast<std::size_t>(body); }

void set(World& world, const char* name, double value) {
  contact::Laws::number(world.law(), name) = value;
}

BodyIndex add_flat_box(World& world, const Vector3& v) {
  const Vector3 sides(0.6, 0.4, 0.1);
  const Pose pose{Vector3(0.0, 0.0, 0.5 * sides.z()), Quaternion::Identity()};
  return world.add_box(sides, pose, 1000.0, v);
}

// What slides on a level: friction h mu g a step until it would turn round, and a drag from the
// second step on, as the first one has no impulse before it.
struct Slider {
  double v = 0.0, x = 0.0, slip = 0.0;
  double h = 0.0, theta = 0.5;
  double mu = 0.0, drag = 0.0;                      // [-], [1/s]
  double mu_slip = 0.0, rate = 0.0;                 // [-], [1/m]
  double friction_work = 0.0, scarring_work = 0.0;  // [J/kg]
  bool pressed = false;

  double friction() const {
    if (mu_slip == 0.0) return mu;
    return mu + 2.0 / std::numbers::pi * (mu_slip - mu) * std::atan(rate * slip);
  }

  void step() {
    const double c = pressed ? h * drag : 0.0;
    const double free = v - c * v / (1.0 + theta * c);
    const double taken = h * friction() * g / (1.0 + theta * c);
    const double next = std::max(free - taken, 0.0);
    const double mean = (1.0 - theta) * v + theta * next;
    friction_work -= (free - next) * (1.0 + theta * c) * mean;
    scarring_work -= c * mean * mean;
    slip += h * mean;
    x += h * mean;
    v = next;
    pressed = true;
  }
};

}  // namespace

TEST_CASE("Ground that is scarred slows down a ball without friction by the scheme's factor a step",
          "[engine][analytic]") {
  const double drag = 0.6, m = 3.0, r = 0.2, v_0 = 7.0;
  for (const double theta : {0.5, 0.8}) {
    std::vector<double> error;
    for (const double h : {1e-2, 2.5e-3}) {
      World world = ground(0.0, ImpactLaw::newton, h, theta);
      set(world, "scar_drag", drag);
      const auto ball = at(world.add_sphere(r, Vector3(0.0, 0.0, r), m, Vector3(v_0, 0.0, 0.0)));
      Stepper stepper(world);
      const double factor = (1.0 - (1.0 - theta) * h * drag) / (1.0 + theta * h * drag);
      double v = v_0, taken = 0.0;
      const int n = static_cast<int>(std::lround(1.0 / h));
      for (int k = 0; k < n; ++k) {
        const StepRecord& record = stepper.step();
        const double next = k == 0 ? v : v * factor, mean = (1.0 - theta) * v + theta * next;
        if (k > 0) taken -= h * drag * m * mean * mean;
        v = next;
        REQUIRE(std::abs(world.state.v[ball].x() - v) <= 1e-15 * v_0 * (k + 1));
        REQUIRE(std::abs(record.ledger.balance) <= 1e-15 * m * v_0 * v_0);
        REQUIRE(scarring_work(record) <= 0.0);
        if (k == 0) REQUIRE(scarring_work(record) == 0.0);
      }
      double booked = 0.0;
      World again = ground(0.0, ImpactLaw::newton, h, theta);
      set(again, "scar_drag", drag);
      again.add_sphere(r, Vector3(0.0, 0.0, r), m, Vector3(v_0, 0.0, 0.0));
      Stepper once_more(again);
      for (int k = 0; k < n; ++k) booked += scarring_work(once_more.step());
      CHECK(std::abs(booked - taken) <= 1e-14 * m * v_0 * v_0);
      const std::string name =
          "ball without friction, scar_drag 0.6 1/s, theta = " + test::digits(theta) +
          ", h = " + test::digits(h) + " s: ";
      CHECK(test::validated({section, name + "speed after 1 s [m/s]", v, world.state.v[ball].x(),
                             1e-13, false, "product of the scheme's factors"}));
      CHECK(test::validated({section, name + "work of the drag [J]", taken, booked, 1e-12, false,
                             "sum of -h beta m v_theta^2"}));
      // Of the differential equation, from the first step that has drag.
      error.push_back(std::abs(v - v_0 * std::exp(-drag * (1.0 - h))));
    }
    // Second order at theta = 1/2, else first: four times smaller steps.
    CHECK(error[0] / error[1] == Approx(theta == 0.5 ? 16.0 : 4.0).epsilon(0.1));
  }
}

TEST_CASE(
    "Block on ground that is scarred slides as far as the scheme says, and friction and drag "
    "are booked apart",
    "[engine][analytic]") {
  for (const ImpactLaw law : both) {
    for (const double h : {4e-3, 1e-3}) {
      World world = ground(0.4, law, h);
      set(world, "scar_drag", 0.7);
      const auto box = at(add_flat_box(world, Vector3(6.0, 0.0, 0.0)));
      Stepper stepper(world);
      Slider slider{.v = 6.0, .h = h, .mu = 0.4, .drag = 0.7};
      const double m = world.model.mass[box], scale = 0.5 * m * 36.0;
      double friction = 0.0, scarring = 0.0;
      while (slider.v > 0.1) {
        const StepRecord& record = stepper.step();
        slider.step();
        friction += record.ledger.contact_tangential_work;
        scarring += scarring_work(record);
        REQUIRE(std::abs(world.state.v[box].x() - slider.v) <= 1e-10);
        REQUIRE(std::abs(record.ledger.balance) <= 1e-14 * scale);
      }
      const std::string name = test::case_name("block, mu 0.4, scar_drag 0.7 1/s", law, h);
      const char* source = "recursion of Coulomb friction and implicit drag";
      CHECK(test::validated({section, name + "way down to 0.1 m/s [m]", slider.x,
                             world.state.x[box].x(), 1e-10, false, source}));
      CHECK(test::validated({section, name + "work of friction [J]", m * slider.friction_work,
                             friction, 1e-10 * scale, false, source}));
      CHECK(test::validated({section, name + "work of the drag [J]", m * slider.scarring_work,
                             scarring, 1e-10 * scale, false, source}));
      CHECK(-scarring > 0.1 * scale);  // both count
    }
  }
}

TEST_CASE("Block on a slope of scarred ground tends to the speed at which drag balances the rest",
          "[engine][analytic]") {
  const double mu = 0.3, a = 0.6, drag = 2.0;
  const double limit = g * (std::sin(a) - mu * std::cos(a)) / drag;
  for (const double h : {5e-3, 1e-3}) {
    World world;
    world.law() = PairLaw{mu, 0.0, ImpactLaw::newton};
    set(world, "scar_drag", drag);
    world.settings.time.dt = h;
    world.settings.step.solver.tolerance = 1e-13;
    const Vector3 n(std::sin(a), 0.0, std::cos(a));
    world.add_plane(n);
    const Quaternion q(Eigen::AngleAxisd(a, Vector3::UnitY()));
    const auto box = at(world.add_box(Vector3(0.6, 0.4, 0.1), Pose{0.05 * n, q}, 1000.0));
    Stepper stepper(world);
    stepper.steps(static_cast<int>(std::lround(15.0 / h)));
    CHECK(test::validated(
        {section,
         "block on a slope of 0.6 rad, mu 0.3, scar_drag 2 1/s, h = " + test::digits(h) +
             " s: speed in the end [m/s]",
         limit, world.state.v[box].norm(), 1e-9, true, "g (sin a - mu cos a) / scar_drag"}));
  }
}

TEST_CASE("Drag of a body and drag of the ground act together", "[engine][analytic]") {
  const double own = 1.5, of_ground = 0.8, m = 3.0, h = 5e-3;  // [N s/m], [1/s], [kg], [s]
  World world = ground(0.0, ImpactLaw::newton, h);
  set(world, "scar_drag", of_ground);
  BodyDefinition ball;
  ball.name = "ball";
  ball.shape = Sphere{0.2, Vector3::Zero()};
  ball.mass = m;
  ball.drag.linear = own;
  const auto body = at(world.add(ball, Pose{Vector3(0.0, 0.0, 0.2), Quaternion::Identity()},
                                 Vector3(4.0, 0.0, 0.0)));
  Stepper stepper(world);
  double v = 4.0;
  for (int k = 0; k < 200; ++k) {
    const StepRecord& record = stepper.step();
    const double c = h * (own / m + (k == 0 ? 0.0 : of_ground));
    v *= (1.0 - 0.5 * c) / (1.0 + 0.5 * c);
    REQUIRE(std::abs(world.state.v[body].x() - v) <= 1e-14 * (k + 1));
    REQUIRE(std::abs(record.ledger.balance) <= 1e-14);
    if (k > 0) {
      REQUIRE(scarring_work(record) * own ==
              Approx(record.ledger.drag_work * of_ground * m).epsilon(1e-12));
    }
  }
}

TEST_CASE("Scarred ground does nothing to what flies, nor do bodies that move to each other",
          "[engine][property]") {
  const auto fall = [](bool scars) {
    World world = ground(0.5, ImpactLaw::newton, 2e-3);
    if (scars)
      set(world, "scar_drag", 0.9), set(world, "mu_slip", 2.0), set(world, "slip_rate", 3.0);
    world.add_sphere(0.2, Vector3(0.0, 0.0, 30.0), 2.0, Vector3(5.0, 0.0, 0.0));
    world.add_sphere(0.2, Vector3(0.35, 0.0, 30.1), 2.0, Vector3(-5.0, 1.0, 0.0));
    Stepper stepper(world);
    stepper.steps(500);
    return world.state;
  };
  const State with = fall(true), without = fall(false);
  for (const std::size_t i : {1U, 2U}) {
    CHECK(with.x[i] == without.x[i]);
    CHECK(with.v[i] == without.v[i]);
    CHECK(with.w[i] == without.w[i]);
    CHECK(with.slip[i] == 0.0);
  }
  CHECK(without.slip.empty());
}

TEST_CASE("Blocks that tumble over scarred ground never gain by it, and the ledger closes",
          "[engine][property]") {
  for (const ImpactLaw law : both) {
    for (const Rest rest : {Rest::published, Rest::damped}) {
      for (const double h : {5e-3, 1e-3}) {
        World world = ground(0.35, law, h);
        set(world, "scar_drag", 0.6), set(world, "mu_slip", 2.0);
        set(world, "slip_rate", 2.0), set(world, "slip_recovery", 150.0);
        world.settings.step.rest = rest;
        world.settings.step.solver.tolerance = 1e-8;
        const Quaternion q(Eigen::AngleAxisd(0.7, Vector3(1.0, 2.0, 0.5).normalized()));
        world.add_box(Vector3(0.5, 0.4, 0.3), Pose{Vector3(0.0, 0.0, 1.0), q}, 2600.0,
                      Vector3(6.0, 1.0, 0.0), Vector3(0.0, 8.0, 2.0));
        Stepper stepper(world);
        double least = 0.0, taken = 0.0;
        const int n = static_cast<int>(std::lround(4.0 / h));
        for (int k = 0; k < n; ++k) {
          const StepRecord& record = stepper.step();
          least = std::max(least, scarring_work(record));
          taken += scarring_work(record);
          REQUIRE(std::abs(record.ledger.balance) <= 1e-13 * record.ledger.energy_scale);
        }
        CHECK(taken < 0.0);
        CHECK(least <= 1e-12 * -taken);
        CHECK(world.state.v[1].norm() < 0.05);  // has come to rest, but for what `fremond` keeps
      }
    }
  }
}

TEST_CASE("Friction of a sliding block follows the way that it has scarred the ground",
          "[engine][analytic]") {
  for (const ImpactLaw law : both) {
    for (const double mu_slip : {2.0, 0.1}) {  // harder or softer the farther
      for (const double h : {4e-3, 1e-3}) {
        World world = ground(0.35, law, h);
        set(world, "mu_slip", mu_slip), set(world, "slip_rate", 2.0);
        const auto box = at(add_flat_box(world, Vector3(5.0, 0.0, 0.0)));
        Stepper stepper(world);
        Slider slider{.v = 5.0, .h = h, .mu = 0.35, .mu_slip = mu_slip, .rate = 2.0};
        while (slider.v > 0.1) {
          stepper.step();
          slider.step();
          REQUIRE(std::abs(world.state.v[box].x() - slider.v) <= 1e-9);
          REQUIRE(std::abs(world.state.slip[box] - slider.slip) <= 1e-9);
        }
        CHECK(test::validated(
            {section,
             test::case_name("block, mu 0.35 to " + test::digits(mu_slip), law, h) +
                 "way down to 0.1 m/s [m]",
             slider.x, world.state.x[box].x(), 1e-9, false, "recursion with mu(s) of the start"}));
        // The law as a function of the way: v dv = -mu(s) g ds.
        const double s = slider.x, rate = 2.0;
        const double integral = 0.35 * s + 2.0 / std::numbers::pi * (mu_slip - 0.35) *
                                               (s * std::atan(rate * s) -
                                                std::log1p(rate * rate * s * s) / (2.0 * rate));
        const double energy = 0.5 * (25.0 - slider.v * slider.v);
        CHECK(std::abs(integral * g - energy) <= 8.0 * h * energy);
      }
    }
  }
}

TEST_CASE("Body that has left the ground forgets its way at the rate of that ground",
          "[engine][analytic]") {
  const double recovery = 20.0;
  for (const double h : {2e-3, 5e-4}) {
    World world = ground(0.35, ImpactLaw::newton, h);
    set(world, "mu_slip", 2.0), set(world, "slip_rate", 2.0), set(world, "slip_recovery", recovery);
    const double r = 0.2;
    const auto ball = at(world.add_sphere(r, Vector3(0.0, 0.0, r), 1.0, Vector3(4.0, 0.0, 0.0)));
    Stepper stepper(world);
    stepper.steps(20);
    const double way = world.state.slip[ball];
    CHECK(way == Approx(world.state.x[ball].x()).epsilon(1e-13));
    world.state.v[ball].z() = 3.0;  // thrown up
    const int n = static_cast<int>(std::lround(0.2 / h));
    stepper.steps(n);
    CHECK(world.state.slip[ball] == Approx(way * std::exp(-recovery * n * h)).epsilon(1e-12));
  }
}

TEST_CASE("Position correction moves a body on scarred ground by its own mass",
          "[engine][property]") {
  const auto healed = [](double drag) {
    World world = ground(0.0, ImpactLaw::newton, 1e-3);
    set(world, "scar_drag", drag);
    world.settings.step.correction = PositionCorrection::projection;
    world.add_sphere(0.2, Vector3(0.0, 0.0, 0.2), 2.0);
    world.add_sphere(0.2, Vector3(0.38, 0.0, 0.2), 2.0);
    world.settings.allow_initial_overlap = true;
    Stepper stepper(world);
    stepper.step();
    // The balls are at rest and touch again; their overlap is drawn anew, now with drag.
    world.state.x[1].x() = 0.01;
    stepper.step();
    return world.state.x[1].x();
  };
  CHECK(std::abs(healed(50.0) - healed(0.0)) <= 1e-15);
}

}  // namespace scarring_test
