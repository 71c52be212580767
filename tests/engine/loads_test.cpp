// Loads, the field besides gravity and drag, against closed forms of mechanics and of the scheme.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "engine/ledger.hpp"
#include "engine/state_hash.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace loads_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;

Record record_of(std::vector<double> time, std::vector<Vector3> value, bool holds = true) {
  Record record{std::move(time), std::move(value), holds};
  sum_up(record);
  return record;
}

Load force(Record record) {
  Load load;
  load.force = std::move(record);
  return load;
}

Load constant_force(const Vector3& value) { return force(constant_record(value)); }

Load constant_torque(const Vector3& value, LoadAxes axes = LoadAxes::world) {
  Load load;
  load.torque = constant_record(value);
  load.axes = axes;
  return load;
}

Load at(const Vector3& point, Load load) {
  load.central = false, load.point = point;
  return load;
}

World empty_world(double h, double theta = 0.5) {
  World world;
  world.model.gravity.setZero();
  world.settings.time.dt = h, world.settings.time.theta = theta;
  world.settings.step.solver.tolerance = 1e-12;
  return world;
}

BodyDefinition box_definition(const Vector3& sides, double density = 2300.0) {
  BodyDefinition box;
  box.shape = make_box(sides);
  box.density = density;
  return box;
}

BodyIndex add_loaded(World& world, BodyDefinition definition, const Pose& pose,
                     const std::vector<Load>& loads, const Vector3& v = Vector3::Zero(),
                     const Vector3& w_W = Vector3::Zero()) {
  definition.name = "body" + std::to_string(world.model.n_bodies());
  definition.loads = loads;
  return world.add(definition, pose, v, w_W);
}

struct Sums {
  double external = 0.0, drag = 0.0, balance = 0.0, scale = 0.0;
  void add(const LedgerRow& row) {
    external += row.external_work, drag += row.drag_work;
    balance = std::max(balance, std::abs(row.balance));
    scale = row.energy_scale;
  }
};

Sums run_steps(World& world, int n) {
  Stepper stepper(world);
  Sums sums;
  for (int k = 0; k < n; ++k) sums.add(stepper.step().ledger);
  return sums;
}

void validation(const std::string& name, const std::string& expected, const std::string& got,
                double error, double allowed, const char* source) {
  test::add_validation_row(
      {"Loads", name, expected, got, test::digits(error, 2), test::digits(allowed, 2), source});
}

}  // namespace

TEST_CASE("A constant force on a free mass: speed, way and work", "[loads][validation]") {
  for (const double h : {0.01, 0.0025}) {
    World world = empty_world(h);
    const Vector3 F(3.0, -40.0, 7.0);
    const BodyIndex body =
        add_loaded(world, box_definition({1.0, 0.5, 0.25}), {}, {constant_force(F)});
    const double m = world.model.mass[static_cast<std::size_t>(body)], t = 2.0;
    const Sums sums = run_steps(world, static_cast<int>(std::lround(t / h)));
    const Vector3 v = F * t / m, x = F * t * t / (2.0 * m);
    const double error = std::max(
        {(world.state.v[0] - v).norm() / v.norm(), (world.state.x[0] - x).norm() / x.norm(),
         std::abs(sums.external - F.dot(x)) / F.dot(x), sums.balance / sums.scale});
    CHECK(error <= 1e-12);
    validation("constant force on a free mass, h = " + test::digits(h) + " s: work",
               "F x = " + test::digits(F.dot(x)) + " J", test::digits(sums.external) + " J", error,
               1e-12, "Newton's second law");
  }
}

TEST_CASE("The impulse of a record finer than the step is exact at every theta", "[loads]") {
  std::vector<double> time;
  std::vector<Vector3> value;
  test::Random random(7);
  Vector3 total = Vector3::Zero();
  for (int i = 0; i <= 400; ++i) {
    time.push_back(0.0031 * i);
    value.push_back(random.vector(50.0));
    if (i > 0) total += 0.5 * 0.0031 * (value[value.size() - 2] + value.back());
  }
  for (const double theta : {0.5, 0.7, 1.0}) {
    for (const double h : {0.05, 0.0007}) {
      World world = empty_world(h, theta);
      add_loaded(world, box_definition({1.0, 1.0, 1.0}), {},
                 {force(record_of(time, value, false))});
      const Sums sums = run_steps(world, static_cast<int>(std::ceil(1.3 / h)));
      INFO("theta " << theta << ", h " << h);
      CHECK((world.model.mass[0] * world.state.v[0] - total).norm() <= 1e-12);
      CHECK(sums.balance <= 1e-12 * sums.scale);
    }
  }
}

