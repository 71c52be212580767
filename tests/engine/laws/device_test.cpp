// The viscoelastic device of contacts, against closed forms of its oscillator, statics and
// symmetry.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "engine/state_hash.hpp"
#include "tests/support/device_walls.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/validation_table.hpp"

namespace device_test {

using namespace scree;
using test::device_world;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;
constexpr double pi = std::numbers::pi;

double energy(const StepRecord& record, const std::string& name) {
  for (std::size_t i = 0; i < contact::Laws::energies.size(); ++i) {
    if (name == contact::Laws::energies[i].name) return record.ledger.law_energy[i];
  }
  FAIL("no law books " << name);
  return 0.0;
}

std::string text_of_case(double theta, double h) {
  return ", theta = " + test::digits(theta) + ", h = " + test::digits(h) + " s";
}

}  // namespace

TEST_CASE("Ball at rest overlaps by what its weight presses the device", "[engine][analytic]") {
  for (const ImpactLaw law : {ImpactLaw::fremond, ImpactLaw::newton}) {
    for (const double theta : {0.5, 1.0}) {
      for (const double h : {1e-3, 5e-4}) {
        for (const double period : {1.0, 3.0}) {
          World world = device_world(h, theta, period, 0.0);
          world.law().law = law;
          const double m = 2.0, radius = 0.1;
          world.add_plane();
          world.add_sphere(radius, Vector3(0.0, 0.0, radius), m);
          Stepper stepper(world);
          stepper.steps(400);
          const double T = period * h, overlap = radius - world.state.x[1].z(),
                       expected = g * T * T / (4.0 * pi * pi);
          const double force = stepper.impulse_on(1).z() / h;
          // Positions are known to 1e-17 of a tenth of a metre.
          CHECK(std::abs(overlap - expected) <= 2e-16);
          CHECK(std::abs(force - m * g) <= 1e-12 * m * g);
          CHECK(world.state.v[1].norm() <= 1e-12);
          if (law != ImpactLaw::fremond) continue;
          CHECK(test::validated({"Contact device",
                                 "ball at rest, period of " + test::digits(period) + " steps" +
                                     text_of_case(theta, h) + ": overlap [m]",
                                 expected, overlap, 2e-16, false, "g T^2 / (4 pi^2)"}));
          CHECK(test::validated({"Contact device",
                                 "ball at rest, period of " + test::digits(period) + " steps" +
                                     text_of_case(theta, h) + ": force [N]",
                                 m * g, force, 1e-12 * m * g, false, "its weight"}));
        }
      }
    }
  }
}

TEST_CASE("Spring that the load leaves throws the body off as the scheme says",
          "[engine][analytic]") {
  for (const double theta : {0.5, 1.0}) {
    for (const double h : {1e-3, 5e-4}) {
      World world = device_world(h, theta, 1.0, 0.0);
      const double m = 2.0, radius = 0.1;
      world.add_plane();
      world.add_sphere(radius, Vector3(0.0, 0.0, radius), m);
      Stepper loaded(world);
      loaded.steps(400);
      const double x = world.state.kept.memory.at(0)[contact::ContactDevice::Memory::normal];
      REQUIRE(x == Approx(-g * h * h / (4.0 * pi * pi)).epsilon(1e-9));
      world.model.gravity.setZero();
      world.state.v[1].setZero();
      Stepper free(world);
      const StepRecord& record = free.step();
      // I = -m d / (theta + a m) with a m = 1 / (2 pi (2 pi theta + 2)), d = 2 pi x / (h (...)).
      const double a = 1.0 / (2.0 * pi * (2.0 * pi * theta + 2.0)),
                   d = x / h * 2.0 * pi / (2.0 * pi * theta + 2.0), v = -d / (theta + a);
      CHECK(v == Approx((theta == 1.0 ? 0.7443 : 2.3016) * -x / h).epsilon(1e-4));
      CHECK(world.state.v[1].z() == Approx(v).epsilon(1e-9));
      CHECK(free.impulse_on(1).z() == Approx(m * v).epsilon(1e-9));
      CHECK(v <= 2.0 * g * h);
      // What it gains it had stored: k x^2 / 2, less what the dashpot takes.
      const double stored = 0.5 * m * 4.0 * pi * pi / (h * h) * x * x, kinetic = 0.5 * m * v * v;
      CHECK(energy(record, "contact_elastic") <= stored * (1.0 + 1e-12));
      CHECK(energy(record, "contact_viscous") <= 0.0);
      const double works = energy(record, "contact_elastic") + energy(record, "contact_viscous") +
                           record.ledger.numerical_dissipation + record.ledger.contact_normal_work;
      CHECK(works == Approx(kinetic).epsilon(1e-9));
      CHECK(test::validated(
          {"Contact device",
           "ball whose weight is taken away" + text_of_case(theta, h) + ": velocity [m/s]", v,
           world.state.v[1].z(), 1e-9 * v, false, "-d / (theta + a m)"}));
    }
  }
}

