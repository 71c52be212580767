// rest = "clamped", the default: what contacts turn round at every step stops, impacts keep their
// law, and no contact does positive work beyond the tolerance.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "engine/ledger.hpp"
#include "engine/model/record.hpp"
#include "engine/state_hash.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace clamped_rest_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;

Load force(const Vector3& value) {
  Load load;
  load.force = constant_record(value);
  return load;
}

PairLaw law_of(ImpactLaw law, double e, double e_T = 0.0) {
  PairLaw pair{0.5, e, law};
  contact::Laws::number(pair, "e_T") = e_T;
  return pair;
}

// A body on which `press` [N] presses, in a groove of two planes at 45 degrees whose edge is the y
// axis.
World in_groove(const Shape& shape, const Pose& pose, double press, const Vector3& v,
                const Vector3& w_W = Vector3::Zero()) {
  World world;
  world.settings.time.dt = 1e-3;
  world.law() = law_of(ImpactLaw::fremond, 0.0);
  world.add_plane(Vector3(1.0, 0.0, 1.0));
  world.add_plane(Vector3(-1.0, 0.0, 1.0));
  BodyDefinition body;
  body.name = "body";
  body.shape = shape;
  body.density = 2300.0;
  if (press > 0.0) body.loads = {force(Vector3(0.0, 0.0, -press))};
  world.add(body, pose, v, w_W);
  world.model.gravity = Vector3(0.0, 0.0, -g);
  return world;
}

World box_in_groove(double press, double v = 0.3) {
  const double side = 0.2;
  const Quaternion q(Eigen::AngleAxisd(std::numbers::pi / 4.0, Vector3::UnitY()));
  return in_groove(make_box(Vector3::Constant(side)),
                   Pose{Vector3(0.0, 0.0, side / std::sqrt(2.0)), q}, press, Vector3(0.0, v, 0.0));
}

World ball_in_groove(double press) {
  const double radius = 0.1;
  return in_groove(Sphere{radius, Vector3::Zero()},
                   Pose{Vector3(0.0, 0.0, radius * std::sqrt(2.0)), Quaternion::Identity()}, press,
                   Vector3(0.0, 0.3, 0.0), Vector3(0.0, 0.0, 5.0));
}

// A hull with two parallel faces between two plates, of which the upper one presses it.
World hull_between_plates(double press, Rest rest = Rest::clamped) {
  World world;
  world.settings.time.dt = 1e-3;
  world.settings.step.rest = rest;
  world.law() = law_of(ImpactLaw::fremond, 0.0);
  world.add_plane();
  std::vector<Vector3> corners;
  for (int k = 0; k < 7; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / 7.0;
    corners.emplace_back(0.2 * std::cos(angle), 0.2 * std::sin(angle), -0.05);
    corners.emplace_back(0.15 * std::cos(angle + 0.2), 0.15 * std::sin(angle + 0.2), 0.05);
  }
  BodyDefinition hull;
  hull.name = "hull";
  hull.shape = make_convex_polyhedron(corners);
  hull.density = 2300.0;
  const Vector3 centre = mass_properties(hull.shape).centre;
  world.add(hull, Pose{Vector3(0.0, 0.0, 0.05) + centre, Quaternion::Identity()},
            Vector3(0.2, 0.3, 0.0), Vector3(0.0, 0.0, 1.0));
  BodyDefinition plate;
  plate.name = "plate";
  plate.shape = make_box(Vector3(1.0, 1.0, 0.1));
  plate.density = 2300.0;
  plate.loads = {force(Vector3(0.0, 0.0, -press))};
  world.add(plate, Pose{Vector3(0.0, 0.0, 0.15), Quaternion::Identity()});
  return world;
}

double speed_of(const World& world, BodyIndex body) {
  const auto i = static_cast<std::size_t>(body);
  return world.state.v[i].norm() + world.model.radius[i] * world.state.w[i].norm();
}

struct Outcome {
  double speed = 0.0;         // of the body's fastest point at the end [m/s]
  double slip = 0.0;          // largest velocity at a contact that bears, at the end [m/s]
  double moved = 0.0;         // [m] since the eighth step
  double work_allowed = 0.0;  // largest work of a contact over its own bound, impulses of all [-]
  double imbalance = 0.0;     // [-]
  int unconverged = 0;
  std::int64_t passes = 0, turned = 0;
};