TEST_CASE("A constant torque about a principal axis: spin, angle and work", "[loads][validation]") {
  for (const double h : {1e-3, 2.5e-4}) {
    for (const LoadAxes axes : {LoadAxes::world, LoadAxes::body}) {
      World world = empty_world(h);
      const double torque = 20.0, t = 1.0;
      add_loaded(world, box_definition({1.0, 0.5, 0.25}), {},
                 {constant_torque(Vector3(0.0, torque, 0.0), axes)});
      const double J = world.model.inertia[0].y();
      const Sums sums = run_steps(world, static_cast<int>(std::lround(t / h)));
      const double spin = torque * t / J, angle = torque * t * t / (2.0 * J);
      const double turned = 2.0 * std::atan2(world.state.q[0].y(), world.state.q[0].w());
      const double off = std::remainder(turned - angle, 2.0 * std::acos(-1.0));
      CHECK(std::abs(world.state.w[0].y() - spin) <= 1e-12 * spin);
      CHECK(std::abs(off) <= 1e-6 * angle);
      CHECK(std::abs(sums.external - torque * angle) <= 1e-12 * torque * angle);
      CHECK(sums.balance <= 1e-12 * sums.scale);
      if (axes == LoadAxes::world)
        validation("constant torque about a principal axis, h = " + test::digits(h) + " s: angle",
                   test::digits(angle) + " rad", test::digits(angle + off) + " rad",
                   std::abs(off) / angle, 1e-6, "w = tau t/J; the Cayley map turns by tan");
    }
  }
}

TEST_CASE("An off-centre force turns a body by its arm, in world and in body axes", "[loads]") {
  const double h = 1e-3;
  const Vector3 point(0.3, -0.1, 0.2), F(5.0, 11.0, -2.0);
  const Quaternion q(Eigen::AngleAxisd(0.7, Vector3(1.0, 2.0, -1.0).normalized()));
  for (const LoadAxes axes : {LoadAxes::world, LoadAxes::body}) {
    World world = empty_world(h, 0.5);
    Load load = at(point, constant_force(F));
    load.axes = axes;
    // Drawn off its principal axes, so that the user's axes are not the engine's.
    BodyDefinition body;
    body.shape = make_convex_polyhedron(std::vector<Vector3>{
        {0.0, 0.0, 0.0}, {1.0, 0.2, 0.0}, {0.1, 0.9, 0.1}, {0.3, 0.2, 0.8}, {0.9, 0.9, 0.2}});
    body.density = 100.0;
    body.name = "b";
    body.loads = {load};
    const Vector3 centre = add_body(world.model, body);
    world.state.x = {Vector3::Zero()}, world.state.v = {Vector3::Zero()};
    world.state.q = {q * world.model.q_BU[0].conjugate()}, world.state.w = {Vector3::Zero()};
    world.state.active = {1};
    const Sums sums = run_steps(world, 1);
    const Vector3 F_W = axes == LoadAxes::world ? F : Vector3(q * F);
    const Matrix3 R = (q * world.model.q_BU[0].conjugate()).toRotationMatrix();
    const Vector3 spin_W = R * world.model.inertia[0].cwiseInverse().asDiagonal() * R.transpose() *
                           (q * (point - centre)).cross(F_W) * h;
    const Vector3 w_W = R * world.state.w[0];
    CHECK((world.state.v[0] - h * F_W / world.model.mass[0]).norm() <= 1e-14);
    // The gyroscopic term is of second order in the spin.
    CHECK((w_W - spin_W).norm() <= 1e-4 * spin_W.norm());
    CHECK(sums.balance <= 1e-14 * sums.scale);
  }
}

