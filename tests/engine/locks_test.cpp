// Locked directions, plane mode and walls under pressure, against closed forms of mechanics and
// against the same motion in space.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/state_hash.hpp"
#include "scenes/read/scene.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace locks_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81, pi = 3.14159265358979323846;

// Adds a body and leaves only these directions free.
BodyIndex add_locked(World& world, BodyDefinition definition, const Pose& pose,
                     const std::vector<std::string>& free, const std::vector<Load>& loads = {}) {
  definition.name = "body" + std::to_string(world.model.n_bodies());
  definition.loads = loads;
  const BodyIndex body = world.add(definition, pose);
  set_freedom(world.model, freedom_of(free, world.model.inertia.back(), world.state.q.back()));
  return body;
}

BodyDefinition solid(const Shape& shape, double mass) {
  BodyDefinition body;
  body.shape = shape, body.mass = mass;
  return body;
}

Load constant_load(const Vector3& force, const Vector3& torque = Vector3::Zero()) {
  Load load;
  if (!force.isZero(0.0)) load.force = constant_record(force);
  if (!torque.isZero(0.0)) load.torque = constant_record(torque);
  return load;
}

void validation(const std::string& name, const std::string& expected, const std::string& got,
                double error, double allowed, const char* source) {
  test::add_validation_row({"Locks, plane mode, walls under pressure", name, expected, got,
                            test::digits(error, 2), test::digits(allowed, 2), source});
}

World smooth_world(double h, double mu = 0.0) {
  World world;
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-13;
  world.law() = PairLaw{mu, 0.0, ImpactLaw::fremond};
  return world;
}

// Sum of the normal forces of the contacts between two bodies in the last step [N].
double normal_force(const Stepper& stepper, double h, BodyIndex a, BodyIndex b) {
  double sum = 0.0;
  const contact::BodyProblem& problem = stepper.work().problem;
  for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
    const bool pair = (problem.body_a[c] == a && problem.body_b[c] == b) ||
                      (problem.body_a[c] == b && problem.body_b[c] == a);
    if (pair) sum += stepper.work().p[c].x() / h;
  }
  return sum;
}

}  // namespace

TEST_CASE("A block slides down a wedge that gives way on a smooth floor", "[locks][validation]") {
  const double a = pi / 6.0, M = 2.0, m = 1.0;
  const double expected = m * g * std::sin(a) * std::cos(a) / (M + m * std::sin(a) * std::sin(a));
  for (const double h : {1e-2, 2e-3}) {
    World world = smooth_world(h);
    const BodyIndex floor = world.add_plane();
    const double height = 2.0 * std::tan(a);
    const BodyDefinition wedge =
        solid(make_convex_polyhedron(std::vector<Vector3>{{0.0, -0.5, 0.0},
                                                          {2.0, -0.5, 0.0},
                                                          {0.0, -0.5, height},
                                                          {0.0, 0.5, 0.0},
                                                          {2.0, 0.5, 0.0},
                                                          {0.0, 0.5, height}}),
              M);
    // The wedge's centre of mass is a third of the way up.
    const Vector3 centre(2.0 / 3.0, 0.0, height / 3.0);
    const BodyIndex w = add_locked(world, wedge, {centre, Quaternion::Identity()}, {"x"});
    const Vector3 down(std::cos(a), 0.0, -std::sin(a)), out(std::sin(a), 0.0, std::cos(a));
    const Vector3 on_slope = Vector3(0.0, 0.0, height) + 0.6 * down + 0.1 * out;
    const Quaternion q(Eigen::AngleAxisd(a, Vector3::UnitY()));
    add_locked(world, solid(make_box({0.4, 0.3, 0.2}), m), {on_slope, q}, {"x", "y", "z"});
    Stepper stepper(world);
    double balance = 0.0;
    const int n = static_cast<int>(std::lround(0.4 / h));
    for (int k = 0; k < n; ++k)
      balance = std::max(balance, std::abs(stepper.step().ledger.balance));
    const double got = -world.state.v[static_cast<std::size_t>(w)].x() / (n * h);
    INFO("h " << h);
    CHECK(std::abs(got - expected) <= 1e-8 * expected);
    CHECK(world.state.x[static_cast<std::size_t>(w)].z() == centre.z());
    CHECK(world.state.w[static_cast<std::size_t>(w)].isZero(0.0));
    CHECK(normal_force(stepper, h, floor, w) == 0.0);  // guides carry it
    CHECK(balance <= 1e-12 * world.state.energy_scale);
    validation("wedge, free along x only, block with locked rotations, h = " + test::digits(h) +
                   " s: acceleration of the wedge",
               test::digits(expected) + " m/s2", test::digits(got) + " m/s2",
               std::abs(got / expected - 1.0), 1e-8, "m g sin a cos a/(M + m sin^2 a)");
  }
}

