// Contact geometry seen from the dynamics: nearly flush faces, joints between coplanar supports,
// large mass ratios.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace geometry_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;

BodyIndex add_fixed_box(World& world, const Vector3& sides, const Pose& pose) {
  BodyDefinition box;
  box.name = "fixed" + std::to_string(world.model.n_bodies());
  box.kind = BodyKind::fixed;
  box.shape = make_box(sides);
  return world.add(box, pose);
}

}  // namespace

TEST_CASE("Gaps of nearly flush faces follow the tilt continuously", "[engine][analytic]") {
  // Corner heights over the slab are the closed form; nothing jumps where a face contact might turn
  // into an edge contact.
  for (double tilt = 1e-9; tilt < 1.5e-3; tilt *= 3.0) {
    World world;
    world.settings.time.dt = 1e-2;  // looks 1 mm ahead
    add_fixed_box(world, Vector3(3.0, 3.0, 1.0),
                  Pose{Vector3(0.0, 0.0, -0.5), Quaternion::Identity()});
    const Quaternion q(Eigen::AngleAxisd(tilt, Vector3(1.0, 0.6, 0.0).normalized()));
    world.add_box(Vector3::Ones(), Pose{Vector3(0.0, 0.0, 0.5), q});
    Stepper stepper(world);
    stepper.step();
    const ContactSet& contacts = stepper.work().contacts;
    std::vector<double> expected, got(contacts.gap.begin(), contacts.gap.end());
    for (const double x : {-0.5, 0.5}) {
      for (const double y : {-0.5, 0.5}) expected.push_back(0.5 + (q * Vector3(x, y, -0.5)).z());
    }
    std::sort(expected.begin(), expected.end());
    std::sort(got.begin(), got.end());
    INFO("tilt " << tilt);
    REQUIRE(got.size() == 4);
    double worst = 0.0;
    for (std::size_t i = 0; i < 4; ++i) worst = std::max(worst, std::abs(got[i] - expected[i]));
    // measured along the cube's or the slab's normal: cos(tilt) apart, tilt^2 / 2 of gaps of 1.2
    // tilt; and round-off
    CHECK(
        test::validated({"Geometry",
                         "cube on a slab, tilted by " + test::digits(tilt, 3) +
                             " rad: gaps of the four corners, largest error [m]",
                         0.0, worst, tilt * tilt * tilt + 1e-15, false, "heights of the corners"}));
  }
}