// As in rest_test.cpp: the bound is on the whole work of a contact, and the solver's tolerance on
// the norm of all impulses.
double work_over_allowed(const World& world, const Workspace& work) {
  double impulse = 0.0, speed = world.settings.time.dt * work.pull, largest = 0.0;
  for (std::size_t c = 0; c < work.p.size(); ++c) {
    impulse += work.p[c].squaredNorm();
    speed = std::max(speed, work.u_0[c].norm());
    largest = std::max(largest, work.p[c].dot(work.u_theta[c]));
  }
  const double tolerance = world.settings.step.solver.tolerance;
  return impulse > 0.0 ? largest / (10.0 * tolerance * std::sqrt(impulse) * speed) : 0.0;
}

Outcome run(World& world, BodyIndex body, int steps) {
  Stepper stepper(world);
  Outcome outcome;
  Vector3 from = Vector3::Zero();
  for (int k = 0; k < steps; ++k) {
    const StepRecord& record = stepper.step();
    if (k == 7) from = world.state.x[static_cast<std::size_t>(body)];
    outcome.unconverged += record.converged ? 0 : 1;
    outcome.passes += record.passes;
    outcome.imbalance =
        std::max(outcome.imbalance, std::abs(record.ledger.balance) / record.ledger.energy_scale);
    outcome.work_allowed = std::max(outcome.work_allowed, work_over_allowed(world, stepper.work()));
  }
  outcome.speed = speed_of(world, body);
  const Workspace& work = stepper.work();
  for (std::size_t c = 0; c < work.p.size(); ++c) {
    const double theta = contact_theta(work, c);
    const Vector3 end = (work.u_theta[c] - (1.0 - theta) * work.u_0[c]) / theta;
    if (work.p[c].x() > 0.0) outcome.slip = std::max(outcome.slip, end.norm());
  }
  outcome.moved = (world.state.x[static_cast<std::size_t>(body)] - from).norm();
  outcome.turned = world.state.warnings[Warning::turns_back].count;
  return outcome;
}

void check_sound(const Outcome& outcome) {
  CHECK(outcome.unconverged == 0);
  CHECK(outcome.work_allowed <= 1.0);
  CHECK(outcome.imbalance < 1e-12);
}

}  // namespace

TEST_CASE("A box in a groove under a meganewton stops at the fifth turn by default",
          "[engine][analytic]") {
  REQUIRE(Settings().step.rest == Rest::clamped);
  for (const double h : {1e-3, 2.5e-4}) {
    World published = box_in_groove(1e6), world = box_in_groove(1e6);
    published.settings.step.rest = Rest::published;
    for (World* of : {&published, &world}) of->settings.time.dt = h;
    // Of the scheme: what sticks turns 0.3 m/s round, whatever presses, as mu N h / (2 m) is more.
    for (int k = 1; k <= 3; ++k) {
      Stepper piece(published);
      piece.step();
      CHECK(published.state.v[2].y() == Approx(k % 2 == 1 ? -0.3 : 0.3).epsilon(1e-6));
    }
    const Outcome kept = run(published, 2, 297), stops = run(world, 2, 300);
    CHECK(kept.speed == Approx(0.3).epsilon(1e-4));
    CHECK(kept.turned > 0);
    CHECK(test::validated(
        {"Damped rest",
         fmt::format("box in a groove under 1 MN, h = {:g} ms: speed / 0.3 m/s", 1e3 * h), 0.0,
         stops.speed / 0.3, 1e-6, false, "clamped; published keeps it"}));
    CHECK(stops.moved < 1e-9);
    CHECK(stops.turned == 0);
    CHECK(stops.passes <= 300 + 20);
    check_sound(stops);
  }
}