TEST_CASE("A body on a shaft turns with the moment about it, whatever its principal axes",
          "[locks][validation]") {
  const BodyDefinition stone = solid(
      make_convex_polyhedron(std::vector<Vector3>{
          {0.0, 0.0, 0.0}, {1.0, 0.2, 0.0}, {0.1, 0.9, 0.1}, {0.3, 0.2, 0.8}, {0.9, 0.9, 0.2}}),
      5.0);
  for (const auto& [h, frames] : {std::pair(1e-3, Frames::start), std::pair(2.5e-4, Frames::start),
                                  std::pair(1e-3, Frames::middle)}) {
    World world = smooth_world(h);
    world.settings.step.frames = frames;
    const Quaternion q(Eigen::AngleAxisd(0.6, Vector3(1.0, -2.0, 0.5).normalized()));
    add_locked(world, stone, {Vector3::Zero(), q}, {"ry"},
               {constant_load({3.0, 1.0, -2.0}, {0.7, 0.2, -0.4})});
    const Matrix3 R = world.state.q[0].toRotationMatrix();
    const double J = (R * world.model.inertia[0].asDiagonal() * R.transpose())(1, 1);
    Stepper stepper(world);
    double work = 0.0, balance = 0.0;
    const int n = static_cast<int>(std::lround(1.0 / h));
    for (int k = 0; k < n; ++k) {
      const LedgerRow& row = stepper.step().ledger;
      work += row.external_work, balance = std::max(balance, std::abs(row.balance));
    }
    const Vector3 w_W = world.state.q[0] * world.state.w[0];
    const double spin = 0.2 / J, angle = 0.5 * spin;
    CHECK(std::abs(w_W.y() - spin) <= 1e-12 * spin);
    CHECK(std::hypot(w_W.x(), w_W.z()) <= 1e-12 * spin);
    CHECK(world.state.x[0].isZero(0.0));
    CHECK(world.state.v[0].isZero(0.0));
    CHECK(std::abs(work - 0.2 * angle) <= 1e-12 * work);
    CHECK(balance <= 1e-12 * world.state.energy_scale);
    if (frames == Frames::start)
      validation("irregular body free to turn about y only, h = " + test::digits(h) + " s: spin",
                 test::digits(spin) + " rad/s", test::digits(w_W.y()) + " rad/s",
                 std::abs(w_W.y() / spin - 1.0), 1e-12, "tau t/(a . J a)");
  }
}

TEST_CASE("A body with one locked rotation never spins about it", "[locks]") {
  const Frames frames = GENERATE(Frames::start, Frames::middle);
  World world = smooth_world(1e-3, 0.5);
  world.settings.step.frames = frames;
  world.law().e = 0.3;
  world.add_plane();
  BodyDefinition box = solid(make_box({0.6, 0.3, 0.2}), 3.0);
  add_locked(world, box, {Vector3(0.0, 0.0, 0.6), Quaternion::Identity()}, {"x", "z", "rx", "rz"},
             {constant_load(Vector3::Zero(), {1.0, 1.0, 0.5})});
  Stepper stepper(world);
  double balance = 0.0;
  for (int k = 0; k < 1500; ++k) {
    balance = std::max(balance, std::abs(stepper.step().ledger.balance));
    REQUIRE(world.state.w[1].y() == 0.0);
    REQUIRE(world.state.x[1].y() == 0.0);
  }
  CHECK(world.state.w[1].norm() + std::abs(world.state.x[1].x()) > 0.01);
  CHECK(balance <= 1e-12 * world.state.energy_scale);
}

