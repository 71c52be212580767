// Impact log, screens and groups against the ledger, the scheme's own motion and balances of
// momentum that are computed here from the states alone.
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <optional>

#include "engine/base/check.hpp"
#include "engine/files/checkpoint.hpp"
#include "engine/files/result_reader.hpp"
#include "engine/measure/groups.hpp"
#include "engine/measure/impact_log.hpp"
#include "engine/measure/screens.hpp"
#include "scenes/simulation.hpp"
#include "tests/support/scene_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace scree::devices_test {
namespace {

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

// What is needed of a state to compute with.
struct Snapshot {
  std::vector<Vector3> x, v, w;
  std::vector<Quaternion> q;

  explicit Snapshot(const State& state) : x(state.x), v(state.v), w(state.w), q(state.q) {}
  Vector3 velocity_at(std::size_t body, const Vector3& point) const {
    return v[body] + (q[body] * w[body]).cross(point - x[body]);
  }
};

// Runs a scene; look(view, before) after each step.
template <class Look>
void run_with(Scene scene, Look&& look) {
  Simulation simulation(std::move(scene));
  std::optional<Snapshot> before;
  simulation.observe([&](const StepView& view) {
    if (view.record.step > 0) look(view, *before);
    before.emplace(view.state);
  });
  simulation.run();
}

Scene rock_alone() { return test::shipped_scene("rock_alone.toml"); }

}  // namespace