TEST_CASE(
    "A force that turns with its body: first order in frames of the start, second in the middle",
    "[loads][validation]") {
  // At the constant spin W the velocity is F/(m W) (sin W t, 1 - cos W t).
  const double spin = 3.0, F = 40.0, t = 1.0;
  for (const Frames frames : {Frames::start, Frames::middle}) {
    std::vector<double> errors;
    for (const double h : {0.02, 0.01}) {
      World world = empty_world(h);
      world.settings.step.frames = frames;
      Load load = constant_force(Vector3(F, 0.0, 0.0));
      load.axes = LoadAxes::body;
      add_loaded(world, box_definition({0.2, 0.2, 0.2}), {}, {load}, Vector3::Zero(),
                 Vector3(0.0, 0.0, spin));
      const Sums sums = run_steps(world, static_cast<int>(std::lround(t / h)));
      CHECK(sums.balance <= 1e-13 * sums.scale);
      const Vector3 v = F / (world.model.mass[0] * spin) *
                        Vector3(std::sin(spin * t), 1.0 - std::cos(spin * t), 0.0);
      errors.push_back((world.state.v[0] - v).norm());
    }
    const double order = std::log2(errors[0] / errors[1]),
                 expected = frames == Frames::start ? 1.0 : 2.0;
    CHECK(std::abs(order - expected) <= 0.05);
    validation(std::string("force in body axes, frames = ") +
                   (frames == Frames::start ? "start" : "middle") + ": order in h",
               test::digits(expected), test::digits(order, 4), std::abs(order - expected), 0.05,
               "F/(m W) (sin W t, 1 - cos W t)");
  }
}

TEST_CASE("Drag slows down as the scheme says, to its order", "[loads][validation]") {
  const double c = 3.0, t = 1.0, v_0 = 2.0;
  for (const double theta : {0.5, 1.0}) {
    std::vector<double> errors;
    for (const double h : {0.02, 0.01}) {
      World world = empty_world(h, theta);
      BodyDefinition ball;
      ball.name = "ball", ball.shape = Sphere{0.1}, ball.mass = 1.5, ball.drag = {c, 0.0};
      world.add(ball, {}, Vector3(v_0, 0.0, 0.0));
      const int n = static_cast<int>(std::lround(t / h));
      const Sums sums = run_steps(world, n);
      const double ratio = (1.5 - (1.0 - theta) * h * c) / (1.5 + theta * h * c);
      CHECK(std::abs(world.state.v[0].x() - v_0 * std::pow(ratio, n)) <= 1e-13);
      CHECK(sums.drag < 0.0);
      CHECK(sums.balance <= 1e-13 * sums.scale);
      errors.push_back(std::abs(world.state.v[0].x() - v_0 * std::exp(-c * t / 1.5)));
    }
    const double order = std::log2(errors[0] / errors[1]);
    CHECK(std::abs(order - (theta == 0.5 ? 2.0 : 1.0)) <= 0.03);
    validation("drag, theta = " + test::digits(theta) + ": order in h", theta == 0.5 ? "2" : "1",
               test::digits(order, 4), std::abs(order - (theta == 0.5 ? 2.0 : 1.0)), 0.03,
               "v_0 exp(-c t/m)");
  }
}

TEST_CASE("A field is a gravity whose work is external", "[loads]") {
  for (const double h : {1e-2, 1e-3}) {
    World falling = empty_world(h), pulled = empty_world(h);
    falling.model.gravity = Vector3(0.0, 0.0, -g);
    pulled.model.field = {{constant_record(Vector3(0.0, 0.0, -g)), false}};
    for (World* world : {&falling, &pulled}) {
      world->law().e = 0.5, world->law().mu = 0.4;
      world->add_plane();
      world->add_box({1.0, 0.5, 0.25}, {Vector3(0.0, 0.0, 1.0), Quaternion::Identity()}, 2300.0,
                     Vector3(1.0, 0.0, 0.0), Vector3(3.0, 1.0, 2.0));
    }
    const int n = static_cast<int>(std::lround(1.0 / h));
    const Sums sums = run_steps(pulled, n);
    run_steps(falling, n);
    CHECK((pulled.state.x[1] - falling.state.x[1]).norm() <= 1e-9);
    const double drop = 1.0 - pulled.state.x[1].z();
    const double work = pulled.model.mass[1] * g * drop;
    CHECK(std::abs(sums.external - work) <= 1e-10 * work);
    CHECK(sums.balance <= 1e-12 * sums.scale);
  }
}