TEST_CASE("What is clamped in other ways stops, and turns back for ever under the published law",
          "[engine][property]") {
  struct Case {
    const char* name;
    std::function<World(double)> make;
    BodyIndex body;
  };
  const Case cases[] = {
      {"ball in a groove", ball_in_groove, 2},
      {"hull between plates", [](double press) { return hull_between_plates(press); }, 1}};
  for (const Case& each : cases) {
    for (const Frames frames : {Frames::start, Frames::middle}) {
      INFO(each.name << ", frames " << static_cast<int>(frames));
      World published = each.make(2e5), world = each.make(2e5);
      published.settings.step.rest = Rest::published;
      for (World* of : {&published, &world}) of->settings.step.frames = frames;
      const Outcome kept = run(published, each.body, 300), stops = run(world, each.body, 300);
      CHECK(kept.slip > 0.1);
      CHECK(kept.turned > 0);
      CHECK(stops.slip < 10.0 * g * world.settings.time.dt);  // the ball rolls on
      CHECK(stops.turned == 0);
      check_sound(stops);
    }
  }
}

TEST_CASE("Restitution of clamped bodies: what turns back stops, or falls by e in each step",
          "[engine][property]") {
  for (const double e : {0.2, 0.8}) {
    World world = box_in_groove(1e6);
    world.law() = law_of(ImpactLaw::fremond, e);
    const Outcome stops = run(world, 2, 300);
    INFO("e = " << e);
    CHECK(stops.speed < 10.0 * g * world.settings.time.dt);
    CHECK(stops.turned == 0);
    check_sound(stops);
  }
}

TEST_CASE("A box clamped against a table that shakes stops, or the run warns of it",
          "[engine][property]") {
  // Relative to the plates it turns back at every step, while its own mean velocity is theirs. A
  // moving table has the scene's theta, so where friction is locked in, the law stays as it stands.
  for (const Rest rest : {Rest::published, Rest::clamped}) {
    World world;
    world.settings.time.dt = 1e-3;
    world.settings.step.rest = rest;
    world.law() = law_of(ImpactLaw::fremond, 0.0);
    for (const double z : {-0.1, 0.3}) {
      BodyDefinition plate;
      plate.name = z < 0.0 ? "lower" : "upper";
      plate.shape = make_box(Vector3(2.0, 2.0, 0.2));
      plate.density = 2300.0;
      if (z < 0.0) {
        plate.kind = BodyKind::driven;
        plate.history.kind = HistoryKind::velocity;
        for (int k = 0; k <= 40; ++k) {
          plate.history.time.push_back(0.025 * k);
          plate.history.linear.push_back(Vector3(0.5 * std::sin(0.5 * k), 0.0, 0.0));
          plate.history.angular.push_back(Vector3::Zero());
        }
      } else {
        plate.loads = {force(Vector3(0.0, 0.0, -1e6))};
      }
      world.add(plate, Pose{Vector3(0.0, 0.0, z), Quaternion::Identity()});
    }
    const BodyIndex box =
        world.add_box(Vector3::Constant(0.2), Pose{Vector3(0.0, 0.0, 0.1), Quaternion::Identity()},
                      2300.0, Vector3(0.0, 0.4, 0.0));
    const Outcome outcome = run(world, box, 200);
    const double against = (world.state.v[2] - world.state.v[0]).norm();
    CHECK((against < 10.0 * g * world.settings.time.dt || outcome.turned > 0));
    if (rest == Rest::published) CHECK(against > 0.1);
    check_sound(outcome);
  }
}

TEST_CASE("Impacts, sliding, rocking and rest on the ground keep the published law bit for bit",
          "[engine][determinism]") {
  const auto tower = [] {
    World world;
    world.law() = law_of(ImpactLaw::fremond, 0.2);
    world.add_tower(3);
    world.state.v[3] = Vector3(1.0, 0.3, 0.0);
    world.add_sphere(0.3, Vector3(0.0, -3.0, 2.5), 400.0, Vector3(0.0, 12.0, 0.0),
                     Vector3(7.0, -11.0, 3.0));
    return world;
  };
  const auto rocking = [] {
    World world;
    world.law() = law_of(ImpactLaw::fremond, 0.0);
    world.add_plane();
    world.add_box(Vector3(0.5, 1.0, 2.0), Pose{Vector3(0.0, 0.0, 1.0), Quaternion::Identity()},
                  2300.0, Vector3(0.5, 0.0, 0.1), Vector3(0.0, 0.5, 0.0));
    return world;
  };
  const auto superball = [] {  // sticks in each impact, askew
    World world;
    world.law() = PairLaw{1.0, 0.9, ImpactLaw::fremond};
    world.add_plane();
    world.add_sphere(0.1, Vector3(0.0, 0.0, 0.3), 1.0, Vector3(1.0, 0.0, 0.0),
                     Vector3(0.0, 30.0, 5.0));
    return world;
  };
  for (const std::function<World()>& make :
       {std::function<World()>(tower), std::function<World()>(rocking),
        std::function<World()>(superball)}) {
    World published = make(), world = make();
    published.settings.step.rest = Rest::published;
    Stepper(published).steps(500);
    Stepper(world).steps(500);
    CHECK(state_hash(published.state) == state_hash(world.state));
  }
}