TEST_CASE("Impact log of the rock alone has its four impacts and the whole ledger",
          "[engine][oracle]") {
  Scene scene = rock_alone();
  scene.settings.measure.impacts.speed = 0.5;
  const auto rock = static_cast<std::size_t>(test::body_named(scene.model, "rock"));
  std::vector<measure::Impact> log;
  double normal = 0.0, tangential = 0.0, below = 0.0, worst = 0.0, scale = 0.0;
  run_with(std::move(scene), [&](const StepView& view, const Snapshot& before) {
    const std::size_t first = log.size();
    const measure::BelowThreshold rest = measure::log_impacts(view, log);
    double n = rest.normal_work, t = rest.tangential_work;
    CHECK(rest.contacts + static_cast<std::int64_t>(log.size() - first) == view.record.contacts);
    for (std::size_t i = first; i < log.size(); ++i) {
      const measure::Impact& impact = log[i];
      n += impact.normal_work, t += impact.tangential_work;
      // The velocities at both ends of the step with the lever arms of its start, from the states.
      const Snapshot after(view.state);
      const std::size_t c =
          static_cast<std::size_t>(std::ranges::find_if(view.contacts.key,
                                                        [&](const ContactKey& key) {
                                                          return key.body_a == impact.body_a &&
                                                                 key.feature_b == impact.feature_b;
                                                        }) -
                                   view.contacts.key.begin());
      REQUIRE(impact.body_b == static_cast<std::int32_t>(rock));
      const Vector3 arm = view.contacts.point_b[c] - before.x[rock];
      const Matrix3 R = before.q[rock].toRotationMatrix();
      const Vector3 u_0 = before.v[rock] + (R * before.w[rock]).cross(arm), w_1 = R * after.w[rock],
                    u_1 = after.v[rock] + w_1.cross(arm);
      const double size = u_0.norm();
      CHECK_THAT(impact.velocity_before.x(), WithinAbs(u_0.dot(impact.normal), 1e-12 * size));
      CHECK_THAT(impact.velocity_after.x(), WithinAbs(u_1.dot(impact.normal), 1e-12 * size));
      CHECK_THAT(impact.velocity_before.tail<2>().norm(),
                 WithinAbs((u_0 - u_0.dot(impact.normal) * impact.normal).norm(), 1e-12 * size));
      CHECK(-impact.velocity_before.x() >= 0.5);
      CHECK(impact.step == view.record.step);
      CHECK_THAT(impact.energy_lost,
                 WithinRel(-(impact.normal_work + impact.tangential_work), 1e-14));
    }
    // Sums in another order: round-off of what is summed, measured at the whole run's largest.
    worst = std::max({worst, std::abs(n - view.record.ledger.contact_normal_work),
                      std::abs(t - view.record.ledger.contact_tangential_work)});
    normal += view.record.ledger.contact_normal_work;
    tangential += view.record.ledger.contact_tangential_work;
    below += rest.normal_work + rest.tangential_work;
    scale = std::max(scale, view.record.ledger.energy_scale);
  });
  CHECK(worst <= 1e-15 * scale);
  // As an independent program has them (rockfall_test.cpp).
  const double expected[] = {0.5210, 0.5335, 0.6430, 1.5485};
  REQUIRE(log.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK_THAT(log[i].time, WithinAbs(expected[i], 1e-12));
  double lost = 0.0;
  for (const measure::Impact& impact : log) lost += impact.energy_lost;
  CHECK_THAT(-lost + below, WithinAbs(normal + tangential, 1e-14 * scale));
  CHECK(lost > 0.5 * -(normal + tangential));  // most of it, as the scene's text says
}

TEST_CASE("Impact log counts what laws and moments book besides", "[engine][property]") {
  Scene scene = parse_scene(R"(
[time]
dt = 0.001
end = 0.3
[[material]]
name = "a"
density = 1000
[[contact]]
between = ["a", "a"]
mu = 0.5
e = 0
rolling = 0.02
cohesion = 30
[record]
impacts = { impulse = 0.05 }
[[body]]
name = "ground"
kind = "half_space"
normal = [0.3, 0, 1]
material = "a"
[[body]]
name = "ball"
kind = "sphere"
radius = 0.1
material = "a"
position = [0, 0, 0.15]
velocity = [0.5, 0.2, -1]
angular_velocity = [1, 2, 0]
)",
                            "cohesive");
  double law = 0.0, rolling = 0.0, worst = 0.0;
  std::int64_t logged = 0, rest_contacts = 0;
  run_with(std::move(scene), [&](const StepView& view, const Snapshot&) {
    std::vector<measure::Impact> log;
    measure::BelowThreshold sum = measure::log_impacts(view, log);
    rest_contacts += sum.contacts;
    for (const measure::Impact& impact : log) {
      ++logged;
      sum.rolling_work += impact.rolling_work, sum.law_work += impact.law_work;
      CHECK_THAT(impact.energy_lost, WithinRel(-(impact.normal_work + impact.tangential_work +
                                                 impact.rolling_work + impact.law_work),
                                               1e-14));
    }
    const LedgerRow& ledger = view.record.ledger;
    double booked = 0.0;
    for (const double energy : ledger.law_energy) booked += energy;
    worst = std::max({worst, std::abs(sum.law_work - booked),
                      std::abs(sum.rolling_work - ledger.contact_rolling_work)});
    law += std::abs(booked), rolling += std::abs(ledger.contact_rolling_work);
  });
  CHECK(logged > 0);
  CHECK(rest_contacts > 0);
  CHECK(law > 1e-9);
  CHECK(rolling > 1e-6);
  CHECK(worst == 0.0);  // one contact a step: no sum is in another order
}

