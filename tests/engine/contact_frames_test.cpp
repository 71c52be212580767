// Contact frames in the middle of the step: angular momentum through contacts, order of impacts
// with spin, what sticks on a turning table, and frames of t_k as before.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>

#include "contact/problem/local_frame.hpp"
#include "engine/state_hash.hpp"
#include "tests/support/body_solution.hpp"
#include "tests/support/momentum.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace contact_frames_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

double momentum_scale(const World& world) {
  double sum = 0.0;
  for (std::size_t i = 0; i < world.state.x.size(); ++i) {
    if (world.model.kind[i] != BodyKind::dynamic) continue;
    sum += (world.model.mass[i] * world.state.x[i].cross(world.state.v[i])).norm() +
           world.model.inertia[i].cwiseProduct(world.state.w[i]).norm();
  }
  return sum;
}

// A hundred hulls and balls, drawn together and spinning.
World swarm(double h, Frames frames) {
  test::RandomShapes random(7);
  World world;
  world.model.gravity.setZero();
  world.law() = PairLaw{0.4, 0.3, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-10;
  world.settings.step.frames = frames;
  for (int i = 0; i < 100; ++i) {
    const Vector3 x(0.9 * (i % 5) - 1.8, 0.9 * (i / 5 % 5) - 1.8, 0.9 * (i / 25) - 1.35);
    const Vector3 v = -3.0 * x + Vector3(0.0, 0.0, 1.0).cross(x) + random.in_cube(0.3);
    const Vector3 spin = random.in_cube(7.0);
    const Quaternion q = random.rotation();
    if (i % 4 == 0) {
      world.add_sphere(0.3, x, 100.0, v, spin);
    } else {
      world.add_box(Vector3(0.5, 0.4, 0.3), Pose{x, q}, 1000.0, v, spin);
    }
  }
  return world;
}

struct Swarm {
  double angular = 0.0, balance = 0.0, gain = 0.0;  // relative
  std::int64_t contacts = 0, unconverged = 0, passes = 0;
};

Swarm run_swarm(World world, double end) {
  const Vector3 before = test::momentum_of(world).angular;
  const double scale = momentum_scale(world);
  Stepper stepper(world);
  Swarm result;
  for (int k = 0; k < static_cast<int>(std::lround(end / world.settings.time.dt)); ++k) {
    const StepRecord& record = stepper.step();
    const LedgerRow& row = record.ledger;
    result.contacts += record.contacts;
    result.passes += record.passes;
    result.unconverged += record.converged ? 0 : 1;
    result.angular =
        std::max(result.angular, (test::momentum_of(world).angular - before).norm() / scale);
    result.balance = std::max(result.balance, std::abs(row.balance) / row.energy_scale);
    result.gain = std::max({result.gain, row.max_normal_work / row.energy_scale,
                            row.max_tangential_work / row.energy_scale});
  }
  return result;
}

void add_passes(const std::string& name, const Swarm& swarm) {
  test::add_validation_row(
      {"Momentum", name + "passes in 0.4 s", "-", std::to_string(swarm.passes), "-", "-", "cost"});
}

}  // namespace

TEST_CASE("Swarm of a hundred spinning bodies keeps its angular momentum through contacts",
          "[engine][property]") {
  for (const double h : {2e-3, 1e-3}) {
    for (const int passes : {1, 10}) {
      World world = swarm(h, Frames::middle);
      world.settings.step.max_passes = passes;
      const Swarm middle = run_swarm(world, 0.4);
      const std::string name =
          test::case_name("swarm of 100 spinning bodies, frames middle", ImpactLaw::fremond, h) +
          "at most " + std::to_string(passes) + " passes: ";
      CHECK(middle.contacts > 3000);
      CHECK(middle.unconverged == 0);
      // Round-off of some thousand impulses.
      CHECK(test::validated({"Momentum", name + "angular momentum, rel.", 0.0, middle.angular,
                             1e-12, false, "invariant"}));
      CHECK(test::validated({"Momentum", name + "balance of the ledger, rel.", 0.0, middle.balance,
                             1e-12, false, "energy"}));
      // The tolerance of 1e-10, of one contact of hundreds.
      CHECK(test::validated({"Momentum", name + "largest work of a contact / energy", 0.0,
                             middle.gain, 1e-11, false, "never positive"}));
      add_passes(name, middle);
    }
    const Swarm start = run_swarm(swarm(h, Frames::start), 0.4);
    CHECK(start.angular > 1e-6);
    const std::string name =
        test::case_name("swarm of 100 spinning bodies, frames start", ImpactLaw::fremond, h);
    test::add_validation_row({"Momentum", name + "angular momentum, rel.", "> 1e-06",
                              test::digits(start.angular), test::digits(start.angular, 2), "-",
                              "arms of t_k"});
    add_passes(name, start);
  }
}

