// Driven supports: one that settles under a wall, a table that a file shakes, a table that turns.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <string>

#include "tests/support/scene_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace driven_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;
constexpr double block_mass = 2.0 * 2300.0;

// A support that goes down 5 cm between 0.2 and 1.2 s under a wall of three courses.
World settling_wall(double h) {
  World world;
  world.law() = PairLaw{0.6, 0.0, ImpactLaw::fremond};
  world.settings.time.dt = h;
  BodyDefinition support;
  support.name = "support";
  support.kind = BodyKind::driven;
  support.shape = make_box(Vector3(3.0, 10.0, 1.0));
  support.history = {HistoryKind::velocity,
                     {},
                     {0.2, 0.7, 1.2},
                     {Vector3::Zero(), Vector3(0.0, 0.0, -0.1), Vector3::Zero()},
                     {Vector3::Zero(), Vector3::Zero(), Vector3::Zero()}};
  world.add(support, Pose{Vector3(0.0, 0.0, -0.5), Quaternion::Identity()});
  for (int course = 0; course < 3; ++course) {
    for (int i = 0; i < 4 - course; ++i) {
      world.add_box(Vector3(1.0, 2.0, 1.0), Pose{Vector3(0.0, 2.0 * i - 3.0 + course, 0.5 + course),
                                                 Quaternion::Identity()});
    }
  }
  return world;
}

}  // namespace

TEST_CASE("Wall goes down with its support as one piece", "[engine][analytic]") {
  for (const double h : {2e-3, 1e-3}) {
    World world = settling_wall(h);
    Stepper stepper(world);
    const std::vector<Vector3> start = world.state.x;
    const double weight = 9.0 * block_mass * g;
    double work = 0.0, reaction = 0.0;
    for (int k = 0; k < static_cast<int>(std::lround(1.5 / h)); ++k) {
      const StepRecord& record = stepper.step();
      REQUIRE(std::abs(record.ledger.balance) <= 1e-9 * record.ledger.energy_scale);
      work += record.ledger.driven_work;
      if (world.state.time > 1.3)
        reaction = std::max(reaction, std::abs(-stepper.impulse_on(0).z() / (weight * h) - 1.0));
    }
    double off = 0.0;
    for (std::size_t i = 0; i < start.size(); ++i) {
      off = std::max(off, (world.state.x[i] - start[i] - Vector3(0.0, 0.0, -0.05)).norm());
    }
    const std::string name = "support settles 5 cm under 9 blocks, h = " + test::digits(h) + " s: ";
    // velocities are good to 1e-8 of the weight's impulse, over 1500 steps; the work to the same
    // share
    CHECK(test::validated({"Driven supports", name + "wall's displacement less the support's [m]",
                           0.0, off, 1e-6, false, "rigid motion"}));
    CHECK(test::validated({"Driven supports", name + "work of the support [J]", -weight * 0.05,
                           work, 1e-5, true, "-M g 0.05 m"}));
    CHECK(test::validated({"Driven supports", name + "reaction / weight, after", 1.0,
                           1.0 + reaction, 1e-5, false, "statics"}));
  }
}

