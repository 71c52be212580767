// What rides on driven bodies that turn stays where it is, and walls that turn or jump are seen in
// time.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace turning_table_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

struct Ride {
  Vector3 axis = Vector3::UnitZ();  // of the spin
  double spin = 10.0;               // [rad/s]
  double h = 1e-3;                  // [s]
  double theta = 0.5;
  ImpactLaw law = ImpactLaw::fremond;
  RotationUpdate update = RotationUpdate::cayley;
  double e = 0.0;
  bool starts_at_rest = false;  // the spin grows from 0 within half a second
  Frames frames = Frames::start;
};

struct Stay {
  double place = 0.0,
         turn = 0.0;  // [m], [rad] largest way from where it was at the start, seen from the table
  double balance = 0.0;  // of the ledger, relative
  double speed = 0.0;    // [m/s] largest of the block
  bool converged = true;
};

// A block at 5 cm from the axis of a table, with friction enough to stay.
Stay ride(const Ride& how, double seconds) {
  World world;
  world.law() = PairLaw{2.0, how.e, how.law};
  world.settings.time.dt = how.h;
  world.settings.time.theta = how.theta;
  world.settings.step.rotation = how.update;
  world.settings.step.frames = how.frames;
  world.settings.step.solver.tolerance = 1e-12;
  const Vector3 w = how.spin * how.axis.normalized();
  BodyDefinition table;
  table.name = "table";
  table.kind = BodyKind::driven;
  table.shape = make_box(Vector3(0.4, 0.4, 0.1));
  table.history = {HistoryKind::velocity, {}, {0.0}, {Vector3(0.02, -0.01, 0.0)}, {w}};
  if (how.starts_at_rest) {
    table.history.time = {0.0, 0.4999};
    table.history.linear.push_back(Vector3(0.02, -0.01, 0.0));
    table.history.angular = {Vector3::Zero(), w};
  }
  const Vector3 arm(0.05, 0.01, 0.06), spin = how.starts_at_rest ? Vector3(Vector3::Zero()) : w;
  world.add(table, Pose{Vector3(0.0, 0.0, -0.05), Quaternion::Identity()},
            Vector3(0.02, -0.01, 0.0), spin);
  const Quaternion yaw(Eigen::AngleAxisd(0.3, Vector3::UnitZ()));
  world.add_box(Vector3(0.03, 0.02, 0.02), Pose{Vector3(0.0, 0.0, -0.05) + arm, yaw}, 2300.0,
                Vector3(0.02, -0.01, 0.0) + spin.cross(arm), spin);
  const State& state = world.state;
  const auto seen = [&] {
    return Pose{state.q[0].conjugate() * (state.x[1] - state.x[0]),
                state.q[0].conjugate() * state.q[1]};
  };
  const Pose start = seen();
  Stepper stepper(world);
  Stay stay;
  for (int k = 0; k < static_cast<int>(std::lround(seconds / how.h)); ++k) {
    const StepRecord& record = stepper.step();
    stay.converged = stay.converged && record.converged;
    stay.balance =
        std::max(stay.balance, std::abs(record.ledger.balance) / record.ledger.energy_scale);
    const Pose now = seen();
    stay.place = std::max(stay.place, (now.x - start.x).norm());
    stay.turn = std::max(stay.turn, 2.0 * (start.q.conjugate() * now.q).vec().norm());
    stay.speed = std::max(stay.speed, state.v[1].norm());
  }
  return stay;
}

// [m] By how much the deepest contact of any step was deeper than at the start.
double deepest(World& world, int steps) {
  Stepper stepper(world);
  double depth = 0.0;
  for (int k = 0; k < steps; ++k) depth = std::max(depth, stepper.step().max_penetration);
  return depth;
}

BodyDefinition driven_wall(const Shape& shape, const MotionHistory& history) {
  BodyDefinition wall;
  wall.name = "wall";
  wall.kind = BodyKind::driven;
  wall.shape = shape;
  wall.history = history;
  return wall;
}

}  // namespace