namespace {

enum class Floor { half_space, one_box, many_boxes };

void add_floor(World& world, Floor floor) {
  if (floor == Floor::half_space) world.add_plane();
  if (floor == Floor::one_box) {
    add_fixed_box(world, Vector3(12.0, 4.0, 1.0),
                  Pose{Vector3(4.0, 0.0, -0.5), Quaternion::Identity()});
  }
  if (floor != Floor::many_boxes) return;
  for (int i = 0; i < 1000;
       ++i) {  // 50 along, 20 across; the block starts 2 cm before the next joint
    const Vector3 centre(0.2 * (i / 20) - 1.08, 0.2 * (i % 20) - 1.87, -0.05);
    add_fixed_box(world, Vector3(0.2, 0.2, 0.1), Pose{centre, Quaternion::Identity()});
  }
}

// How the block is kept moving against friction.
enum class Drive {
  slope,  // gravity leans so far that it balances friction: nothing holds the speed, every error
          // stays
  push    // a driven plate behind it
};

struct Slide {
  Drive drive;
  double speed, distance, h;
  double start = 0.0;  // of the block's centre; its front and rear edges reach joints at 0.02 m
  double tolerance = 1e-12;
  double sunk = 0.0;  // into the floor, all the way
};

// The plate is smooth. Could it also carry friction, nothing would say how much of the block's
// weight hangs on it: its contacts drift to the edge of their cones without slipping, where every
// iteration crawls (up to 50 000 sweeps a step instead of 240). Its face is larger than the
// block's, so its own normal is that of the contacts: the block's would turn with the block.
void add_pusher(World& world, const Slide& slide) {
  const PairLaw stone = world.law();
  PairLaw smooth = stone;
  smooth.mu = 0.0;
  world.model.materials.name = {"stone", "smooth"};
  world.model.materials.pair_law = {stone, smooth, smooth, smooth};
  BodyDefinition plate;
  plate.name = "plate";
  plate.kind = BodyKind::driven;
  plate.shape = make_box(Vector3(0.1, 0.6, 0.15));
  plate.material = 1;
  plate.history = {
      HistoryKind::velocity, {}, {0.0}, {Vector3(slide.speed, 0.0, 0.0)}, {Vector3::Zero()}};
  world.add(plate, Pose{Vector3(slide.start - 0.25, 0.0, 0.1), Quaternion::Identity()},
            Vector3(slide.speed, 0.0, 0.0));
}

// Positions [m] and rotation vectors [rad] of the block, step by step: six numbers each.
std::vector<double> sliding_path(Floor floor, const Slide& slide) {
  World world;
  const double mu = 0.3;
  world.law() = PairLaw{mu, 0.0, ImpactLaw::fremond};
  world.settings.time.dt = slide.h;
  world.settings.step.solver.tolerance = slide.tolerance;
  world.model.gravity = Vector3(slide.drive == Drive::slope ? mu * g : 0.0, 0.0, -g);
  add_floor(world, floor);
  const auto block = static_cast<std::size_t>(
      world.add_box(Vector3(0.4, 0.3, 0.2),
                    Pose{Vector3(slide.start, 0.0, 0.1 - slide.sunk), Quaternion::Identity()},
                    2300.0, Vector3(slide.speed, 0.0, 0.0)));
  if (slide.drive == Drive::push) add_pusher(world, slide);
  const Quaternion start = world.state.q[block];
  Stepper stepper(world);
  std::vector<double> path;
  for (int k = 0; k < static_cast<int>(std::lround(slide.distance / (slide.speed * slide.h)));
       ++k) {
    stepper.step();
    const Vector3& x = world.state.x[block];
    const Eigen::AngleAxisd turn(world.state.q[block] * start.conjugate());
    const Vector3 angle = turn.angle() * turn.axis();
    path.insert(path.end(), {x.x(), x.y(), x.z(), angle.x(), angle.y(), angle.z()});
  }
  return path;
}

void check_floors(const Slide& slide) {
  const std::vector<double> plane = sliding_path(Floor::half_space, slide);
  CHECK(std::abs(plane[plane.size() - 6] - slide.start - slide.distance) < 1e-8);  // constant speed
  for (const Floor floor : {Floor::one_box, Floor::many_boxes}) {
    const std::vector<double> path = sliding_path(floor, slide);
    REQUIRE(path.size() == plane.size());
    double apart = 0.0, turned = 0.0;
    for (std::size_t i = 0; i < path.size(); ++i) {
      double& of = i % 6 < 3 ? apart : turned;
      of = std::max(of, std::abs(path[i] - plane[i]));
    }
    const std::string name =
        "block sliding " + test::digits(slide.distance) + " m at " + test::digits(slide.speed) +
        " m/s, h = " + test::digits(slide.h) + " s, " +
        (slide.sunk > 0.0 ? test::digits(slide.sunk) + " m deep, on " : "on ") +
        (floor == Floor::one_box ? "one box" : "1000 coplanar boxes") + ": ";
    CHECK(test::validated({"Geometry", name + "distance from its path on a plane [m]", 0.0, apart,
                           1e-8, false, "same surface"}));
    CHECK(test::validated({"Geometry", name + "angle from its orientation on a plane [rad]", 0.0,
                           turned, 1e-8, false, "same surface"}));
  }
}

}  // namespace

TEST_CASE("Block slides over the joints of coplanar boxes as over a plane", "[engine][property]") {
  check_floors({Drive::slope, 1.0, 5.0, 5e-3});
  // as deep as a landing may leave it: the next box's side is in its way by more than an edge, and
  // still no side to hit
  check_floors({Drive::slope, 1.0, 1.0, 5e-3, 0.0, 1e-12, 2e-5});
  check_floors({Drive::push, 1e-3, 0.05, 0.1, 0.0, 2e-11});
  check_floors(
      {Drive::push, 1e-3, 1e-3, 1e-3, 0.0195, 2e-11});  // over the joints at a micrometre a step
}

TEST_CASE("Block creeps five metres over the joints of coplanar boxes as over a plane",
          "[engine][property][slow]") {
  // 5000 s. Forces are constant, so the scheme is exact for any step; at 0.1 s the block takes 2000
  // steps for each box, and sees h^2 g = 0.1 m ahead, the boxes under it and their neighbours. At
  // so low a speed the solver goes on to a twentieth of the tolerance, 1e-12, which allows
  // velocities of about 1e-12 g h. Nothing takes these back: if all of one sign, 1e-12 g h * 5000 s
  // = 5e-9 m.
  check_floors({Drive::push, 1e-3, 5.0, 0.1, 0.0, 2e-11});
}