TEST_CASE("What strikes a clamped box does so under the published law", "[engine][analytic]") {
  // At rest in the groove until a ball strikes it: the step of the impact is the published one.
  const auto struck = [](Rest rest) {
    World world = box_in_groove(1e6, 0.0);
    world.settings.step.rest = rest;
    world.add_sphere(0.05, Vector3(0.0, -0.35, 0.2 / std::sqrt(2.0)), 5.0, Vector3(0.0, 10.0, 0.0));
    return world;
  };
  World published = struck(Rest::published), world = struck(Rest::clamped);
  Stepper of_published(published), of_world(world);
  int same = 0;
  bool hit = false;
  for (int k = 0; k < 40 && !hit; ++k) {
    of_published.step();
    of_world.step();
    REQUIRE(state_hash(published.state) == state_hash(world.state));
    ++same;
    hit = world.state.v[3].y() < 5.0;
  }
  CHECK(hit);
  CHECK(same >= 19);
}

TEST_CASE(
    "moreau with e_T = 1 is the published law of a clamped body bit for bit, and is warned of",
    "[engine][determinism]") {
  World fremond = box_in_groove(2e5), moreau = box_in_groove(2e5);
  fremond.settings.step.rest = Rest::published;
  moreau.law() = law_of(*contact::Laws::named("moreau"), 0.0, 1.0);
  const Outcome published = run(fremond, 2, 200), same = run(moreau, 2, 200);
  CHECK(state_hash(fremond.state) == state_hash(moreau.state));
  CHECK(published.turned > 0);
  CHECK(same.turned == published.turned);
  // Any e_T below 1 takes its share at every step.
  World less = box_in_groove(2e5);
  less.law() = law_of(*contact::Laws::named("moreau"), 0.0, 0.9);
  CHECK(run(less, 2, 200).speed < 10.0 * g * less.settings.time.dt);
}

TEST_CASE("Bodies that were turned back are part of a state", "[engine][determinism]") {
  World whole = box_in_groove(1e6), pieces = box_in_groove(1e6);
  Stepper stepper(whole);
  bool any = false;
  for (int k = 0; k < 12; ++k) {
    stepper.step();
    Stepper(pieces).step();  // new scratch memory at every step
    any = any || !whole.state.turned_back.empty();
    CHECK(state_hash(whole.state) == state_hash(pieces.state));
    CHECK(whole.state.turned_back == pieces.state.turned_back);
  }
  CHECK(any);
  CHECK(whole.state.turned_back.empty());
}

TEST_CASE("Random bodies clamped at random stop, and no contact does positive work",
          "[engine][property]") {
  for (unsigned seed = 0; seed < 24; ++seed) {
    test::RandomShapes random(seed);
    const double press = std::pow(10.0, random.uniform(4.0, 6.0));
    World world = hull_between_plates(press);
    world.settings.time.dt = seed % 2 == 0 ? 1e-3 : 4e-4;
    world.settings.step.frames = seed % 3 == 0 ? Frames::middle : Frames::start;
    world.law() = PairLaw{random.uniform(0.2, 1.2), random.uniform(0.0, 0.7), ImpactLaw::fremond};
    world.state.v[1] = Vector3(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0.0);
    world.state.w[1] = Vector3(0.0, 0.0, random.uniform(-2.0, 2.0));
    // A second box under the plate, which moves its own way.
    world.add_box(Vector3(0.1, 0.2, 0.1), Pose{Vector3(0.35, 0.0, 0.05), Quaternion::Identity()},
                  2300.0, Vector3(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0.0));
    const Outcome outcome = run(world, 1, 300);
    INFO("seed " << seed << ", press " << press << ", slip " << outcome.slip);
    check_sound(outcome);
    CHECK(outcome.slip < 10.0 * g * world.settings.time.dt);
  }
}

}  // namespace clamped_rest_test