TEST_CASE("Block that sticks on a table turning at 10 rad/s stays for 20 s", "[engine][analytic]") {
  // Speeds are good to the tolerance, 1e-12 of those that g gives in a step, and to round-off of
  // 0.5 m/s; 20 s of it.
  for (const double h : {2e-3, 1e-3}) {
    Ride how;
    how.h = h;
    how.frames = Frames::middle;
    const Stay middle = ride(how, 20.0);
    const std::string name =
        "block on a table at 10 rad/s for 20 s, h = " + test::digits(h) + " s: ";
    CHECK(middle.converged);
    CHECK(test::validated({"Driven supports", name + "way on the table, frames middle [m]", 0.0,
                           middle.place, 1e-9, false, "it sticks"}));
    CHECK(middle.turn < 1e-9);
    CHECK(middle.balance < 1e-12);
    how.frames = Frames::start;
    const Stay stay = ride(how, 20.0);
    CHECK(stay.converged);
    CHECK(test::validated({"Driven supports", name + "way on the table [m]", 0.0, stay.place, 1e-9,
                           false, "it sticks"}));
    CHECK(test::validated({"Driven supports", name + "turn on the table [rad]", 0.0, stay.turn,
                           1e-9, false, "it sticks"}));
    CHECK(test::validated({"Driven supports", name + "balance of the ledger, rel.", 0.0,
                           stay.balance, 1e-12, false, "energy"}));
    CHECK(stay.speed > 0.4);
  }
}

TEST_CASE("What sticks on a turning table stays under every law, weight and rotation update",
          "[engine][analytic]") {
  // `newton` starts with the velocity of t_0 instead of that of a step before: it then goes from
  // its place by (1 - theta) h times the difference of the two, once.
  for (const double h : {4e-3, 2e-3}) {
    for (const double theta : {0.5, 0.7}) {
      for (const RotationUpdate update : {RotationUpdate::cayley, RotationUpdate::exponential}) {
        for (const double e : {0.0, 0.3}) {
          for (const bool starts_at_rest : {false, true}) {
            Ride how{Vector3::UnitZ(),   12.0,   h, theta,
                     ImpactLaw::fremond, update, e, starts_at_rest};
            CAPTURE(h, theta, static_cast<int>(update), e, starts_at_rest);
            const Stay stuck = ride(how, 2.0);
            CHECK(stuck.place < 1e-9);
            CHECK(stuck.turn < 1e-9);
            CHECK(stuck.balance < 1e-12);
            how.frames = Frames::middle;
            const Stay middle = ride(how, 2.0);
            // While the spin grows the two turns of a step are of unequal spins, whose half angles'
            // tangents add up to those of their mean but for (h w)^3.
            const double grown = starts_at_rest ? 15.0 * h * h * h : 0.0;
            CHECK(middle.place < 1e-9 + 0.06 * grown);
            CHECK(middle.turn < 1e-9 + grown);
            CHECK(middle.balance < 1e-12);
            how.frames = Frames::start;
            how.law = ImpactLaw::newton;
            const Stay newton = ride(how, 2.0), longer = ride(how, 4.0);
            CHECK(newton.place < 0.5 * h * h * 12.0 * 12.0 * 0.06);
            CHECK(longer.place < newton.place + 1e-6 * h);  // once, not ever again
          }
        }
      }
    }
  }
}

TEST_CASE("Block on a table that tilts and turns at once stays", "[engine][analytic]") {
  for (const double h : {2e-3, 1e-3}) {
    Ride how;
    how.axis = Vector3(0.3, -0.2, 1.0);
    how.spin = 3.0;
    how.h = h;
    const Stay stay = ride(how, 0.15);  // tilts by 10 degrees or so
    const std::string name =
        "block on a table that tilts for 0.15 s, h = " + test::digits(h) + " s: way on the table";
    CHECK(test::validated(
        {"Driven supports", name + " [m]", 0.0, stay.place, 1e-9, false, "it sticks"}));
    // Velocities that turn round about the steady one, by omega (h omega)^2 / 12, lean into the
    // normal as the table tilts.
    CHECK(stay.turn < 1e-8);
    CHECK(stay.balance < 1e-12);
    how.frames = Frames::middle;
    // The spins of the two turns of a step differ by h times what the inertia does to them: of
    // order two, (h w)^2 w t / 16 or less.
    const Stay middle = ride(how, 0.15);
    CHECK(test::validated({"Driven supports", name + ", frames middle [m]", 0.0, middle.place,
                           1e-9 + 0.06 * h * h * 27.0 * 0.15 / 16.0, false, "order 2 in h"}));
    CHECK(middle.turn < 1e-8 + h * h * 27.0 * 0.15 / 16.0);
    CHECK(middle.balance < 1e-12);
  }
}