TEST_CASE("Overlap that no load made heals without throwing the body off", "[engine][analytic]") {
  for (const double theta : {0.5, 1.0}) {
    for (const double h : {1e-3, 5e-4}) {
      for (const double gravity : {0.0, g}) {
        World world = device_world(h, theta, 1.0, 0.0);
        world.model.gravity = Vector3(0.0, 0.0, -gravity);
        const double radius = 0.1, overlap = 1e-4;
        world.add_plane();
        world.add_sphere(radius, Vector3(0.0, 0.0, radius - overlap), 2.0);
        Stepper stepper(world);
        double left = overlap, fastest = 0.0, balance = 0.0;
        const double carried = gravity * h * h / (4.0 * pi * pi),
                     share = 2.0 * pi / (2.0 * pi + 2.0);
        for (int k = 0; k < 40; ++k) {
          const StepRecord& record = stepper.step();
          const double now = radius - world.state.x[1].z();
          // Down to what the load holds, where the spring still settles.
          if (left > 2.0 * carried + 1e-15) CHECK(now <= left);
          if (k == 0)
            CHECK(now ==
                  Approx((1.0 - share) * overlap).margin(2.0 * carried + 1e-3 * share * overlap));
          left = now;
          fastest = std::max(fastest, world.state.v[1].norm());
          balance = std::max(balance, std::abs(record.ledger.balance));
        }
        CHECK(std::abs(left - carried) <= 1e-14 + 1e-6 * carried);
        CHECK(fastest <= 2.0 * gravity * h);
        CHECK(balance <= 1e-14);
        test::add_validation_row({"Contact device",
                                  "overlap of 1e-4 m, g = " + test::digits(gravity) + " m/s2" +
                                      text_of_case(theta, h) + ": fastest [m/s]",
                                  test::digits(2.0 * gravity * h), test::digits(fastest), "-",
                                  "at most", "2 g h"});
      }
    }
  }
}

namespace {

// A plate of sides (a, b, c) on its four corners, with a force at the point (x, y) from its centre.
struct Table {
  World world;
  BodyIndex plate = -1;
  double weight = 0.0, force = 0.0;
};

// Thin, so that it turns about its feet: a tilt by the overlaps moves the load by little.
constexpr double length_a = 2.0, length_b = 1.2, thickness = 0.02;

// Friction's share is undetermined without a tangential device; it has one where it is dropped, as
// `fremond` at theta = 1/2 would swing on.
Table table(double h, double theta, double x, double y, bool plate_first, double drop,
            double density) {
  Table t{device_world(h, theta, 1.0, drop > 0.0 ? 1.0 : 0.0)};
  t.world.law().mu = 0.1;
  t.world.settings.step.solver.tolerance = 1e-11;
  BodyDefinition plate;
  plate.name = "plate";
  plate.shape = make_box(Vector3(length_a, length_b, thickness));
  plate.density = density;
  t.force = 1000.0;
  Load load;
  load.force = constant_record(Vector3(0.0, 0.0, -t.force));
  load.central = false, load.point = Vector3(x, y, 0.0);
  plate.loads = {load};
  if (!plate_first) t.world.add_plane();
  t.plate =
      t.world.add(plate, Pose{Vector3(0.0, 0.0, 0.5 * thickness + drop), Quaternion::Identity()});
  if (plate_first) t.world.add_plane();
  t.weight = t.world.model.mass[static_cast<std::size_t>(t.plate)] * g;
  return t;
}

// Force of each corner, by the quadrant that it is in: (+,+), (+,-), (-,-), (-,+).
std::array<double, 4> corner_forces(const Table& t, const Stepper& stepper) {
  std::array<double, 4> forces = {};
  const Workspace& work = stepper.work();
  for (std::size_t c = 0; c < work.p.size(); ++c) {
    const Vector3& point = work.contacts.point_a[static_cast<std::size_t>(work.in_problem[c])];
    const std::size_t corner =
        point.x() > 0.0 ? (point.y() > 0.0 ? 0 : 1) : (point.y() < 0.0 ? 2 : 3);
    forces[corner] += work.p[c].x() / t.world.settings.time.dt;
  }
  return forces;
}

}  // namespace