TEST_CASE("Screens note pose, velocity and energies of the motion of the step",
          "[engine][analytic]") {
  const double theta = GENERATE(0.5, 0.8);
  Scene scene = rock_alone();
  scene.settings.time.theta = theta;
  scene.settings.time.end = 1.0;
  const auto rock = static_cast<std::size_t>(test::body_named(scene.model, "rock"));
  const std::size_t n = scene.model.name.size();
  const std::vector<std::uint8_t> all(n, 1);
  scene.settings.measure.screens = {
      {"plane", Vector3(0.0, 0.0, 20.0), Vector3::UnitZ(), {}, all},
      {"askew", Vector3(27.0, 0.0, 22.0), Vector3(1.0, 2.0, 3.0).normalized(), {}, all},
      {"none watched",
       Vector3(0.0, 0.0, 20.0),
       Vector3::UnitZ(),
       {},
       std::vector<std::uint8_t>(n, 0)}};
  const std::vector<Screen> screens = scene.settings.measure.screens;
  const double mass = scene.model.mass[rock];
  const Vector3 J = scene.model.inertia[rock], g = scene.model.gravity;
  const double h = scene.settings.time.dt;
  const Quaternion q_BU = scene.model.q_BU[rock];
  std::vector<measure::Crossing> crossings;
  measure::Screens watch;
  watch.start(scene.state);
  std::map<std::int32_t, int> seen;
  run_with(std::move(scene), [&](const StepView& view, const Snapshot& before) {
    crossings.clear();
    watch.watch(view, crossings);
    for (const measure::Crossing& c : crossings) {
      ++seen[c.screen];
      REQUIRE(c.body == static_cast<std::int32_t>(rock));
      const Screen& screen = screens[static_cast<std::size_t>(c.screen)];
      const Vector3 v = (1.0 - theta) * before.v[rock] + theta * view.state.v[rock],
                    w = (1.0 - theta) * before.w[rock] + theta * view.state.w[rock];
      const double s =
          screen.normal.dot(screen.point - before.x[rock]) / (h * screen.normal.dot(v));
      const Vector3 x = before.x[rock] + s * h * v;
      CHECK(s > 0.0);
      CHECK(s <= 1.0);
      CHECK_THAT(c.time, WithinAbs((static_cast<double>(view.record.step) - 1.0 + s) * h, 1e-14));
      CHECK((c.position - x).norm() < 1e-13 * x.norm());
      CHECK(std::abs(screen.normal.dot(c.position - screen.point)) < 1e-13 * x.norm());
      // q_k cay(s h w_theta), written out.
      const Vector3 half = 0.5 * s * h * w;
      Quaternion turn(1.0, half.x(), half.y(), half.z());
      turn.normalize();
      CHECK((c.orientation.coeffs() - (before.q[rock] * turn * q_BU).coeffs()).norm() < 1e-13);
      CHECK((c.velocity - v).norm() <= 1e-14 * v.norm());
      CHECK((q_BU * c.spin - w).norm() <= 1e-14 * w.norm());
      CHECK_THAT(c.kinetic, WithinRel(0.5 * mass * v.squaredNorm(), 1e-12));
      CHECK_THAT(c.rotation, WithinRel(0.5 * w.dot(J.cwiseProduct(w)), 1e-12));
      CHECK_THAT(c.potential, WithinRel(-mass * g.dot(x), 1e-12));
      CHECK_THAT(c.height, WithinRel(x.z(), 1e-12));
      CHECK(c.direction == (screen.normal.dot(v) > 0.0 ? 1 : -1));
      CHECK(c.corrected == 0);
    }
  });
  CHECK(seen[0] >= 1);
  CHECK(seen[1] >= 1);
  CHECK(seen.count(2) == 0);
}

TEST_CASE("Polygon lets count only who passes inside, also where it is not convex",
          "[engine][unit]") {
  // An L in the plane y = 2, seen from all three axes that may be dropped.
  const Quaternion turn = GENERATE(Quaternion::Identity(), Quaternion(0.5, 0.5, 0.5, 0.5),
                                   Quaternion(0.5, -0.5, -0.5, -0.5));
  Screen screen;
  for (const Vector3& corner : {Vector3(0, 2, 0), Vector3(3, 2, 0), Vector3(3, 2, 1),
                                Vector3(1, 2, 1), Vector3(1, 2, 3), Vector3(0, 2, 3)})
    screen.corners.emplace_back(turn * corner);
  screen.normal = turn * Vector3::UnitY();
  const auto inside = [&](double x, double z) {
    return measure::contains(screen, turn * Vector3(x, 2.0, z));
  };
  CHECK(inside(0.5, 0.5));
  CHECK(inside(2.5, 0.5));
  CHECK(inside(0.5, 2.5));
  CHECK_FALSE(inside(2.0, 2.0));
  CHECK_FALSE(inside(-0.1, 0.5));
  CHECK_FALSE(inside(3.1, 0.5));
  CHECK_FALSE(inside(0.5, 3.1));
}