TEST_CASE("Half-space that turns far off meets a ball in time", "[engine][analytic]") {
  // At 0.5 rad/s and 100 m the plane comes at 50 m/s, 50 mm a step. A ball has to be caught at
  // once: what is left is the bend of the plane's path, r (h w)^2 / 2, and the change of the ball's
  // own motion.
  for (const double h : {1e-3, 5e-4}) {
    World world;
    world.law() = PairLaw{0.0, 0.0, ImpactLaw::newton};
    world.settings.time.dt = h;
    world.model.gravity.setZero();
    const MotionHistory turn{
        HistoryKind::velocity, {}, {0.0}, {Vector3::Zero()}, {Vector3(0.0, -0.5, 0.0)}};
    world.add(driven_wall(HalfSpace{Vector3::UnitZ(), 0.0}, turn), Pose{}, Vector3::Zero(),
              Vector3(0.0, -0.5, 0.0));
    world.add_sphere(0.01, Vector3(100.0, 0.0, 2.0), 0.01);
    CHECK(deepest(world, static_cast<int>(std::lround(0.06 / h))) < 100.0 * std::pow(0.5 * h, 2));
    CHECK(world.state.v[1].z() > 40.0);
  }
}

TEST_CASE("Plate that jumps to 50 m/s pushes a ball in the step of its jump",
          "[engine][analytic]") {
  // 10 mm of plate go 25 to 50 mm in the first step. The ball is 4 mm ahead: it leaves with the
  // plate's speed, (1 + e) of it, and is never inside by more than what the impact itself does: at
  // e = 0 it lags half a step of the jump, h v / 2, at most.
  for (const double h : {1e-3, 5e-4}) {
    for (const double e : {0.0, 0.5}) {
      for (const double early : {0.0, 0.3}) {  // share of a step at which it jumps
        World world;
        world.law() = PairLaw{0.3, e, ImpactLaw::fremond};
        world.settings.time.dt = h;
        world.settings.step.solver.tolerance = 1e-12;
        world.model.gravity.setZero();
        const double jump = (10.0 + early) * h;
        const MotionHistory history{HistoryKind::velocity,
                                    {},
                                    {jump, jump + 1e-9},
                                    {Vector3::Zero(), Vector3(0.0, 0.0, 50.0)},
                                    {Vector3::Zero(), Vector3::Zero()}};
        world.add(driven_wall(make_box(Vector3(1.0, 1.0, 0.01)), history),
                  Pose{Vector3(0.0, 0.0, -0.005), Quaternion::Identity()});
        const double radius = 0.02;
        world.add_sphere(radius, Vector3(0.013, -0.021, radius + 0.004), 0.1);
        Stepper stepper(world);
        double deepest = 0.0, slowest = 50.0;
        for (int k = 0; k < 40; ++k) {
          stepper.step();
          const double gap = world.state.x[1].z() - radius - (world.state.x[0].z() + 0.005);
          deepest = std::max(deepest, -gap);
          if (k > 11) slowest = std::min(slowest, world.state.v[1].z());
        }
        CAPTURE(h, e, early, deepest, slowest);
        CHECK(deepest <= 0.5 * h * 50.0 + 1e-12);
        CHECK(slowest >= 50.0 * (1.0 - 1e-9));
        CHECK(world.state.x[1].z() > world.state.x[0].z() + 0.005);
      }
    }
  }
}

}  // namespace turning_table_test