TEST_CASE(
    "Support that settles under the middle of a wall takes its blocks along and books its work",
    "[engine][property]") {
  for (const double h : {1e-3, 5e-4}) {
    Scene scene = test::shipped_scene("settling_support.toml");
    scene.settings.time.dt = h;
    Workspace work(scene.model, scene.settings);
    const auto support = static_cast<std::size_t>(test::body_named(scene.model, "support"));
    const auto left = static_cast<std::size_t>(test::body_named(scene.model, "left"));
    const auto right = static_cast<std::size_t>(test::body_named(scene.model, "right"));
    double total = 0.0, carried = 0.0, reaction = 0.0, mass = 0.0, balance = 0.0, off = 0.0;
    int late = 0;
    for (const double m : scene.model.mass) mass += m;
    for (int k = 0; k < static_cast<int>(std::lround(1.5 / h)); ++k) {
      const Vector3 before = scene.state.x[support];
      const StepRecord record = step(scene.model, scene.settings, scene.state, work);
      const Vector3 moved = scene.state.x[support] - before;
      const double expected = -work.impulse[support].dot(moved / h);
      total += std::abs(expected);
      balance = std::max(balance, std::abs(record.ledger.balance) / record.ledger.energy_scale);
      off = std::max(off,
                     std::abs(record.ledger.driven_work - expected) / (1.0 + std::abs(expected)));
      if (scene.state.time < 1.3) continue;
      ++late;
      carried -= work.impulse[support].z() / h;
      reaction -= (work.impulse[support] + work.impulse[left] + work.impulse[right]).z() / h;
    }
    const std::string name =
        "support settles 5 cm under the middle of a wall, h = " + test::digits(h) + " s: ";
    const char* section = "Driven supports";
    CHECK(std::abs(scene.state.x[support].z() + 0.55) <
          1e-12);  // trapezoidal rule, exact for the polygon of velocities
    double behind = 0.0;
    for (const char* block_name : {"wall-1-3", "wall-1-4"}) {
      const auto block = static_cast<std::size_t>(test::body_named(scene.model, block_name));
      behind = std::max(behind, std::abs(scene.state.x[block].z() - 0.45));
    }
    // The tolerance, 1e-7, of the speeds that g gives in a step: if all of one sign, 1e-7 g (1.5
    // s)^2.
    CHECK(
        test::validated({section, name + "height of the blocks on it less that of the support [m]",
                         0.0, behind, 2e-6, false, "they went down with it"}));
    const auto above = static_cast<std::size_t>(test::body_named(scene.model, "wall-5-3"));
    CHECK(scene.state.x[above].z() > 4.45);  // the courses above bridge a part of the way
    CHECK(total > 100.0);  // joules: the check of the work above had something to check
    CHECK(test::validated({section,
                           name + "work booked less -p . v of the support, rel. to 1 J and more",
                           0.0, off, 1e-9, false, "impulse times way over h"}));
    CHECK(test::validated(
        {section, name + "balance of the ledger, rel.", 0.0, balance, 1e-9, false, "energy"}));
    carried /= late;
    CHECK(carried > 0.9 * 2.0 * block_mass * g);  // at least what stands on it alone
    CHECK(carried < 0.5 * mass * g);              // and less than half of the wall
    CHECK(test::validated({section, name + "reactions / weight, mean over 0.2 s", 1.0,
                           reaction / late / (mass * g), 1e-6, false, "statics"}));
  }
}

namespace {

// A table that a recorded file drives, with a block on it.
const char* const driven_scene = R"([time]
dt = 0.002
end = 1.0

[solver]
tolerance = 1e-10

[[material]]
name = "stone"
density = 2300

[[contact]]
between = ["stone", "stone"]
mu = 0.6
e = 0.0

[[body]]
name = "table"
kind = "box"
sides = [6, 6, 1]
material = "stone"
position = [0, 0, -0.5]
motion = { kind = "velocity", file = "shake.csv" }

[[body]]
name = "block"
kind = "box"
sides = [1, 1, 1]
material = "stone"
position = [0, 0, 0.5]
)";

// Knots between the steps, unlike lengths, and a column that is not there; at the end it holds its
// last velocity.
const char* const shake_csv =
    "# recorded\ntime [s], linear_x [m/s], linear_z [m/s]\n0, 0.1, 0\n0.1013, -0.2, 0.15\n0.25, "
    "0.05, -0.1\n0.7007, 0.3, 0.2\n";

constexpr double shake_time[] = {0.0, 0.1013, 0.25, 0.7007};

Vector3 shake_at(double t) {
  const double *time = shake_time, x[] = {0.1, -0.2, 0.05, 0.3}, z[] = {0.0, 0.15, -0.1, 0.2};
  for (int i = 0; i < 3; ++i) {
    if (t > time[i + 1]) continue;
    const double share = (t - time[i]) / (time[i + 1] - time[i]);
    return {x[i] + share * (x[i + 1] - x[i]), 0.0, z[i] + share * (z[i + 1] - z[i])};
  }
  return {x[3], 0.0, z[3]};
}

// Way from t to t + h: trapezia between the entries.
Vector3 shaken_way(double t, double h) {
  Vector3 way = Vector3::Zero();
  double from = t;
  const auto add_until = [&](double to) {
    way += 0.5 * (to - from) * (shake_at(from) + shake_at(to));
    from = to;
  };
  for (const double entry : shake_time) {
    if (entry > from && entry < t + h) add_until(entry);
  }
  add_until(t + h);
  return way;
}

}  // namespace