TEST_CASE("Passages of a screen add up to the change of sides", "[engine][property]") {
  // A ball that bounces through a level, with the position correction at work.
  Scene scene = parse_scene(R"(
[time]
dt = 0.003
end = 3
[law]
correction = "projection"
[[material]]
name = "a"
density = 1000
[[contact]]
between = ["a", "a"]
mu = 0.5
e = 0.8
[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "a"
[[body]]
name = "ball"
kind = "sphere"
radius = 0.1
material = "a"
position = [0, 0, 0.8]
[[screen]]
name = "level"
normal = [0, 0, 1]
point = [0, 0, 0.3]
)",
                            "bouncing");
  measure::Screens watch;
  watch.start(scene.state);
  std::vector<measure::Crossing> crossings;
  int side = 1, net = 1;
  run_with(std::move(scene), [&](const StepView& view, const Snapshot&) {
    crossings.clear();
    watch.watch(view, crossings);
    for (const measure::Crossing& c : crossings) net += 2 * c.direction;
    side = view.state.x[1].z() - 0.3 < 0.0 ? -1 : 1;
    REQUIRE(net == side);
  });
}

TEST_CASE("Groups of the rock on the wall get what their momentum changes by", "[engine][oracle]") {
  Scene scene = test::shipped_scene("wall_impact.toml");
  scene.settings.time.end = 0.01;
  BodyGroups& groups = scene.settings.measure.groups;
  groups = {};
  groups.name = {"ground", "rock", "wall"};
  groups.moved = 1e-3;
  for (const std::string& name : scene.model.name)
    groups.of_body.push_back(name == "ground" ? 0 : name == "rock" ? 1 : 2);
  const auto rock = static_cast<std::size_t>(test::body_named(scene.model, "rock"));
  const double mass = scene.model.mass[rock], h = scene.settings.time.dt;
  const Vector3 start = scene.state.v[rock], g = scene.model.gravity;
  const std::vector<Vector3> start_x = scene.state.x;
  const std::vector<Quaternion> start_q = scene.state.q;
  const auto pairs = measure::group_pairs(4);
  REQUIRE(pairs.size() == 6);
  measure::GroupSums sums(groups);
  Vector3 ground_on_rock = Vector3::Zero(), rock_on_wall = Vector3::Zero(), end = start;
  std::int64_t steps = 0;
  std::int32_t moved = 0, counted = 0;
  run_with(std::move(scene), [&](const StepView& view, const Snapshot&) {
    sums.add(view, start_x, start_q);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (pairs[k] == std::pair(0, 1)) ground_on_rock += sums.impulse()[k];
      if (pairs[k] == std::pair(1, 2)) rock_on_wall += sums.impulse()[k];
      if (pairs[k].second == 3) CHECK(sums.impulse()[k].isZero(0.0));  // nobody is in no group
    }
    end = view.state.v[rock];
    ++steps;
    moved = sums.moved()[2];
    counted = 0;
    for (std::size_t i = 0; i < view.state.x.size(); ++i) {
      if (i != rock && view.model.mass[i] > 0.0)
        counted += (view.state.x[i] - start_x[i]).norm() > 1e-3 ? 1 : 0;
    }
  });
  REQUIRE(rock_on_wall.norm() > 1e5);  // it does hit the wall
  const Vector3 gravity = mass * static_cast<double>(steps) * h * g, change = mass * (end - start);
  CHECK((-rock_on_wall + ground_on_rock + gravity - change).norm() < 1e-10 * rock_on_wall.norm());
  CHECK(moved == counted);
  CHECK(moved > 0);
}