namespace {

// How far a pushed block has gone and turned 1 s after a force that grows for a second has reached
// its full size.
struct Pushed {
  double way = 0.0, turn = 0.0;
};

Pushed push_block(double h, double mu, double height, double F) {
  World world;
  world.settings.time.dt = h;
  world.settings.step.rest = Rest::damped;
  world.settings.step.solver.tolerance = 1e-10;
  world.law() = PairLaw{mu, 0.0, ImpactLaw::fremond};
  world.add_plane();
  const Vector3 sides(1.0, 1.0, 2.0);
  add_loaded(world, box_definition(sides), {Vector3(0.0, 0.0, 1.0), Quaternion::Identity()},
             {at(Vector3(0.0, 0.0, height - 1.0),
                 force(record_of({0.0, 1.0}, {Vector3::Zero(), Vector3(F, 0.0, 0.0)})))});
  run_steps(world, static_cast<int>(std::lround(2.0 / h)));
  return {world.state.x[1].x(), 2.0 * world.state.q[1].vec().norm()};
}

}  // namespace

TEST_CASE("A pushed block slides or topples at the force of statics", "[loads][validation]") {
  const double mu = 0.3, weight = 2.0 * 2300.0 * g;
  for (const double h : {4e-3, 2e-3}) {
    // Low: mu < b/(2y), it slides at mu m g. High: it topples at m g b/(2y).
    for (const double height : {0.5, 1.9}) {
      const bool slides = mu < 1.0 / (2.0 * height);
      const double limit = slides ? mu * weight : weight / (2.0 * height);
      const Pushed below = push_block(h, mu, height, 0.999 * limit),
                   above = push_block(h, mu, height, 1.001 * limit);
      INFO("h " << h << ", height " << height);
      CHECK(std::abs(below.way) <= 1e-5);
      CHECK(below.turn <= 1e-6);
      CHECK((slides ? above.way : above.turn) >= 1e-3);
      CHECK((slides ? above.turn : std::abs(above.way)) <= 1e-2 * (slides ? 1e-3 : 1.0));
      validation(std::string("block pushed at height ") + test::digits(height) + " m, h = " +
                     test::digits(h) + " s: " + (slides ? "slides" : "topples") + " at",
                 test::digits(limit) + " N", "between 0.999 and 1.001 of it", 1e-3, 1e-3,
                 slides ? "mu m g" : "m g b/(2y)");
    }
  }
}

TEST_CASE("The ground that shakes under the scene is a table that shakes in it", "[loads]") {
  // A block that slips on a table driven by a history, and on still ground in the field of its
  // acceleration: the same way relative to the table, to the order of the step.
  const auto shaken = [](double h, bool moving_frame) {
    std::vector<double> time;
    std::vector<Vector3> value;
    for (int i = 0; i <= 40; ++i) {
      time.push_back(0.05 * i);
      value.emplace_back(6.0 * std::sin(7.0 * 0.05 * i), 0.0, 0.0);
    }
    World world;
    world.settings.time.dt = h;
    world.settings.step.solver.tolerance = 1e-10;
    world.law() = PairLaw{0.3, 0.0, ImpactLaw::newton};
    BodyDefinition table;
    table.name = "table";
    table.shape = make_box({4.0, 4.0, 0.2});
    table.kind = BodyKind::fixed;
    if (moving_frame) {
      Record felt = record_of(time, value);
      for (Vector3& a : felt.value) a = -a;
      sum_up(felt);
      world.model.field = {{felt, true}};
    } else {
      table.kind = BodyKind::driven;
      table.history.kind = HistoryKind::acceleration;
      table.history.time = time, table.history.linear = value;
      table.history.angular.assign(time.size(), Vector3::Zero());
    }
    world.add(table, {Vector3(0.0, 0.0, -0.1), Quaternion::Identity()});
    world.add_box({1.0, 1.0, 0.5}, {Vector3(0.0, 0.0, 0.25), Quaternion::Identity()});
    Stepper stepper(world);
    std::vector<double> slip;
    double apart = 0.0;
    for (int k = 1; k <= static_cast<int>(std::lround(2.0 / h)); ++k) {
      stepper.step();
      slip.push_back(world.state.x[1].x() - world.state.x[0].x());
      if (!moving_frame) continue;
      const GroundMotion ground = ground_motion(world.model.field, world.state.time);
      MotionHistory history{HistoryKind::acceleration,
                            {},
                            time,
                            value,
                            std::vector<Vector3>(time.size(), Vector3::Zero())};
      integrate(history);
      apart =
          std::max({apart, (ground.velocity - velocity_at(history, world.state.time).v).norm(),
                    (ground.displacement - way_between(history, 0.0, world.state.time).v).norm()});
    }
    CHECK(apart <= 1e-12);
    return slip;
  };
  for (const double h : {2e-3, 1e-3}) {
    const std::vector<double> one = shaken(h, false), other = shaken(h, true);
    double largest = 0.0, apart = 0.0;
    for (std::size_t k = 0; k < one.size(); ++k) {
      largest = std::max(largest, std::abs(one[k]));
      apart = std::max(apart, std::abs(one[k] - other[k]));
    }
    INFO("h " << h << ", largest slip " << largest << " m, apart " << apart << " m");
    CHECK(largest > 0.05);
    CHECK(apart <= 10.0 * h * h);  // [m] a step's difference in when it is caught
  }
}