TEST_CASE("A ball in a slot and a bead on a wire move where they can", "[locks]") {
  // More than three directions are free, and some translations are not.
  const double slope = 0.3;
  for (const double h : {4e-3, 1e-3}) {
    World world = smooth_world(h, 0.5);
    const Vector3 up(0.0, -std::sin(slope), std::cos(slope));
    world.add_plane(up);
    // Rolls down in the plane y, z: 5/7 g sin a; along x it cannot go.
    const BodyIndex ball =
        add_locked(world, solid(Sphere{0.2}, 2.0), {0.2 * up, {1.0, 0.0, 0.0, 0.0}},
                   {"y", "z", "rx", "ry", "rz"}, {constant_load({5.0, 0.0, 0.0})});
    Stepper stepper(world);
    const int n = static_cast<int>(std::lround(1.0 / h));
    stepper.steps(n);
    const Vector3& v = world.state.v[static_cast<std::size_t>(ball)];
    const double expected = 5.0 / 7.0 * g * std::sin(slope);
    CHECK(v.x() == 0.0);
    CHECK(std::abs(v.norm() - expected) <= 1e-9 * expected);
    World wire = smooth_world(h);
    add_locked(wire, solid(Sphere{0.2}, 2.0), {}, {"x", "rx", "ry", "rz"},
               {constant_load({4.0, 100.0, 0.0})});
    Stepper along(wire);
    along.steps(n);
    CHECK(std::abs(wire.state.v[0].x() - 2.0) <= 1e-12);
    CHECK(wire.state.v[0].y() == 0.0);
  }
}

namespace {

// Discs of random sizes above a floor, and between walls.
std::string heap(int n, double dt, bool plane) {
  std::string text = fmt::format(
      "[time]\ndt = {}\nend = 10\n[solver]\ntolerance = 1e-12\nmeasure = \"scaled\"\n{}"
      "[[material]]\nname = \"s\"\ndensity = 2500\n[[contact]]\nbetween = [\"s\", \"s\"]\nmu = "
      "0.4\ne = "
      "0.2\n[[body]]\nname = \"floor\"\nkind = \"half_space\"\nnormal = [0.1, 0, 1]\nmaterial = "
      "\"s\"\n[[body]]\nname = \"side\"\nkind = \"half_space\"\nnormal = [1, 0, 0.05]\noffset = "
      "-0.12\nmaterial = \"s\"\n",
      dt, plane ? "[world]\nplane = \"xz\"\n" : "");
  test::Random random(5);
  for (int i = 0; i < n; ++i) {
    const double radius = random.uniform(0.05, 0.09), mass = 2500.0 * pi * radius * radius;
    const double moment = 0.5 * mass * radius * radius;
    const std::string place = fmt::format(
        "material = \"s\"\nposition = [{:.6f}, 0, {:.6f}]\nvelocity = [{:.3f}, 0, -2]\n",
        0.19 * (i % 5) + random.uniform(0.0, 0.01), 0.1 + 0.185 * (i / 5),
        random.uniform(-0.3, 0.3));
    text += fmt::format("[[body]]\nname = \"d{}\"\n", i) + place;
    text += plane ? fmt::format("kind = \"disc\"\nradius = {:.17g}\n", radius)
                  : fmt::format(
                        "kind = \"sphere\"\nradius = {:.17g}\nmass = {:.17g}\ninertia = [{:.17g}, "
                        "{:.17g}, {:.17g}]\n",
                        radius, mass, moment, moment, moment);
  }
  return text;
}

}  // namespace