TEST_CASE("Displacements relative to a body do not count its own motion", "[engine][unit]") {
  measure::Reference reference;
  const Vector3 a(1.0, 2.0, 3.0), b(1.5, 2.0, 2.0);
  CHECK((reference.displacement(a, b) - (b - a)).norm() == 0.0);
  // The reference moves and turns, and what lies on it goes with it.
  reference.start = {Vector3(0.5, 0.0, 0.0), Quaternion(Eigen::AngleAxisd(0.3, Vector3::UnitX()))};
  const Quaternion turn(Eigen::AngleAxisd(0.7, Vector3(1.0, 2.0, -1.0).normalized()));
  reference.now = {Vector3(4.0, -2.0, 1.0), turn * reference.start.q};
  const auto carried = [&](const Vector3& x) {
    return Vector3(reference.now.x + turn * (x - reference.start.x));
  };
  CHECK(reference.displacement(a, carried(a)).norm() < 1e-15 * 10);
  CHECK((reference.displacement(a, carried(b)) - (b - a)).norm() < 1e-15 * 10);
}

namespace {

// Blocks that fall on a ground which is shaken, with every device.
const char* const measured_scene = R"(
title = "Measured"
[time]
dt = 0.001
end = 0.4
[output]
frames_per_second = 50
[record]
impacts = { speed = 0.05, impulse = 0.5 }
moved = 0.002
relative_to = "ground"
[[material]]
name = "a"
density = 1000
[[contact]]
between = ["a", "a"]
mu = 0.5
e = 0.1
[[body]]
name = "ground"
kind = "box"
sides = [4, 4, 0.2]
position = [0, 0, -0.1]
material = "a"
group = "foundation"
motion = { kind = "velocity", time = [0, 0.1, 0.2, 0.4], linear = [[0, 0, 0], [0.5, 0, 0], [-0.5, 0, 0], [0, 0, 0]] }
[[stack]]
name = "tower"
material = "a"
group = "tower"
count = 3
sides = [0.2, 0.2, 0.2]
gap = 0.002
[[body]]
name = "ball"
kind = "sphere"
radius = 0.1
material = "a"
position = [-0.8, 0, 0.5]
velocity = [3, 0, 0]
[[screen]]
name = "net"
corners = [[-0.4, -1, 0], [-0.4, 1, 0], [-0.4, 1, 1], [-0.4, -1, 1]]
[[screen]]
name = "level"
normal = [0, 0, 1]
point = [0, 0, 0.45]
bodies = ["tower", "ball"]
)";

void check_equal_measures(const ResultReader& a, const ResultReader& b) {
  const auto impacts_a = a.impacts(), impacts_b = b.impacts();
  REQUIRE(impacts_a.size() == impacts_b.size());
  const auto equal_rows = []<class Row>(const Row& left, const Row& right) {
    std::vector<double> l, r;
    const auto list = [](std::vector<double>& to) {
      return [&to]<class T>(const measure::Column&, const T& value) {
        if constexpr (std::is_arithmetic_v<T>)
          to.push_back(static_cast<double>(value));
        else if constexpr (std::is_same_v<T, Quaternion>)
          to.insert(to.end(), {value.w(), value.x(), value.y(), value.z()});
        else
          to.insert(to.end(), {value.x(), value.y(), value.z()});
      };
    };
    Row::columns(left, list(l)), Row::columns(right, list(r));
    return l == r;
  };
  for (std::size_t i = 0; i < impacts_a.size(); ++i) CHECK(equal_rows(impacts_a[i], impacts_b[i]));
  const auto below_a = a.below_threshold(), below_b = b.below_threshold();
  REQUIRE(below_a.size() == below_b.size());
  for (std::size_t i = 0; i < below_a.size(); ++i) CHECK(equal_rows(below_a[i], below_b[i]));
  const auto crossings_a = a.crossings(), crossings_b = b.crossings();
  REQUIRE(crossings_a.size() == crossings_b.size());
  for (std::size_t i = 0; i < crossings_a.size(); ++i)
    CHECK(equal_rows(crossings_a[i], crossings_b[i]));
  for (std::size_t pair = 0; pair < a.groups().pair_a.size(); ++pair)
    CHECK(a.group_impulses(pair) == b.group_impulses(pair));
  for (std::size_t group = 0; group < a.groups().name.size(); ++group)
    CHECK(a.group_moved(group) == b.group_moved(group));
}

}  // namespace