TEST_CASE("Legs of a table carry what the formula of four equal springs says",
          "[engine][analytic]") {
  const double x = 0.37, y = -0.11;
  for (const double theta : {0.5, 1.0}) {
    for (const double h : {1e-3, 5e-4}) {
      double worst = 0.0;
      for (const bool plate_first : {false, true}) {
        for (const double drop : {0.0, 1e-3}) {
          for (const bool cold : {true, false}) {
            Table t = table(h, theta, x, y, plate_first, drop, 2000.0);
            Stepper stepper(t.world);
            stepper.steps(300);
            if (!cold) {  // another start of the solve
              for (std::size_t k = 0; k < t.world.state.kept.impulse_W.size(); ++k) {
                t.world.state.kept.impulse_W[k] *= k % 2 == 0 ? 3.0 : 0.1;
                t.world.state.kept.before_W[k] = t.world.state.kept.impulse_W[k];
              }
              stepper.step();
            }
            const std::array<double, 4> found = corner_forces(t, stepper);
            constexpr double sign_x[] = {1, 1, -1, -1}, sign_y[] = {1, -1, -1, 1};
            for (std::size_t i = 0; i < 4; ++i) {
              const double expected =
                  t.weight / 4.0 + t.force * (0.25 + sign_x[i] * x / (2.0 * length_a) +
                                              sign_y[i] * y / (2.0 * length_b));
              worst = std::max(worst, std::abs(found[i] - expected) / (t.weight + t.force));
            }
          }
        }
      }
      CHECK(worst <= 1e-8);
      CHECK(test::validated({"Contact device",
                             "table on four legs, any order, drop and start" +
                                 text_of_case(theta, h) +
                                 ": largest error of a leg's force [-] of the load",
                             0.0, worst, 1e-8, false, "W (1/4 +- x/(2a) +- y/(2b))"}));
    }
  }
}

TEST_CASE("Table whose load is beyond the core stands on three legs", "[engine][analytic]") {
  for (const double theta : {0.5, 1.0}) {
    for (const double h : {1e-4, 5e-5}) {
      Table t = table(h, theta, 0.0, 0.0, false, 0.0, 400.0);
      const double W = t.force + t.weight;
      // Centre of all that presses, on the diagonal: |x/(2a)| + |y/(2b)| = 0.35.
      const double x = 0.35 * length_a, y = 0.35 * length_b;
      t = table(h, theta, x * W / t.force, y * W / t.force, false, 0.0, 400.0);
      Stepper stepper(t.world);
      stepper.steps(300);
      const std::array<double, 4> found = corner_forces(t, stepper),
                                  expected = {W * (x / length_a + y / length_b),
                                              W * (0.5 - y / length_b), 0.0,
                                              W * (0.5 - x / length_a)};
      double worst = 0.0;
      for (std::size_t i = 0; i < 4; ++i)
        worst = std::max(worst, std::abs(found[i] - expected[i]) / W);
      CHECK(worst <= 1e-8);
      CHECK(test::validated({"Contact device",
                             "table whose load lifts one leg" + text_of_case(theta, h) +
                                 ": largest error of a leg's force [-] of the load",
                             0.0, worst, 1e-8, false, "statics of three legs"}));
    }
  }
}