TEST_CASE("Plane mode is the motion in space that starts in the plane", "[locks][validation]") {
  for (const double h : {1e-3, 5e-4}) {
    Scene plane = parse_scene(heap(50, h, true), "plane.toml"),
          space = parse_scene(heap(50, h, false), "space.toml");
    Workspace in_plane(plane.model, plane.settings), in_space(space.model, space.settings);
    double apart = 0.0, out = 0.0, balance = 0.0;
    std::int64_t contacts = 0;
    for (int k = 0; k < static_cast<int>(std::lround(0.1 / h)); ++k) {
      const StepRecord record = step(plane.model, plane.settings, plane.state, in_plane);
      REQUIRE(record.converged);
      contacts = std::max(contacts, record.contacts);
      balance = std::max(balance, std::abs(record.ledger.balance));
      REQUIRE(step(space.model, space.settings, space.state, in_space).converged);
      for (std::size_t i = 0; i < plane.state.x.size(); ++i) {
        apart = std::max(apart, (plane.state.x[i] - space.state.x[i]).norm());
        out = std::max({out, std::abs(plane.state.x[i].y()), std::abs(plane.state.v[i].y())});
      }
    }
    INFO("h " << h << ", " << contacts << " contacts");
    CHECK(contacts > 12);
    CHECK(apart <= 1e-9);
    CHECK(out == 0.0);
    CHECK(balance <= 1e-12 * plane.state.energy_scale);
    validation("50 discs for 0.1 s, h = " + test::digits(h) + " s: plane mode against space",
               "the same paths", test::digits(apart, 2) + " m apart", apart, 1e-9,
               "spheres of the discs' masses that start in the plane");
  }
}

TEST_CASE("A disc rolls down a slope at two thirds of what it would slide", "[locks][validation]") {
  const double a = 0.2, expected = 2.0 / 3.0 * g * std::sin(a);
  for (const double h : {5e-3, 1e-3}) {
    const std::string text = fmt::format(
        "[world]\nplane = \"xz\"\n[time]\ndt = {}\nend = 1\n[[material]]\nname = \"s\"\ndensity = "
        "1000\n[[contact]]\nbetween = [\"s\", \"s\"]\nmu = 0.5\ne = 0\n[[body]]\nname = "
        "\"slope\"\nkind = "
        "\"half_space\"\nnormal = [{:.17g}, 0, {:.17g}]\nmaterial = \"s\"\n[[body]]\nname = "
        "\"disc\"\nkind "
        "= \"disc\"\nradius = 0.25\nthickness = 0.1\nmaterial = \"s\"\nposition = [{:.17g}, 0, "
        "{:.17g}]\n",
        h, std::sin(a), std::cos(a), 0.25 * std::sin(a), 0.25 * std::cos(a));
    Scene scene = parse_scene(text, "disc.toml");
    CHECK(std::abs(scene.model.mass[1] - 1000.0 * pi * 0.0625 * 0.1) <= 1e-12);
    CHECK(std::abs(scene.model.inertia[1].y() - 0.5 * scene.model.mass[1] * 0.0625) <= 1e-14);
    Workspace work(scene.model, scene.settings);
    const int n = static_cast<int>(std::lround(1.0 / h));
    for (int k = 0; k < n; ++k)
      REQUIRE(step(scene.model, scene.settings, scene.state, work).converged);
    const double got = scene.state.v[1].norm() / (n * h);
    CHECK(std::abs(got - expected) <= 1e-6 * expected);
    validation("disc rolls down a slope of 0.2 rad, h = " + test::digits(h) + " s",
               test::digits(expected) + " m/s2", test::digits(got) + " m/s2",
               std::abs(got / expected - 1.0), 1e-6, "2/3 g sin a");
  }
}

TEST_CASE("A wall under pressure presses one block into a corner", "[locks][validation]") {
  const double p = 2.5e4, area = 0.35, m = 90.0;
  for (const double h : {5e-3, 1e-3}) {
    World world = smooth_world(h);
    const BodyIndex floor = world.add_plane(),
                    far = world.add_plane(Vector3(1.0, 0.0, 0.0), Vector3::Zero());
    const BodyIndex block = world.add(
        [&] {
          BodyDefinition body = solid(make_box({0.5, 0.5, 0.7}), m);
          body.name = "block";
          return body;
        }(),
        {Vector3(0.25, 0.0, 0.35), Quaternion::Identity()});
    const BodyIndex wall = add_locked(world, solid(make_box({0.1, 0.5, 0.7}), 20.0),
                                      {Vector3(0.55, 0.0, 0.35), Quaternion::Identity()}, {"x"},
                                      {constant_load({-p * area, 0.0, 0.0})});
    Stepper stepper(world);
    stepper.steps(50);
    const double at_far = normal_force(stepper, h, far, block),
                 at_floor = normal_force(stepper, h, floor, block),
                 at_wall = normal_force(stepper, h, wall, block);
    CHECK(std::abs(at_far - p * area) <= 1e-8 * p * area);
    CHECK(std::abs(at_wall - p * area) <= 1e-8 * p * area);
    CHECK(std::abs(at_floor - m * g) <= 1e-8 * m * g);
    CHECK(normal_force(stepper, h, floor, wall) == 0.0);
    validation(
        "wall under pressure, block in a corner, h = " + test::digits(h) + " s: at the far wall",
        test::digits(p * area) + " N", test::digits(at_far) + " N",
        std::abs(at_far / (p * area) - 1.0), 1e-8, "p A");
  }
}