TEST_CASE("Measurements of a run that was stopped and resumed are those of a run in one go",
          "[engine][determinism]") {
  const test::TemporaryFolder folder;
  const std::string whole = folder.file("whole.h5"), cut = folder.file("cut.h5");
  Simulation in_one(parse_scene(measured_scene, "measured"));
  in_one.record(whole);
  in_one.run();
  {
    Scene scene = parse_scene(measured_scene, "measured");
    Simulation first(std::move(scene));
    std::atomic<bool> stop = false;
    first.observe([&](const StepView& view) { stop = view.record.step == 137; });
    first.record(cut);
    first.run(&stop);
  }
  const Checkpoint checkpoint = read_checkpoint(checkpoint_path(cut));
  REQUIRE(checkpoint.state.step > 100);
  const Resumption resumption{cut, checkpoint.rows, checkpoint.state.step, checkpoint.state.time,
                              checkpoint.state.energy_scale};
  Simulation second(parse_scene(measured_scene, "measured"), checkpoint);
  second.go_on(cut, resumption);
  second.run();
  const ResultReader a(whole), b(cut);
  REQUIRE(a.impacts().size() > 10);
  REQUIRE(a.crossings().size() >= 2);
  REQUIRE(a.group_moved(1).back() > 0);
  CHECK(a.relative_to() == "ground");
  check_equal_measures(a, b);
  CHECK(a.state_hash() == b.state_hash());
}

TEST_CASE("Measuring changes no bit of a run, and the file has what was measured",
          "[engine][property]") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("run.h5");
  Simulation plain([] {
    Scene scene = parse_scene(measured_scene, "measured");
    scene.settings.measure = {};
    return scene;
  }());
  const RunReport without = plain.run();
  Simulation measured(parse_scene(measured_scene, "measured"));
  std::vector<measure::Impact> log;
  measured.observe([&](const StepView& view) {
    if (view.record.step > 0) measure::log_impacts(view, log);
  });
  measured.record(file);
  const RunReport with = measured.run();
  CHECK(with.state_hash == without.state_hash);
  const ResultReader results(file);
  const std::vector<measure::Impact> read = results.impacts();
  REQUIRE(read.size() == log.size());
  for (std::size_t i = 0; i < log.size(); ++i) {
    CHECK(read[i].step == log[i].step);
    CHECK(read[i].point == log[i].point);
    CHECK(read[i].impulse == log[i].impulse);
    CHECK(read[i].energy_lost == log[i].energy_lost);
  }
  // Every step: what is logged and what is not are the ledger.
  std::vector<double> sums = results.ledger("contact_normal_work");
  const auto below = results.below_threshold();
  for (std::size_t k = 0; k < below.size(); ++k) sums[k + 1] -= below[k].normal_work;
  for (const measure::Impact& impact : read)
    sums[static_cast<std::size_t>(impact.step)] -= impact.normal_work;
  const double scale = results.ledger("energy_scale").back();
  for (const double rest : sums) CHECK(std::abs(rest) < 1e-15 * scale);
}

TEST_CASE("A result without devices says which key of the scene asks for them", "[engine][unit]") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("run.h5");
  Scene scene = parse_scene(measured_scene, "measured");
  scene.settings.measure = {};
  scene.settings.time.end = 0.002;
  Simulation simulation(std::move(scene));
  simulation.record(file);
  simulation.run();
  const ResultReader results(file);
  CHECK_FALSE(results.logs_impacts());
  CHECK_FALSE(results.has_groups());
  CHECK(results.screens().empty());
  CHECK_THROWS_WITH(results.impacts(), Catch::Matchers::Contains("[record] impacts"));
  CHECK_THROWS_WITH(results.crossings(), Catch::Matchers::Contains("[[screen]]"));
  CHECK_THROWS_WITH(results.groups(), Catch::Matchers::Contains("[[group]]"));
}

}  // namespace scree::devices_test