TEST_CASE("The ledger closes with every load at once", "[loads][validation]") {
  for (const double theta : {0.5, 0.6}) {
    for (const double h : {4e-3, 1e-3}) {
      World world;
      world.settings.time.dt = h, world.settings.time.theta = theta;
      world.settings.step.rest = Rest::damped;
      world.settings.step.solver.tolerance = 1e-6;
      world.law() = PairLaw{0.4, 0.3, ImpactLaw::fremond};
      world.set_rolling(0.02, 0.01);
      world.add_plane();
      test::Random random(11);
      world.model.field = {
          {record_of({0.0, 0.3, 0.5}, {random.vector(2.0), random.vector(4.0), random.vector(3.0)}),
           true}};
      for (int i = 0; i < 20; ++i) {
        BodyDefinition body = box_definition(Vector3(0.3, 0.2, 0.25));
        if (i % 4 == 0) body.drag = {40.0, 3.0};
        std::vector<Load> loads;
        if (i % 3 == 0)
          loads.push_back(at(random.vector(0.1), constant_force(random.vector(200.0))));
        if (i % 5 == 0) loads.push_back(constant_torque(random.vector(20.0), LoadAxes::body));
        if (i % 7 == 0)
          loads.push_back(
              force(record_of({0.1, 0.2}, {random.vector(100.0), random.vector(100.0)}, false)));
        add_loaded(
            world, body,
            {Vector3(0.35 * (i % 5), 0.3 * (i / 5), 0.2 + 0.05 * i), Quaternion(random.rotation())},
            loads, random.vector(1.0), random.vector(3.0));
      }
      const Sums sums = run_steps(world, static_cast<int>(std::lround(0.8 / h)));
      INFO("theta " << theta << ", h " << h);
      CHECK(sums.external != 0.0);
      CHECK(sums.drag < 0.0);
      CHECK(sums.balance <= 1e-12 * sums.scale);
      validation("ledger with loads, field and drag, theta = " + test::digits(theta) +
                     ", h = " + test::digits(h) + " s: balance",
                 "0", test::digits(sums.balance / sums.scale, 2) + " of the scale",
                 sums.balance / sums.scale, 1e-12, "every joule has a name");
    }
  }
}

TEST_CASE("Loads give the same bits with any number of threads", "[loads]") {
  const auto hash = [](Backend backend, int threads) {
    World world;
    world.settings.backend = backend, world.settings.threads = threads;
    world.settings.time.dt = 2e-3;
    world.law() = PairLaw{0.5, 0.1, ImpactLaw::fremond};
    world.add_plane();
    test::Random random(3);
    for (int i = 0; i < 300; ++i) {
      BodyDefinition body = box_definition(Vector3(0.3, 0.2, 0.25));
      body.drag = {5.0, 0.1};
      add_loaded(world, body,
                 {Vector3(0.4 * (i % 10), 0.4 * (i / 10 % 10), 0.3 + 0.4 * (i / 100)),
                  Quaternion(random.rotation())},
                 {at(random.vector(0.1), constant_force(random.vector(50.0)))});
    }
    run_steps(world, 30);
    return state_hash(world.state);
  };
  const std::string serial = hash(Backend::serial, 1);
  for (const int threads : {1, 2, 3}) {
    CHECK(hash(Backend::openmp, threads) == serial);
    CHECK(hash(Backend::tbb, threads) == serial);
  }
}

}  // namespace loads_test