TEST_CASE("Table driven by a CSV file moves as the file says and its work is in the ledger",
          "[engine][analytic]") {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("shake.csv")) << shake_csv;
  const auto read = [&](const std::string& name) { return test::text_of(folder.file(name)); };
  for (const double theta : {0.5, 0.8}) {
    for (const double h : {2e-3, 1e-3}) {
      Scene scene = parse_scene(driven_scene, folder.file("scene.toml"), read);
      scene.settings.time.dt = h;
      scene.settings.time.theta = theta;
      Workspace work(scene.model, scene.settings);
      State& state = scene.state;
      Vector3 x = state.x[0];
      double seen = 0.0, velocity = 0.0, place = 0.0, booked = 0.0, balance = 0.0, total = 0.0,
             gain = 0.0, lost = 0.0;
      double energy = 0.5 * scene.model.mass[1] * state.v[1].squaredNorm() +
                      scene.model.mass[1] * g * state.x[1].z();
      const double start = energy;
      for (int k = 0; k < static_cast<int>(std::lround(1.0 / h)); ++k) {
        // The mean is the way over h; both ends are those of the file, shifted alike.
        const Vector3 v_theta = shaken_way(k * h, h) / h, file_k1 = shake_at((k + 1) * h);
        const Vector3 shift = v_theta - ((1.0 - theta) * shake_at(k * h) + theta * file_k1);
        const Vector3 at_k = shake_at(k * h) + shift, at_k1 = file_k1 + shift;
        const Vector3 block_v = state.v[1], block_w = state.q[1] * state.w[1];
        const StepRecord record = step(scene.model, scene.settings, state, work);
        REQUIRE(work.problem.n_contacts() == 4);
        for (std::size_t c = 0; c < 4;
             ++c) {  // the velocity of the block relative to the table that the law sees at t_k
          const Vector3 relative = block_v + block_w.cross(work.problem.r_b_W[c]) - at_k;
          seen = std::max(seen, (work.u_0[c] - work.problem.R_WC[c].transpose() * relative).norm());
        }
        velocity =
            std::max({velocity, (work.end.v[0] - at_k1).norm(), (state.v[0] - file_k1).norm()});
        x += h * v_theta;
        place = std::max(place, (state.x[0] - x).norm());
        const double pushed = -work.impulse[0].dot(v_theta);
        total += std::abs(pushed), gain += record.ledger.driven_work;
        lost += record.ledger.contact_normal_work + record.ledger.contact_tangential_work +
                record.ledger.numerical_dissipation;
        booked = std::max(booked, std::abs(record.ledger.driven_work - pushed));
        balance = std::max(balance, std::abs(record.ledger.balance) / record.ledger.energy_scale);
      }
      energy = 0.5 * scene.model.mass[1] * state.v[1].squaredNorm() +
               scene.model.mass[1] * g * state.x[1].z();
      const std::string name = "table driven by a CSV file, theta = " + test::digits(theta) +
                               ", h = " + test::digits(h) + " s: ";
      const char* section = "Driven supports";
      // all of it round-off of velocities below 1 m/s, of times over h, over 1000 steps, and of the
      // block's energy, some 1e4 J
      CHECK(test::validated({section, name + "velocity at t_k in the contact law [m/s], off", 0.0,
                             seen, 1e-12, false, "the file's, shifted to its mean"}));
      CHECK(test::validated({section, name + "velocity at the end of a step [m/s], off", 0.0,
                             velocity, 1e-12, false, "the file's"}));
      CHECK(test::validated({section, name + "place less the integral of the file [m]", 0.0, place,
                             1e-13, false, "trapezia between entries"}));
      CHECK(test::validated({section, name + "work booked in a step less -p . v_theta [J]", 0.0,
                             booked, 1e-9, false, "impulse on the table"}));
      CHECK(test::validated({section, name + "energy of the block less all works [J]", 0.0,
                             energy - start - gain - lost, 1e-7, false, "energy"}));
      CHECK(test::validated(
          {section, name + "balance of the ledger, rel.", 0.0, balance, 1e-12, false, "energy"}));
      CHECK(total > 1e3);  // joules: there was work to book
    }
  }
}

}  // namespace driven_test