TEST_CASE("Symmetric wall with devices has symmetric contact forces", "[engine][property]") {
  for (const double h : {2e-3, 1e-3}) {
    const auto asymmetry = [&](bool device) {
      World world = device_world(h, 1.0, device ? 1.0 : 0.0, device ? 1.0 : 0.0);
      test::bond_wall(10, 20, true).put_into(world);
      world.settings.step.solver.tolerance = 1e-9;
      Stepper stepper(world);
      test::settle(world, stepper, 60, device ? 60 : 1);
      // A random start of the last solve.
      test::Random random(3);
      for (Vector3& p : world.state.kept.impulse_W) p *= random.uniform(0.5, 1.5);
      world.state.kept.before_W = world.state.kept.impulse_W;
      stepper.step();
      return test::mirror_asymmetry(stepper.work(), 5.0) / (world.model.mass.back() * g * h);
    };
    const double with = asymmetry(true), without = asymmetry(false);
    CHECK(with <= 1e-6);
    CHECK(without > 1e-3);
    CHECK(test::validated({"Contact device",
                           "wall of 210 blocks, h = " + test::digits(h) +
                               " s: asymmetry of contact forces [-] of a block's weight",
                           0.0, with, 1e-6, false,
                           "mirror image (rigid: " + test::digits(without, 2) + ")"}));
  }
}