TEST_CASE("Oedometer: the stress in each cube is the pressure and what lies above",
          "[locks][validation]") {
  const double p = 5e4, side = 0.4, density = 2000.0, lid_mass = 30.0;
  const int n = 8;
  for (const double h : {4e-3, 1e-3}) {
    World world = smooth_world(h);
    world.add_plane();
    for (const double sign : {-1.0, 1.0}) {
      world.add_plane(Vector3(sign, 0.0, 0.0), Vector3(-sign * 0.5 * side, 0.0, 0.0));
      world.add_plane(Vector3(0.0, sign, 0.0), Vector3(0.0, -sign * 0.5 * side, 0.0));
    }
    const BodyIndex first = world.model.n_bodies();
    for (int i = 0; i < n; ++i)
      world.add_box({side, side, side},
                    {Vector3(0.0, 0.0, side * (i + 0.5)), Quaternion::Identity()}, density);
    const double area = side * side;
    const BodyIndex lid = add_locked(world, solid(make_box({side, side, 0.1}), lid_mass),
                                     {Vector3(0.0, 0.0, side * n + 0.05), Quaternion::Identity()},
                                     {"z"}, {constant_load({0.0, 0.0, -p * area})});
    Stepper stepper(world);
    stepper.steps(50);
    double worst = 0.0;
    for (int i = 0; i < n; ++i) {
      const BodyIndex below = i == 0 ? 0 : first + i - 1, above = i == n - 1 ? lid : first + i + 1;
      const double stress = 0.5 *
                            (normal_force(stepper, h, below, first + i) +
                             normal_force(stepper, h, first + i, above)) /
                            area;
      const double expected = p + lid_mass * g / area + density * g * side * (n - i - 0.5);
      worst = std::max(worst, std::abs(stress / expected - 1.0));
    }
    CHECK(worst <= 1e-6);
    validation(
        "oedometer, 8 cubes under a lid, h = " + test::digits(h) + " s: largest error of a stress",
        "p + rho g depth", test::digits(worst, 2) + " of it", worst, 1e-6, "statics");
  }
}

TEST_CASE("A pressure on a span follows the walls that bound it", "[locks]") {
  // A lid on an air cushion of depth 2 m between two walls, one of which is driven away.
  const std::string text =
      "[world]\ngravity = [0, 0, 0]\n[time]\ndt = 0.01\nend = 1\n[[material]]\nname = "
      "\"s\"\ndensity = "
      "1\n[[contact]]\nbetween = [\"s\", \"s\"]\nmu = 0\ne = 0\n"
      "[[body]]\nname = \"left\"\nkind = \"box\"\nsides = [0.2, 2, 1]\nfixed = true\nmaterial = "
      "\"s\"\nposition = [-3, 0, 0]\n"
      "[[body]]\nname = \"right\"\nkind = \"box\"\nsides = [0.4, 2, 1]\nmaterial = \"s\"\nposition "
      "= [3, 0, "
      "0]\nmotion = { kind = \"velocity\", time = [0], linear = [[1.5, 0, 0]] }\n"
      "[[body]]\nname = \"lid\"\nkind = \"box\"\nsides = [1, 1, 0.1]\nmass = 10\nmaterial = "
      "\"s\"\nposition = [0, 0, 5]\nfree = [\"z\"]\n"
      "load = { pressure = 3, direction = [0, 0, 2], span = { between = [\"left\", \"right\"], "
      "axis = [1, "
      "0, 0], length = 5.7, depth = 2 } }\n";
  Scene scene = parse_scene(text, "lid.toml");
  Workspace work(scene.model, scene.settings);
  double v = 0.0;
  for (int k = 0; k < 100; ++k) {
    v += 0.01 * 3.0 * 2.0 * (5.7 + 1.5 * 0.01 * k) / 10.0;
    REQUIRE(step(scene.model, scene.settings, scene.state, work).converged);
    REQUIRE(std::abs(scene.state.v[2].z() - v) <= 1e-12);
  }
}