namespace {

struct Spin {
  std::vector<double> turn;  // [rad] step by step
  double law = 0.0;  // change of the spin in a step less what the law makes of the points and their
                     // normal impulses, rel.
  double weight = 0.0;  // sum of the normal impulses over m g h, less 1
  int most_contacts = 0;
};

// A block that turns on the spot about the vertical, from 3 rad/s.
Spin spinning_block(Floor floor) {
  const double h = 1e-3, mu = 0.3;
  World world;
  world.law() = PairLaw{mu, 0.0, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-12;
  add_floor(world, floor);
  const auto block = static_cast<std::size_t>(
      world.add_box(Vector3(0.4, 0.3, 0.2), Pose{Vector3(0.0, 0.0, 0.1), Quaternion::Identity()},
                    2300.0, Vector3::Zero(), Vector3(0.0, 0.0, 3.0)));
  const double mass = 2300.0 * 0.4 * 0.3 * 0.2, inertia = mass * (0.4 * 0.4 + 0.3 * 0.3) / 12.0;
  const auto spin_z = [&] { return (world.state.q[block] * world.state.w[block]).z(); };
  Stepper stepper(world);
  Spin result;
  double turn = 0.0;
  for (int k = 0; k < 80; ++k) {
    const double before = spin_z();
    const Vector3 v = world.state.v[block];
    REQUIRE(stepper.step().converged);
    const double w_mean = 0.5 * (before + spin_z());
    const Vector3 v_mean = 0.5 * (v + world.state.v[block]);
    double moment = 0.0, normal = 0.0;
    const contact::BodyProblem& problem = stepper.work().problem;
    for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
      const Vector3 arm = problem.r_b_W[c];
      const Vector3 slip(v_mean.x() - w_mean * arm.y(), v_mean.y() + w_mean * arm.x(), 0.0);
      const Vector3 p = stepper.work().p[c];
      REQUIRE(p.tail<2>().norm() <= mu * p.x() * (1.0 + 1e-9));
      // a contact about which the block pivots sticks: any friction in the cone; the others oppose
      // their slip
      const Vector3 friction = slip.norm() < 1e-9
                                   ? Vector3(problem.R_WC[c] * Vector3(0.0, p.y(), p.z()))
                                   : Vector3(-mu * p.x() * slip.normalized());
      moment += arm.cross(friction).z();
      normal += p.x();
    }
    result.law =
        std::max(result.law, std::abs(inertia * (spin_z() - before) - moment) / std::abs(moment));
    result.weight = std::max(result.weight, std::abs(normal / (mass * g * h) - 1.0));
    result.most_contacts = std::max(result.most_contacts, static_cast<int>(problem.n_contacts()));
    turn += h * w_mean;
    result.turn.push_back(turn);
  }
  return result;
}

}  // namespace

TEST_CASE("Block turns on fixed coplanar boxes as on a plane", "[engine][analytic]") {
  // Rigid bodies leave open how the weight is shared among more than three points, and friction's
  // moment about the vertical depends on it: four corners at the distance r take mu m g r, points
  // nearer to the centre less.
  const Spin plane = spinning_block(Floor::half_space), slab = spinning_block(Floor::one_box),
             boxes = spinning_block(Floor::many_boxes);
  const double r = 0.25, gyration = 0.25 / 12.0, rate = 0.3 * g * r / gyration,
               t = 0.08;  // hypot(0.2, 0.15); (0.4^2 + 0.3^2) / 12
  CHECK(test::validated({"Geometry", "block turning on a plane, 0.08 s: angle [rad]",
                         3.0 * t - 0.5 * rate * t * t, plane.turn.back(), 1e-9, false,
                         "friction mu m g r at the corners"}));
  double apart = 0.0;
  for (std::size_t k = 0; k < plane.turn.size(); ++k)
    apart = std::max(apart, std::abs(slab.turn[k] - plane.turn[k]));
  CHECK(test::validated(
      {"Geometry", "block turning on one box, 0.08 s: distance from its angle on a plane [rad]",
       0.0, apart, 1e-9, false, "same points"}));
  CHECK(plane.most_contacts == 4);
  // Flush faces of fixed bodies are one face: joints bear nothing. A corner on a joint touches two.
  CHECK(boxes.most_contacts <= 8);
  double joints = 0.0;
  for (std::size_t k = 0; k < plane.turn.size(); ++k)
    joints = std::max(joints, std::abs(boxes.turn[k] - plane.turn[k]));
  CHECK(test::validated({"Geometry",
                         "block turning on 1000 fixed coplanar boxes, 0.08 s: distance from its "
                         "angle on a plane [rad]",
                         0.0, joints, 1e-9, false, "same points"}));
  for (const Spin* spin : {&plane, &slab, &boxes}) {
    CAPTURE(spin->most_contacts);
    CHECK(spin->law < 1e-9);  // the residual, 1e-12, at slips down to a thousandth of the corners'
    CHECK(spin->weight < 1e-9);
  }
}