namespace {

// The whole work of a contact of the last step at most, over 10 tolerance |p| max(|u_k|, h |g|)
// with p of all contacts: what damped rest is held to.
double work_over_allowed(const World& world, const Workspace& work) {
  double impulse = 0.0, speed = world.settings.time.dt * world.model.gravity.norm(), most = 0.0;
  for (std::size_t c = 0; c < work.p.size(); ++c) {
    impulse += work.p[c].squaredNorm();
    speed = std::max(speed, work.u_0[c].norm());
    most = std::max(most, work.p[c].dot(work.u_theta[c]));
  }
  const double allowed = 10.0 * world.settings.step.solver.tolerance * std::sqrt(impulse) * speed;
  return impulse > 0.0 ? most / allowed : 0.0;
}

// Two layers of boxes that fall on the ground and on each other, spinning.
World spinning_pile(double h, double e) {
  test::RandomShapes random(3);
  World world;
  world.law() = PairLaw{0.5, e, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.settings.step.frames = Frames::middle;
  world.settings.step.rest = Rest::damped;
  world.settings.step.solver.tolerance = 1e-10;
  world.add_plane();
  for (int i = 0; i < 18; ++i) {
    const Vector3 x(0.17 * (i % 3), 0.17 * (i / 3 % 3), 0.15 + 0.2 * (i / 9));
    const Vector3 inward = Vector3(0.17, 0.17, 0.0) - x;
    world.add_box(Vector3(0.14, 0.11, 0.15), Pose{x, random.rotation()}, 2300.0,
                  3.0 * inward + random.in_cube(0.5), random.in_cube(12.0));
  }
  return world;
}

}  // namespace

TEST_CASE("Damped rest in the middle of the step puts in no energy at any contact",
          "[engine][property]") {
  std::int64_t raised = 0;
  for (const double h : {2e-3, 1e-3}) {
    for (const double e : {0.0, 0.5}) {
      World world = spinning_pile(h, e);
      Stepper stepper(world);
      double most = 0.0, balance = 0.0, begins_apart = 0.0;
      std::int64_t damped = 0, reversions = 0;
      for (int k = 0; k < static_cast<int>(std::lround(0.4 / h)); ++k) {
        const KeptImpulses last = world.state.kept;
        const StepRecord& record = stepper.step();
        const Workspace& work = stepper.work();
        reversions += record.reversions;
        for (std::size_t c = 0; c < work.p.size(); ++c) {
          const auto candidate = static_cast<std::size_t>(work.in_problem[c]);
          damped += work.damped[candidate];
          const auto kept =
              std::find(last.key.begin(), last.key.end(), work.contacts.key[candidate]);
          if (kept == last.key.end()) continue;
          const Vector3& ended = last.velocity[static_cast<std::size_t>(kept - last.key.begin())];
          begins_apart = std::max(begins_apart, std::abs(work.u_0[c].x() - ended.x()));
          raised += contact_theta(work, c) > world.settings.time.theta ? 1 : 0;
        }
        balance = std::max(balance, std::abs(record.ledger.balance) / record.ledger.energy_scale);
        if (record.converged) most = std::max(most, work_over_allowed(world, work));
      }
      CHECK(damped > 1000);
      CHECK(reversions > 100);
      CHECK(begins_apart < 1e-12);  // [m/s] round-off, whatever theta the step ends with
      CHECK(balance < 1e-12);
      std::string name =
          test::case_name("spinning pile, frames middle, rest damped", ImpactLaw::fremond, h);
      name += "e = " + test::digits(e) + ": largest work of a contact over its bound";
      // Contacts that keep the damped form are measured against it, the others obey the law within
      // the tolerance, of which the bound is ten.
      CHECK(test::validated({"Momentum", name, 0.0, most, 1.0, false, "never positive"}));
    }
  }
  CHECK(raised > 100);
}

namespace {

// Free motion of a rigid body without forces, in steps so small that they count as exact.
struct Flight {
  Vector3 inertia, x, v, w_B;
  Quaternion q;