TEST_CASE("The ledger closes with locks, loads, drag and a shaken plane at once",
          "[locks][validation]") {
  for (const double theta : {0.5, 0.6}) {
    for (const double h : {2e-3, 5e-4}) {
      Scene scene = parse_scene(heap(40, h, true), "plane.toml");
      scene.settings.time.theta = theta;
      // Every other one in the frames of the middle.
      scene.settings.step.frames = h < 1e-3 ? Frames::middle : Frames::start;
      scene.settings.step.solver.tolerance = 1e-7;
      scene.settings.step.rest = Rest::damped;
      Record shaking{{0.0, 0.1, 0.2}, {{0.0, 0.0, 0.0}, {4.0, 1.0, 2.0}, {-3.0, 0.0, 0.0}}, true};
      sum_up(shaking);
      scene.model.field = {{shaking, true}};
      // One of them pushed, a third of them in what resists.
      for (SteeredBody& steered : scene.model.steered) {
        if (steered.body % 3 == 0) steered.drag = {20.0, 0.5};
      }
      scene.model.loads.push_back(constant_load({30.0, 5.0, 10.0}, {1.0, 2.0, 0.0}));
      scene.model.steered.back().load_begin = 0, scene.model.steered.back().load_end = 1;
      Workspace work(scene.model, scene.settings);
      double balance = 0.0, external = 0.0, drag = 0.0;
      for (int k = 0; k < static_cast<int>(std::lround(0.5 / h)); ++k) {
        const LedgerRow row = step(scene.model, scene.settings, scene.state, work).ledger;
        balance = std::max(balance, std::abs(row.balance));
        external += row.external_work, drag += row.drag_work;
      }
      INFO("theta " << theta << ", h " << h);
      CHECK(external != 0.0);
      CHECK(drag < 0.0);
      CHECK(balance <= 1e-12 * scene.state.energy_scale);
      validation("ledger with locks, loads, field and drag, theta = " + test::digits(theta) +
                     ", h = " + test::digits(h) + " s: balance",
                 "0", test::digits(balance / scene.state.energy_scale, 2) + " of the scale",
                 balance / scene.state.energy_scale, 1e-12, "every joule has a name");
    }
  }
}

TEST_CASE("Plane mode gives the same bits with any number of threads", "[locks]") {
  const std::string text = heap(400, 2e-3, true);
  const auto hash = [&](Backend backend, int threads) {
    Scene scene = parse_scene(text, "plane.toml");
    scene.settings.backend = backend, scene.settings.threads = threads;
    scene.settings.step.solver.tolerance = 1e-5;
    Workspace work(scene.model, scene.settings);
    for (int k = 0; k < 60; ++k) (void)step(scene.model, scene.settings, scene.state, work);
    return state_hash(scene.state);
  };
  const std::string serial = hash(Backend::serial, 1);
  for (const int threads : {1, 2, 3}) {
    CHECK(hash(Backend::openmp, threads) == serial);
    CHECK(hash(Backend::tbb, threads) == serial);
  }
}

TEST_CASE("Every method of the solver finds the impulses of locked bodies", "[locks]") {
  using contact::Method;
  std::vector<std::vector<Vector3>> ends;
  for (const Method method :
       {Method::automatic, Method::nsgs, Method::nncg, Method::apgd, Method::interior}) {
    Scene scene = parse_scene(heap(25, 1e-3, true), "plane.toml");
    scene.settings.step.solver.tolerance = 1e-9;
    scene.settings.step.solver.method = method;
    Workspace work(scene.model, scene.settings);
    for (int k = 0; k < 80; ++k) {
      INFO("method " << static_cast<int>(method) << ", step " << k);
      REQUIRE(step(scene.model, scene.settings, scene.state, work).converged);
    }
    ends.push_back(scene.state.x);
  }
  for (std::size_t m = 1; m < ends.size(); ++m) {
    for (std::size_t i = 0; i < ends[m].size(); ++i)
      CHECK((ends[m][i] - ends[0][i]).norm() <= 1e-6);
  }
}

}  // namespace locks_test
