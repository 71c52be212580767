// Properties of a whole step: events, ledger terms, passes, position correction, memory.
#include "engine/step.hpp"

#include <catch2/catch.hpp>

#include <cmath>

#include "collision/detect.hpp"
#include "engine/ledger.hpp"
#include "engine/state_hash.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/off_centre_hit.hpp"
#include "tests/support/world.hpp"

namespace step_test {

using namespace scree;
using test::off_centre_hit;
using test::Stepper;
using test::World;

namespace {

// A tower that a flying box knocks over: contacts come and go, spins couple.
World knocked_tower() {
  World world;
  world.law() = PairLaw{0.6, 0.2, ImpactLaw::fremond};
  world.add_tower(5);
  world.add_box(Vector3(0.5, 1.0, 0.8), Pose{Vector3(-1.1, 0.1, 3.5), Quaternion::Identity()},
                2300.0, Vector3(6.0, 0.0, 0.0), Vector3(1.0, 2.0, -1.0));
  return world;
}

}  // namespace

TEST_CASE("Body appears at its time with its energy booked as an event", "[engine][unit]") {
  World world;
  world.add_plane();
  BodyDefinition late;
  late.name = "late";
  late.shape = Sphere{0.5, Vector3::Zero()};
  late.mass = 3.0;
  late.appears_at = 0.01;
  late.vanishes_at = 0.05;
  world.add(late, Pose{Vector3(0.0, 0.0, 9.0), Quaternion::Identity()}, Vector3(2.0, 0.0, 0.0));
  Stepper stepper(world);
  stepper.steps(10);
  CHECK(world.state.x[1].x() == 0.0);
  CHECK(world.state.active[1] == 0);
  const StepRecord appeared = stepper.step();  // the step that starts at t = 0.01
  CHECK(world.state.active[1] == 1);
  const double energy = 0.5 * 3.0 * 4.0 + 3.0 * 9.81 * 9.0;
  CHECK(std::abs(appeared.ledger.event_energy - energy) < 1e-12 * energy);
  CHECK(std::abs(world.state.x[1].x() - 2.0 * 1e-3) < 1e-15);
  stepper.steps(39);
  CHECK(world.state.active[1] == 1);
  const StepRecord vanished = stepper.step();
  CHECK(world.state.active[1] == 0);
  CHECK(vanished.ledger.event_energy < -0.9 * energy);
  CHECK(vanished.ledger.kinetic == 0.0);
}

TEST_CASE(
    "Ledger closes for theta above one half with the dissipation of the scheme as its own term",
    "[engine][property]") {
  World world = knocked_tower();
  world.settings.time.theta = 0.7;
  Stepper stepper(world);
  double numerical = 0.0;
  for (int k = 0; k < 400; ++k) {
    const StepRecord& record = stepper.step();
    numerical += record.ledger.numerical_dissipation;
    REQUIRE(std::abs(record.ledger.balance) <= 1e-9 * record.ledger.energy_scale);
  }
  CHECK(numerical < 0.0);
}

TEST_CASE("Ledger increments add up to the energies of the state", "[engine][property]") {
  World world = knocked_tower();
  Stepper stepper(world);
  auto energy = [&world] {
    double sum = 0.0;
    for (std::size_t i = 1; i < world.state.x.size(); ++i) {
      sum += kinetic_energy(world.model, world.state, i) +
             potential_energy(world.model, world.state, i);
    }
    return sum;
  };
  const double before = energy();
  double work = 0.0;
  for (int k = 0; k < 300; ++k) {
    const LedgerRow& row = stepper.step().ledger;
    work += row.contact_normal_work + row.contact_tangential_work + row.numerical_dissipation +
            row.projection_work;
  }
  // round-off of energies near 1e5 J, summed over 300 steps
  CHECK(std::abs(energy() - before - work) < 1e-9 * before);
  CHECK(work < 0.0);
}

TEST_CASE("Contact residual holds at the velocities with the full gyroscopic term",
          "[engine][property]") {
  World world = off_centre_hit(1e-3, ImpactLaw::fremond);
  world.settings.step.solver.tolerance = 1e-10;
  world.state.w[1] *= 20.0;  // strong coupling
  Stepper stepper(world);
  int contacts = 0, passes = 0;
  for (int k = 0; k < 400; ++k) {
    const StepRecord& record = stepper.step();
    REQUIRE(record.converged);
    REQUIRE(record.residual.scaled <= 1e-10);
    contacts += record.contacts > 0 ? 1 : 0;
    passes = std::max(passes, record.passes);
  }
  CHECK(contacts > 0);
  CHECK(passes > 1);
}

TEST_CASE("Projection removes penetration to the slop and leaves velocities alone",
          "[engine][property]") {
  World world;
  world.law() = PairLaw{0.5, 0.0, ImpactLaw::newton};
  world.settings.step.correction = PositionCorrection::projection;
  world.add_plane();
  world.add_box(Vector3::Ones(), Pose{Vector3(0.0, 0.0, 0.49), Quaternion::Identity()});
  world.add_box(Vector3::Ones(), Pose{Vector3(0.1, 0.0, 1.48), Quaternion::Identity()});
  Stepper stepper(world);
  const StepRecord record = stepper.step();
  const double slop = world.settings.step.correction_slop * std::sqrt(3.0);
  // the solver meets `scaled` 1e-6 of pushes near 1 cm
  CHECK(std::abs(world.state.x[1].z() - (0.5 - slop)) < 1e-6);
  CHECK(std::abs(world.state.x[2].z() - (1.5 - 2.0 * slop)) < 1e-6);
  CHECK(world.state.v[1].norm() < 1e-9);
  const double lifted = 2300.0 * 9.81 * ((0.01 - slop) + (0.02 - 2.0 * slop));
  CHECK(std::abs(record.ledger.projection_work - lifted) < 1e-4 * lifted);
  CHECK(std::abs(record.ledger.balance) <= 1e-9 * record.ledger.energy_scale);
}

TEST_CASE("Repeated projection follows a curved wall until no overlap is left",
          "[engine][property]") {
  // A ball in a round wall, 2 cm in the wall and 5 cm in a plane across it. The plane pushes it
  // along the wall, straight on in one projection: that leaves s^2 / (2 (R - r)) of overlap.
  for (const PositionCorrection correction :
       {PositionCorrection::projection, PositionCorrection::repeated}) {
    for (const double way : {0.05, 0.025}) {
      const double radius = 0.2, wall_radius = 1.0, between = wall_radius - radius;
      World world;
      world.law() = PairLaw{0.5, 0.0, ImpactLaw::fremond};
      world.model.gravity.setZero();
      world.settings.step.correction = correction;
      world.settings.step.correction_slop = 0.0;
      BodyDefinition wall;
      wall.name = "wall";
      wall.kind = BodyKind::fixed;
      CylinderWall round;
      round.radius = wall_radius;
      wall.shape = round;
      world.add(wall, Pose{});
      world.add_plane(Vector3::UnitY());
      const Vector3 start(between + 0.02, radius - way, 0.0);
      const auto ball = static_cast<std::size_t>(world.add_sphere(radius, start, 1.0));
      Stepper stepper(world);
      stepper.step();
      const Vector3& x = world.state.x[ball];
      const double in_wall = std::hypot(x.x(), x.y()) - between, in_plane = radius - x.y();
      const double bend = way * way / (2.0 * between);
      INFO("way " << way << ", in the wall " << in_wall << ", in the plane " << in_plane);
      if (correction == PositionCorrection::repeated) {
        CHECK(in_wall < 1e-12);
        CHECK(in_plane < 1e-12);
      } else {
        CHECK(in_wall > 0.3 * bend);
      }
      CHECK(world.state.v[ball].norm() < 1e-12);
      CHECK(std::abs(stepper.record().ledger.balance) < 1e-12);
    }
  }
}

TEST_CASE("Push removes the overlaps of balls that spin at 100 rad/s to the slop",
          "[engine][property]") {
  // The point of a ball that touches does not go round with its spin: h w = 0.1 carried it
  // r (h w)^2 / 2 = 0.25 mm, and as much of every overlap stayed.
  for (const double h : {1e-3, 5e-4}) {
    World world;
    world.law() = PairLaw{0.0, 0.0, ImpactLaw::fremond};
    world.settings.time.dt = h;
    world.settings.step.correction = PositionCorrection::projection;
    world.add_plane();
    const double radius = 0.05, deep = 1e-3;
    const Vector3 spins[] = {{100.0, 0.0, 0.0}, {0.0, -100.0, 0.0}, {60.0, 0.0, 80.0}};
    for (int i = 0; i < 3; ++i) {
      world.add_sphere(radius, Vector3((2.0 * radius - deep) * i, 0.0, radius - deep), 1.0,
                       Vector3::Zero(), spins[i]);
    }
    world.add_sphere(radius, Vector3(radius, 0.0, 2.7 * radius - deep), 1.0, Vector3::Zero(),
                     {0.0, 0.0, 100.0});
    Stepper stepper(world);
    const double slop = world.settings.step.correction_slop * 2.0 * radius;
    bool converged = true;
    for (int k = 0; k < 50; ++k) {
      const StepRecord& record = stepper.step();
      converged = converged && record.projection_converged;
      CHECK(record.projection_residual <= 1e-6);
      double deepest = 0.0;
      for (std::size_t i = 1; i < 5; ++i) {
        deepest = std::max(deepest, radius - world.state.x[i].z());
        for (std::size_t j = i + 1; j < 5; ++j)
          deepest = std::max(deepest, 2.0 * radius - (world.state.x[i] - world.state.x[j]).norm());
      }
      // The solver's 1e-6 of pushes below 2 mm. A push turns the line between two centres by up to
      // 2 mm / 0.1 m, which only parts them further.
      CHECK(deepest <= slop + 2e-9);
    }
    CHECK(converged);
    CHECK(std::abs(world.state.w[1].norm() - 100.0) < 1e-9);
  }
}

TEST_CASE("Step that ran out of sweeps takes a tenth of them for each further solve",
          "[engine][property]") {
  World world = knocked_tower();
  world.settings.step.solver.max_iterations = 20;
  Stepper stepper(world);
  int further = 0;
  for (int i = 0; i < 200; ++i) {
    const StepRecord record = stepper.step();
    if (record.converged || record.iterations < 20) continue;
    further += record.passes > 1 ? 1 : 0;
    CHECK(record.iterations <=
          20 * 2 + (record.passes - 1) * 2);  // one whole solve, as much again in those that met
                                              // the tolerance before it, a tenth in the others
  }
  CHECK(further > 0);
}

TEST_CASE("Push leaves no overlap beyond the slop with a plane, however bodies turn and slide",
          "[engine][property]") {
  // A plane's normal does not turn, so the step's own contacts say exactly how deep it is. Blocks
  // that turn and slide on each other may be left to the next step (project.hpp).
  for (const double h : {1e-3, 5e-4}) {
    World world = knocked_tower();
    world.settings.step.correction = PositionCorrection::projection;
    world.settings.step.correction_slop = 1e-6;
    world.settings.time.dt = h;
    Stepper stepper(world);
    const double slop = 1e-6 * Vector3(0.5, 1.0, 0.8).norm();
    int pushes = 0;
    double excess = 0.0;
    for (int i = 0; i * h < 1.0; ++i) {
      const StepRecord record = stepper.step();
      pushes += record.ledger.projection_work != 0.0 ? 1 : 0;
      for (const auto& overlap : collision::find_overlaps(
               world.model, {world.state.x, world.state.q}, world.state.active, 0.0)) {
        if (overlap.body_a == 0) excess = std::max(excess, overlap.depth - slop);
      }
    }
    CHECK(pushes > 10);
    // the solver's 1e-6 of pushes below 1 cm, and the square of the angle by which a push turns a
    // block: 1 cm / 1 m
    CHECK(excess < 1e-8 + 0.5 * std::pow(0.01, 2));
  }
}

TEST_CASE("Two runs of one scene give the same hash and a change of one bit another",
          "[engine][determinism]") {
  auto hash_after = [](World world) {
    Stepper stepper(world);
    stepper.steps(300);
    return state_hash(world.state);
  };
  const std::string first = hash_after(knocked_tower());
  CHECK(first == hash_after(knocked_tower()));
  World nudged = knocked_tower();
  nudged.state.v[6].x() = std::nextafter(6.0, 7.0);
  CHECK(first != hash_after(nudged));
}

TEST_CASE("Workspace holds nothing that the next step needs", "[engine][determinism]") {
  World kept = knocked_tower(), renewed = knocked_tower();
  Stepper stepper(kept);
  for (int k = 0; k < 300; ++k) {
    stepper.step();
    Stepper(renewed).step();
  }
  CHECK(state_hash(kept.state) == state_hash(renewed.state));
}

TEST_CASE("Warm step of a stack does not allocate", "[engine][property]") {
  World world;
  world.law() = PairLaw{0.6, 0.2, ImpactLaw::fremond};
  world.add_tower(10);
  Stepper stepper(world);
  stepper.steps(10);
  const long before = test::allocations();
  stepper.steps(50);
  CHECK(test::allocations() == before);
}

TEST_CASE("Warm step with rolling resistance does not allocate", "[engine][property]") {
  World world;
  world.law() = PairLaw{0.6, 0.2, ImpactLaw::fremond};
  world.set_rolling(0.1, 0.05);
  world.add_plane();
  for (int i = 0; i < 4; ++i)
    world.add_sphere(0.5, Vector3(1.01 * i, 0.0, 0.5), 1.0, Vector3(2.0 - i, 0.5, 0.0),
                     Vector3(0.0, 3.0, 4.0));
  Stepper stepper(world);
  stepper.steps(200);
  const long before = test::allocations();
  stepper.steps(50);
  CHECK(test::allocations() == before);
}

TEST_CASE("Coordinates far from the origin give the same motion to their own rounding",
          "[engine][property]") {
  World near = knocked_tower(), far = knocked_tower();
  const Vector3 shift(2.6e6, 1.2e6, 500.0);
  for (Vector3& x : far.state.x) x += shift;
  Stepper near_stepper(near), far_stepper(far);
  // The box hits in step 48, and the tower falls: the same features touch in both.
  for (int k = 0; k < 100; ++k) {
    near_stepper.step();
    far_stepper.step();
    REQUIRE(near_stepper.work().contacts.key == far_stepper.work().contacts.key);
  }
  for (std::size_t i = 0; i < near.state.x.size(); ++i) {
    CHECK((far.state.x[i] - shift - near.state.x[i]).norm() <
          3e-8);  // rounded by up to 2.3e-10 in each of 100 steps
  }
}

}  // namespace step_test