  void fly(double time) {
    constexpr int n = 4000;
    const double h = time / n;
    const auto rate = [&](const Vector3& w) -> Vector3 {
      return inertia.cwiseInverse().cwiseProduct(-w.cross(inertia.cwiseProduct(w)));
    };
    const auto turned = [](const Quaternion& at, const Vector3& by) {
      const double angle = by.norm();
      if (angle == 0.0) return at;
      return (at * Quaternion(Eigen::AngleAxisd(angle, Vector3(by / angle)))).normalized();
    };
    for (int i = 0; i < n; ++i) {
      const Vector3 middle = w_B + 0.5 * h * rate(w_B);
      q = turned(q, h * middle);
      w_B += h * rate(middle);
    }
    x += time * v;
  }
};

// What the law makes of the velocities of a body whose point `arm` from its centre touches
// something fixed of outward normal n: the contact problem of that instant.
void strike(const PairLaw& law, double mass, const Vector3& arm, Flight& body,
            const Vector3& n = Vector3::UnitZ()) {
  const Matrix3 R = body.q.toRotationMatrix();
  contact::BodyProblem problem;
  problem.inverse_mass = {0.0, 1.0 / mass};
  problem.inverse_inertia_W = {Matrix3::Zero(),
                               R * body.inertia.cwiseInverse().asDiagonal() * R.transpose()};
  problem.v_free = {Vector3::Zero(), body.v};
  problem.w_free_W = {Vector3::Zero(), R * body.w_B};
  problem.body_a = {0}, problem.body_b = {1};
  problem.R_WC = {contact::local_frame(n)};
  problem.r_a_W = {Vector3::Zero()}, problem.r_b_W = {arm};
  problem.mu = {law.mu};
  contact::ContactInput in = {.mu = law.mu, .e = law.e, .theta = 0.5};
  in.u_0 = contact::local_velocity(problem, 0, problem.v_free, problem.w_free_W);
  problem.bias = {contact::Laws::row(law, in).bias}, problem.scale = {0.5};
  contact::SolverOptions options;
  options.tolerance = 1e-14;
  const test::BodySolution s = test::solve(problem, options);
  REQUIRE(s.report.converged);
  body.v = s.v[1];
  body.w_B = R.transpose() * s.w_W[1];
}

// Error of velocity and spin after an impact within a step, relative to their sizes.
// `phase`: where in the step the touch is, as a share of it.
double impact_error(bool ball, double mu, double h, int passes, Frames frames, double phase = 0.5) {
  const PairLaw law{mu, 0.4, ImpactLaw::fremond};
  World world;
  world.model.gravity.setZero();
  world.law() = law;
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-13;
  world.settings.step.max_passes = passes;
  world.settings.step.frames = frames;
  world.add_plane();
  const Quaternion q = Quaternion(0.9, 0.3, -0.2, 0.15).normalized();
  const Vector3 half(0.25, 0.2, 0.15), v(1.0, 0.3, -2.0), w_W(8.0, -12.0, 14.0);
  if (ball)
    world.add_sphere(0.2, Vector3::Zero(), 3.0, v, w_W);
  else
    world.add_box(2.0 * half, Pose{Vector3::Zero(), q}, 1000.0, v, w_W);
  Flight exact{world.model.inertia[1], Vector3::Zero(), v, world.state.w[1], world.state.q[1]};
  Vector3 arm(0.0, 0.0, -0.2);
  if (!ball) {
    arm.setZero();
    for (int k = 0; k < 8; ++k) {
      const Vector3 corner =
          q * Vector3((k & 1) != 0 ? half.x() : -half.x(), (k & 2) != 0 ? half.y() : -half.y(),
                      (k & 4) != 0 ? half.z() : -half.z());
      if (corner.z() < arm.z()) arm = corner;
    }
  }
  exact.x = Vector3(0.0, 0.0, -arm.z());
  Flight before = exact;
  before.fly(-(2.0 + phase) * h);
  world.state.x[1] = before.x, world.state.q[1] = before.q, world.state.w[1] = before.w_B;
  strike(law, world.model.mass[1], arm, exact);
  exact.fly((1.0 - phase) * h);
  Stepper stepper(world);
  stepper.steps(3);
  REQUIRE(stepper.record().contacts == 1);
  const Vector3 spin = world.state.q[1] * world.state.w[1], expected = exact.q * exact.w_B;
  return (world.state.v[1] - exact.v).norm() / v.norm() + (spin - expected).norm() / w_W.norm();
}

}  // namespace

TEST_CASE("Impact of a spinning body on something fixed, wherever in the step it touches",
          "[engine][analytic]") {
  // 20 rad/s. A ball has no shape that turns: its error is round-off. With frames of t_k it leaves
  // with its spin turned by h w / 2. A hull has its frame where it touches, which is known to the
  // order of h in the step, so that it errs with the square of the step.
  struct Worst {
    double ball = 0.0, hull = 0.0, hull_half = 0.0;  // hull_half: touches in the middle of a step
  };
  std::map<double, Worst> worst;  // with one pass
  for (const double mu : {0.15, 0.9}) {
    for (const int passes : {1, 10}) {
      for (const double phase : {0.05, 0.2, 0.35, 0.5, 0.65, 0.83, 0.95}) {
        double last = 0.0;
        for (const double h : {1e-2, 1e-3, 1e-4}) {
          INFO("mu " << mu << ", passes " << passes << ", phase " << phase << ", h " << h);
          const double ball = impact_error(true, mu, h, passes, Frames::middle, phase);
          CHECK(ball < 1e-13);
          const double hull = impact_error(false, mu, h, passes, Frames::middle, phase);
          CHECK(hull < 300.0 * h * h);  // of the order of (h w)^2, w = 20 rad/s
          if (last > 0.0 && hull > 1e-10) CHECK(std::log10(last / hull) > 1.8);
          last = hull;
          if (passes > 1) continue;
          worst[h].ball = std::max(worst[h].ball, ball);
          worst[h].hull = std::max(worst[h].hull, hull);
          if (phase == 0.5) worst[h].hull_half = std::max(worst[h].hull_half, hull);
        }
      }
      // So the test can fail.
      const double coarse = impact_error(false, mu, 1e-3, passes, Frames::start),
                   fine = impact_error(false, mu, 1e-4, passes, Frames::start);
      CHECK(std::log10(coarse / fine) < 1.1);
      CHECK(fine > 1e-4);
    }
  }
  for (const auto& [h, error] : worst) {
    const auto name = [h = h](const char* body, const char* frames) {
      return std::string(body) + " at 20 rad/s strikes the ground askew, frames " + frames +
             ", one pass, h = " + test::digits(h) + " s: velocity and spin, rel.";
    };
    const char* flight = "flight to the touch, then the law";
    CHECK(test::validated(
        {"Impacts", name("ball", "middle"), 0.0, error.ball, 1e-13, false, flight}));
    CHECK(test::validated(
        {"Impacts", name("hull", "middle"), 0.0, error.hull, 300.0 * h * h, false, flight}));
    CHECK(test::validated({"Impacts", name("hull", "middle") + ", touch at half a step", 0.0,
                           error.hull_half, 300.0 * h * h, false, flight}));
    for (const bool ball : {true, false}) {
      const double start = std::max(impact_error(ball, 0.15, h, 1, Frames::start),
                                    impact_error(ball, 0.9, h, 1, Frames::start));
      CHECK(test::validated(
          {"Impacts", name(ball ? "ball" : "hull", "start"), 0.0, start, 30.0 * h, false, flight}));
    }
  }
}

TEST_CASE("State is all that a step in the middle needs, with any number of threads",
          "[engine][property]") {
  World one = swarm(2e-3, Frames::middle), other = one;
  other.settings.backend = Backend::tbb, other.settings.threads = 3;
  Stepper whole(one);
  std::unique_ptr<Stepper> piece;
  for (int k = 0; k < 150; ++k) {
    if (k % 40 == 0) piece = std::make_unique<Stepper>(other);  // new scratch memory
    whole.step(), piece->step();
  }
  CHECK(state_hash(one.state) == state_hash(other.state));
}

namespace {

// Error of velocity and spin, relative, of a spinning ball that strikes a fixed ball askew.
double error_on_a_ball(double h, double phase) {
  const PairLaw law{0.5, 0.4, ImpactLaw::fremond};
  const double radius = 0.2, fixed_radius = 0.5, mass = 3.0;
  const Vector3 v(1.0, 0.3, -2.0), w_W(8.0, -12.0, 14.0), n = Vector3(0.3, -0.2, 1.0).normalized();
  World world;
  world.model.gravity.setZero();
  world.law() = law;
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-13;
  world.settings.step.frames = Frames::middle;
  BodyDefinition fixed;
  fixed.name = "fixed";
  fixed.kind = BodyKind::fixed;
  fixed.shape = Sphere{fixed_radius, Vector3::Zero()};
  world.add(fixed, Pose{Vector3::Zero(), Quaternion::Identity()});
  const Vector3 touch = (radius + fixed_radius) * n;
  world.add_sphere(radius, touch - (2.0 + phase) * h * v, mass, v, w_W);
  Flight exact{world.model.inertia[1], touch, v, world.state.w[1], world.state.q[1]};
  strike(law, mass, -radius * n, exact, n);
  Stepper stepper(world);
  stepper.steps(4);
  const Vector3 spin = world.state.q[1] * world.state.w[1], expected = exact.q * exact.w_B;
  return (world.state.v[1] - exact.v).norm() / v.norm() + (spin - expected).norm() / w_W.norm();
}

}  // namespace

TEST_CASE("Ball that strikes a fixed ball errs with the square of the step", "[engine][analytic]") {
  for (const double phase : {0.1, 0.5, 0.9}) {
    const double coarse = error_on_a_ball(1e-3, phase), fine = error_on_a_ball(1e-4, phase);
    INFO("phase " << phase << ": " << coarse << ", " << fine);
    CHECK((std::log10(coarse / fine) > 1.8 || coarse < 1e-14));
    CHECK(test::validated({"Impacts",
                           "spinning ball on a fixed ball, frames middle, h = 1e-4 s, touch at " +
                               test::digits(phase) + " of the step: velocity and spin, rel.",
                           0.0, fine, 1e-6, false, "contact problem of the touch"}));
  }
}

TEST_CASE("Angular momentum in the middle, with a larger theta and with devices",
          "[engine][property]") {
  World heavy = swarm(2e-3, Frames::middle);
  heavy.settings.time.theta = 0.6;
  CHECK(run_swarm(heavy, 0.3).angular < 1e-12);
  // Along the surface a device acts at the one point of the contact.
  World tangential = swarm(2e-3, Frames::middle);
  contact::Laws::number(tangential.law(), "device_tangential") = 1.0;
  CHECK(run_swarm(tangential, 0.3).angular < 1e-12);
  // Along the normal overlaps heal by the position correction, which the page says.
  World normal = swarm(2e-3, Frames::middle);
  contact::Laws::number(normal.law(), "device_normal") = 1.0;
  const double moved = run_swarm(normal, 0.3).angular;
  CHECK(moved > 1e-9);
  CHECK(moved < 5e-3);
}

TEST_CASE("Penetration is told as it is at the start of the step, with frames in the middle too",
          "[engine][analytic]") {
  for (const double h : {2e-3, 1e-3}) {
    World world;
    world.settings.step.activation = Activation::paper;  // lets corners in
    world.settings.time.dt = h;
    world.settings.step.frames = Frames::middle;
    world.law() = PairLaw{0.5, 0.3, ImpactLaw::fremond};
    world.add_plane();
    const Vector3 sides(0.14, 0.11, 0.15);
    world.add_box(sides,
                  Pose{Vector3(0.0, 0.0, 0.2), Quaternion(0.9, 0.3, -0.2, 0.15).normalized()},
                  2300.0, Vector3(0.5, 0.2, -1.0), Vector3(8.0, -12.0, 14.0));
    Stepper stepper(world);
    double off = 0.0;
    int deep = 0;
    for (int k = 0; k < static_cast<int>(std::lround(0.5 / h)); ++k) {
      const Quaternion q = world.state.q[1] * world.model.q_BU[1];
      double lowest = world.state.x[1].z();
      for (int corner = 0; corner < 8; ++corner) {
        const Vector3 arm = 0.5 * sides.cwiseProduct(Vector3((corner & 1) != 0 ? 1.0 : -1.0,
                                                             (corner & 2) != 0 ? 1.0 : -1.0,
                                                             (corner & 4) != 0 ? 1.0 : -1.0));
        lowest = std::min(lowest, (world.state.x[1] + q * arm).z());
      }
      const double told = stepper.step().max_penetration;
      if (stepper.record().candidates == 0) continue;
      deep += lowest < 0.0 ? 1 : 0;
      off = std::max(off, std::abs(told - std::max(0.0, -lowest)));
    }
    CHECK(deep > 20);
    CHECK(off < 1e-13);  // [m] round-off
  }
}

}  // namespace contact_frames_test