namespace {

constexpr int wall_length = 11, wall_courses = 25;  // 275 blocks

// A settled wall of 275 blocks, its state and what is kept of its contacts.
World settled_wall(double h, double period, bool device, int ramp, int rest) {
  World world = device_world(h, 1.0, device ? period : 0.0, device ? period : 0.0);
  test::bond_wall(wall_length, wall_courses, false).put_into(world);
  REQUIRE(world.model.n_bodies() == 276);
  world.settings.step.solver.tolerance = 1e-9;
  Stepper stepper(world);
  test::settle(world, stepper, ramp, rest);
  return world;
}

// Impulses of the joints of bodies: the sum over the contacts of a pair, on the higher name.
std::map<std::array<std::string, 2>, Vector3> joint_impulses(const World& world,
                                                             const Workspace& work) {
  std::map<std::array<std::string, 2>, Vector3> joints;
  for (std::size_t c = 0; c < work.p.size(); ++c) {
    std::string a = world.model.name[static_cast<std::size_t>(work.problem.body_a[c])],
                b = world.model.name[static_cast<std::size_t>(work.problem.body_b[c])];
    Vector3 p = work.problem.R_WC[c] * work.p[c];
    if (a > b) std::swap(a, b), p = -p;
    const auto [it, fresh] = joints.try_emplace({a, b}, Vector3(Vector3::Zero()));
    it->second += p;
  }
  return joints;
}

template <class Joints>
double largest_joint_difference(const Joints& one, const Joints& other) {
  double largest = 0.0;
  for (const auto& [pair, impulse] : one) {
    const auto found = other.find(pair);
    const Vector3 there = found == other.end() ? Vector3(Vector3::Zero()) : found->second;
    largest = std::max(largest, (impulse - there).norm());
  }
  return largest;
}

// How far contact forces and joint resultants of one step differ between orders of the bodies, in
// weights of a block.
struct Spread {
  double contacts = 0.0, normals = 0.0, joints = 0.0;
};

Spread spread_over_orders(const World& settled, int n_orders, double tolerance) {
  const test::Bodies bodies = test::bond_wall(wall_length, wall_courses, false);
  const double weight = 0.5 * 2300.0 * g * settled.settings.time.dt;
  std::multimap<test::Place, test::PlacedImpulse> first;
  std::map<std::array<std::string, 2>, Vector3> first_joints;
  Spread spread;
  test::Random random(11);
  for (int k = 0; k < n_orders; ++k) {
    std::vector<BodyIndex> order(static_cast<std::size_t>(settled.model.n_bodies()));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size() - 1; k > 0 && i > 0; --i)
      std::swap(order[i], order[static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
    World world = test::reordered(settled, order, bodies);
    world.settings.time.theta = 0.5;
    world.settings.step.solver.tolerance = tolerance;
    Stepper stepper(world);
    const StepRecord& record = stepper.step();
    REQUIRE(record.converged);
    const auto placed = test::placed_impulses(stepper.work(), 0.0);
    const auto joints = joint_impulses(world, stepper.work());
    if (k == 0) {
      first = placed, first_joints = joints;
      continue;
    }
    spread.contacts = std::max(spread.contacts, test::largest_difference(first, placed) / weight);
    spread.normals =
        std::max(spread.normals, test::largest_normal_difference(first, placed) / weight);
    spread.joints =
        std::max(spread.joints, largest_joint_difference(first_joints, joints) / weight);
  }
  return spread;
}

}  // namespace

TEST_CASE("Order of the bodies does not change the forces in a wall with devices",
          "[engine][property]") {
  for (const double h : {2e-3, 1e-3}) {
    const Spread both = spread_over_orders(settled_wall(h, 1.0, true, 80, 120), 10, 1e-9);
    CHECK(both.normals <= 1e-6);
    CHECK(both.joints <= 1e-6);
    const std::string wall =
        "wall of 275 blocks in 10 orders of the bodies, h = " + test::digits(h) +
        " s: largest difference of ";
    CHECK(test::validated({"Contact device", wall + "normal forces [-] of a block's weight", 0.0,
                           both.normals, 1e-6, false, "one solution"}));
    CHECK(test::validated({"Contact device", wall + "joint resultants [-] of a block's weight", 0.0,
                           both.joints, 1e-6, false, "one solution"}));
  }
}

TEST_CASE("Tower with devices presses with its weight and takes fewer iterations",
          "[engine][analytic]") {
  constexpr int n = 50;
  for (const double h : {2e-3, 1e-3}) {
    const auto stand = [&](double period, double theta, int steps, double tolerance) {
      World world = device_world(h, theta, period, 0.0);
      world.settings.step.solver.tolerance = tolerance;
      world.add_tower(n);
      Stepper stepper(world);
      stepper.steps(steps);
      const double weight = n * 2300.0 * g,
                   error = std::abs(-stepper.impulse_on(0).z() / h - weight) / weight;
      return std::pair(error, world);
    };
    const auto [error, settled] = stand(1.0, 1.0, 2500, 1e-13);
    CHECK(test::validated(
        {"Contact device",
         "tower of 50 cubes, theta = 1, h = " + test::digits(h) + " s: error of the base force [-]",
         0.0, error, 1e-10, false, "n m g"}));
    // One step from nothing but the poses and the memory, to 1e-8.
    const auto iterations = [&](bool device) {
      World world = settled;
      contact::Laws::number(world.law(), "device_normal") = device ? 1.0 : 0.0;
      if (!device) world.state.kept.memory.clear();
      world.state.kept.impulse_W.assign(world.state.kept.key.size(), Vector3::Zero());
      world.state.kept.before_W = world.state.kept.impulse_W;
      world.settings.step.solver.tolerance = 1e-8;
      world.settings.step.solver.method = contact::Method::nsgs;
      Stepper stepper(world);
      return stepper.step().iterations;
    };
    const auto with = iterations(true), without = iterations(false);
    CHECK(with < without);
    test::add_validation_row(
        {"Contact device",
         "tower of 50 cubes, h = " + test::digits(h) + " s: sweeps of nsgs to 1e-8 from p = 0",
         "fewer than rigid", test::digits(static_cast<double>(with)), "-",
         "rigid: " + test::digits(static_cast<double>(without)), "recorded"});
  }
}

TEST_CASE("Joint forces of a settled wall hardly depend on the period of the device",
          "[engine][property]") {
  constexpr double h = 1e-3;
  const auto settled = [&](double period, int ramp, int rest) {
    return settled_wall(h, period, true, ramp, rest);
  };
  const auto joints = [&](World world) {
    Stepper stepper(world);
    stepper.step();
    return joint_impulses(world, stepper.work());
  };
  const auto iterations = [&](World world) {
    world.state.kept.impulse_W.assign(world.state.kept.key.size(), Vector3::Zero());
    world.state.kept.before_W = world.state.kept.impulse_W;
    Stepper stepper(world);
    return stepper.step().iterations;
  };
  const World one = settled(1.0, 80, 120), two = settled(2.0, 160, 160),
              five = settled(5.0, 400, 300);
  const auto of_one = joints(one);
  double largest = 0.0;
  for (const auto& [pair, impulse] : of_one) largest = std::max(largest, impulse.norm());
  const double change_two = largest_joint_difference(of_one, joints(two)) / largest,
               change_five = largest_joint_difference(of_one, joints(five)) / largest;
  CHECK(
      test::validated({"Contact device", "wall of 275 blocks, T = 2 h for h: change of joints [-]",
                       0.0, change_two, 0.01, false, "equal springs"}));
  CHECK(
      test::validated({"Contact device", "wall of 275 blocks, T = 5 h for h: change of joints [-]",
                       0.0, change_five, 0.01, false, "equal springs"}));
  const auto a = iterations(one), b = iterations(two), c = iterations(five);
  INFO(a << " " << b << " " << c);
  CHECK(b <= a);
  CHECK(c <= b);
}

TEST_CASE("Block on a slope with a tangential device stays where it is", "[engine][analytic]") {
  for (const double theta : {0.5, 1.0}) {
    for (const double h : {2e-3, 1e-3}) {
      World world = device_world(h, theta, 1.0, 1.0);
      const double angle = 0.9 * std::atan(0.6);
      world.add_plane(Vector3(std::sin(angle), 0.0, std::cos(angle)));
      const Quaternion q(Eigen::AngleAxisd(angle, Vector3::UnitY()));
      world.add_box(Vector3(1.0, 0.8, 0.5), Pose{q * Vector3(0.0, 0.0, 0.25), q});
      Stepper stepper(world);
      stepper.steps(100);
      const Vector3 start = world.state.x[1];
      stepper.steps(static_cast<int>(60.0 / h) - 100);
      const double drift = (world.state.x[1] - start).norm();
      CHECK(test::validated({"Contact device",
                             "block on a slope at 0.9 of friction's angle, 60 s" +
                                 text_of_case(theta, h) + ": drift [m]",
                             0.0, drift, 1e-13, false, "round-off"}));
      CHECK(world.state.v[1].norm() <= 1e-12);
    }
  }
}

namespace {

// Balls and boxes thrown together.
World thrown(std::uint64_t seed, double h, double theta, double tangential, Frames frames) {
  test::Random random(seed);
  World world = device_world(h, theta, 1.0 + static_cast<double>(seed % 3), tangential);
  world.law().e = theta > 0.5 ? std::min(0.9, 1.0 / theta - 1.0) : random.uniform(0.0, 1.0);
  world.law().mu = random.uniform(0.0, 1.0);
  world.settings.step.frames = frames;
  world.settings.step.solver.tolerance = 1e-10;
  if (seed % 4 == 0) world.set_rolling(0.1, 0.05);
  if (seed % 5 == 0) contact::Laws::number(world.law(), "cohesion") = 20.0;
  world.add_plane();
  world.add_plane(Vector3::UnitX(), Vector3(-0.6, 0.0, 0.0));
  for (int i = 0; i < 8; ++i) {
    const Vector3 x(random.uniform(-0.2, 0.6), random.uniform(-0.3, 0.3), 0.25 + 0.35 * i);
    if (i % 2 == 0) {
      world.add_sphere(0.1, x, random.uniform(1.0, 5.0), random.vector(2.0), random.vector(3.0));
    } else {
      world.add_box(Vector3(0.2, 0.15, 0.1), Pose{x, Quaternion(random.rotation())}, 1000.0,
                    random.vector(2.0), random.vector(3.0));
    }
  }
  return world;
}

}  // namespace

TEST_CASE("Contacts with devices put in no more than their springs held", "[engine][property]") {
  double worst_work = 0.0, worst_balance = 0.0, worst_viscous = 0.0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    for (const double h : {2e-3, 1e-3}) {
      const double theta = seed % 3 == 0 ? 0.5 : 0.5 + 0.02 * static_cast<double>(seed);
      World world = thrown(seed, h, theta, seed % 2 == 0 ? 1.0 : 0.0,
                           seed % 7 < 3 ? Frames::middle : Frames::start);
      Stepper stepper(world);
      for (int k = 0; k < static_cast<int>(0.6 / h); ++k) {
        const StepRecord& record = stepper.step();
        const double scale = record.ledger.energy_scale;
        worst_work = std::max({worst_work, record.ledger.max_normal_work / scale,
                               record.ledger.max_tangential_work / scale});
        worst_balance = std::max(worst_balance, std::abs(record.ledger.balance) / scale);
        worst_viscous = std::max(worst_viscous, energy(record, "contact_viscous") / scale);
      }
    }
  }
  // Works are those of the solver's tolerance; the rest is round-off.
  CHECK(test::validated({"Contact device",
                         "48 piles of balls and boxes: largest work that a contact puts in [-]",
                         0.0, worst_work, 1e-9, false, "none but its spring's"}));
  CHECK(test::validated({"Contact device", "48 piles: largest imbalance of a step [-]", 0.0,
                         worst_balance, 1e-12, false, "ledger"}));
  CHECK(worst_viscous <= 1e-9);
}