namespace {

// Largest violation of the contact law over the contacts of the last step as an impulse, relative
// to all impulses together; velocities count as the impulse that gives them to a body of mass
// `lightest`.
double law_violation(const Stepper& stepper, double lightest) {
  const contact::BodyProblem& problem = stepper.work().problem;
  double sum = 0.0, worst = 0.0;
  for (const Vector3& p : stepper.work().p) sum += p.norm();
  for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
    const Vector3 p = stepper.work().p[c];
    // The end spin in the body axes of t_k, where the law holds: those of t_{k+1} have turned by h
    // w_theta.
    const Velocities& end = stepper.work().end;
    const Vector3 w = contact::local_velocity(problem, c, end.v, end.w_W) + problem.bias[c];
    const double speed = sum / lightest;
    const Vector3 shifted = w + Vector3(problem.mu[c] * w.tail<2>().norm(), 0.0, 0.0);
    worst = std::max({worst, -p.x() / sum, (p.tail<2>().norm() - problem.mu[c] * p.x()) / sum,
                      -w.x() / speed, std::abs(shifted.dot(p)) / (sum * speed)});
  }
  return worst;
}

}  // namespace

TEST_CASE("Rock of three hundred tonnes on light blocks obeys the law or says that it does not",
          "[engine][property]") {
  for (const double h : {1e-3, 5e-4}) {
    World world;
    world.law() = PairLaw{0.6, 0.2, ImpactLaw::fremond};
    world.settings.time.dt = h;
    world.settings.step.solver.tolerance = 1e-6;
    world.add_plane();
    for (int course = 0; course < 3; ++course) {
      for (int i = 0; i < 4; ++i) {
        const double y = 2.0 * i - 3.0 + (course % 2 == 1 ? 1.0 : 0.0);
        world.add_box(Vector3(1.0, 2.0, 1.0),
                      Pose{Vector3(0.0, y, 0.5 + course), Quaternion::Identity()}, 2500.0);
      }
    }
    test::RandomShapes random(5);
    std::vector<Vector3> corners;
    for (int i = 0; i < 14; ++i) corners.push_back(2.8 * random.direction());
    BodyDefinition rock;
    rock.name = "rock";
    rock.shape = make_convex_polyhedron(corners);
    rock.mass = 3e5;
    const BodyIndex body = world.add(rock, Pose{Vector3(0.0, 0.0, 6.0), Quaternion::Identity()});
    Stepper stepper(world);
    const int steps = static_cast<int>(std::lround(0.7 / h));
    int converged = 0, touching = 0;
    double violation = 0.0, balance = 0.0;
    for (int k = 0; k < steps; ++k) {
      const StepRecord& record = stepper.step();
      REQUIRE(record.converged == (record.residual.scaled <= 1e-6));
      REQUIRE(world.state.v[static_cast<std::size_t>(body)].allFinite());
      balance = std::max(balance, std::abs(record.ledger.balance) / record.ledger.energy_scale);
      touching += stepper.impulse_on(body).norm() > 0.0 ? 1 : 0;
      if (!record.converged) continue;
      ++converged;
      violation = std::max(violation, law_violation(stepper, 5e3));
    }
    INFO(converged << " of " << steps << " steps converged, " << touching
                   << " with the rock on the wall");
    const std::string name =
        "rock of 300 t on a wall of 5 t blocks, h = " + test::digits(h) + " s: ";
    // the residual, 1e-6, is a norm over all contacts in the metric of each: a hundred times it
    // bounds each violation
    CHECK(test::validated({"Geometry", name + "law violated by a contact in a converged step, rel.",
                           0.0, violation, 1e-4, false, "contact law, term by term"}));
    CHECK(test::validated({"Geometry", name + "share of steps that converge", 1.0,
                           static_cast<double>(converged) / steps, 0.1, false,
                           "the others are reported"}));
    CHECK(test::validated(
        {"Geometry", name + "balance of the ledger, rel.", 0.0, balance, 1e-9, false, "energy"}));
    CHECK(touching > steps / 14);
  }
}

}  // namespace geometry_test