TEST_CASE("Overlap put into a wall heals in a few steps without throwing blocks",
          "[engine][analytic]") {
  constexpr double overlap = 1e-3, share = 2.0 * pi / (2.0 * pi + 2.0);
  for (const double theta : {0.5, 1.0}) {
    for (const double h : {2e-3, 1e-3}) {
      World world = device_world(h, 1.0, 1.0, 1.0);
      world.settings.step.solver.tolerance = 1e-6;
      test::bond_wall(6, 8, true).put_into(world);
      Stepper settled(world);
      test::settle(world, settled, 40, 60);
      const double held = settled.record().max_penetration;
      world.settings.time.theta = theta;
      // A block in the middle goes into its neighbour, one on top into what lies below it: where
      // something rests on a block that sinks, it falls, whatever heals.
      world.state.x[22].x() += overlap, world.state.x[49].z() -= overlap;
      Stepper stepper(world);
      double fastest = 0.0;
      for (int k = 0; k < 50; ++k) {
        stepper.step();
        for (const Vector3& v : world.state.v) fastest = std::max(fastest, v.norm());
      }
      stepper.step();
      const double left = stepper.record().max_penetration - held;
      const std::string what = "overlaps of 1e-3 m in a wall, 50 steps" + text_of_case(theta, h);
      CHECK(left <= 1e-6);
      CHECK(fastest <= 2.0 * g * h);
      test::add_validation_row({"Contact device", what + ": deepest beyond the load's [m]", "0",
                                test::digits(left, 3), "-", "1e-06", "healed"});
      test::add_validation_row({"Contact device", what + ": fastest block [m/s]",
                                test::digits(2.0 * g * h), test::digits(fastest), "-",
                                "at most; recovery: " + test::digits(share * overlap / h, 3),
                                "2 g h"});
    }
  }
}

TEST_CASE("Run with devices goes on as it would have from a copy of its state",
          "[engine][property]") {
  World world = device_world(1e-3, 0.5, 1.0, 1.0);
  world.settings.step.solver.tolerance = 1e-8;
  test::bond_wall(3, 3, true).put_into(world);
  world.state.v[5] = Vector3(0.3, 0.1, 0.0);
  Stepper stepper(world);
  stepper.steps(50);
  REQUIRE(std::any_of(world.state.kept.memory.begin(), world.state.kept.memory.end(),
                      [](const ContactMemory& m) { return m != ContactMemory{}; }));
  World copy = world;
  Stepper fresh(copy);
  stepper.steps(50), fresh.steps(50);
  CHECK(resume_hash(copy.state) == resume_hash(world.state));
  World forgetful = world;
  forgetful.state.kept.memory.assign(forgetful.state.kept.key.size(), ContactMemory{});
  CHECK(resume_hash(forgetful.state) != resume_hash(world.state));
}

}  // namespace device_test
