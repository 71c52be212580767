// An edge that lies across a face touches at two ends, at any tilt: a sledge on two sharp runners
// set down on a box, and a cube that stands on its edge on a rocker. Sharp edges on sharp edges
// touch where they cross, at any angle between them: the sledge on four rails.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace edge_on_face_test {

using namespace scree;
using test::centre_of_drawing;
using test::RandomShapes;
using test::Stepper;
using test::World;

namespace {

constexpr double g = 9.81;
const char* section = "Geometry";

// A sharp edge along x at height -depth, with faces that rise on both sides.
ConvexPolyhedron runner(double length, double y, double depth, double left, double right) {
  std::vector<Vector3> corners;
  for (const double x : {-0.5 * length, 0.5 * length}) {
    corners.emplace_back(x, y, -depth);
    corners.emplace_back(x, y - left, 0.0);
    corners.emplace_back(x, y + right, 0.0);
  }
  return make_convex_polyhedron(corners);
}

struct Sledge {
  double length, depth, left, right;  // [m] of its runners, which stand 0.6 m apart
  double table;                       // [m] extent of the box along the runners
  double yaw, tilt;                   // [rad]
  Vector3 axis;                       // of the tilt
};

Sledge random_sledge(RandomShapes& random) {
  Sledge sledge{};
  sledge.length = random.uniform(0.4, 1.5);
  sledge.depth = random.uniform(0.1, 0.3);
  sledge.left = random.uniform(0.02, 0.28), sledge.right = random.uniform(0.02, 0.28);
  sledge.table = random.uniform(0.4, 1.5);
  sledge.yaw = random.uniform(-0.5, 0.5);
  sledge.tilt = std::pow(10.0, random.uniform(-9.0, -0.5));
  const double about = random.uniform(0.0, 2.0 * std::numbers::pi);
  sledge.axis = Vector3(std::cos(about), std::sin(about), 0.0);
  return sledge;
}

struct Landing {
  double height = 0.0;            // [m] of the centre above its place on the table, at the end
  double overlap = 0.0;           // [m] largest
  double overlap_in_steps = 0.0;  // the same over h v, v the largest speed of a corner so far
  double drift = 0.0;             // [m/s] of the centre over the last steps
  int lost_ends = 0;              // of the last steps: those that miss an end of a runner
  int changes = 0;  // of the last steps: those with other contacts than the one before
};

// Lets body b fall for `end` seconds and looks at the last 20 steps. `has_all_ends`: of the
// contacts of one step. `height_at_rest` [m] of its centre.
template <class HasAllEnds>
Landing watch_landing(World& world, BodyIndex b, double h, double end, double height_at_rest,
                      HasAllEnds has_all_ends) {
  const double reach = world.model.radius[static_cast<std::size_t>(b)];
  Stepper stepper(world);
  Landing landing;
  double speed = g * h;
  std::vector<ContactKey> last;
  Vector3 settled = Vector3::Zero();
  const int n = static_cast<int>(std::lround(end / h));
  for (int k = 0; k < n; ++k) {
    stepper.step();
    const auto i = static_cast<std::size_t>(b);
    speed = std::max(speed, world.state.v[i].norm() + reach * world.state.w[i].norm());
    landing.overlap = std::max(landing.overlap, stepper.record().max_penetration);
    landing.overlap_in_steps =
        std::max(landing.overlap_in_steps, stepper.record().max_penetration / (h * speed));
    if (k == n - 21) settled = world.state.x[i];
    if (k < n - 20) continue;
    const ContactSet& contacts = stepper.work().contacts;
    landing.lost_ends += has_all_ends(contacts) ? 0 : 1;
    landing.changes += !last.empty() && last != contacts.key ? 1 : 0;
    last = contacts.key;
  }
  landing.drift = (world.state.x[static_cast<std::size_t>(b)] - settled).norm() / (20.0 * h);
  landing.height = world.state.x[static_cast<std::size_t>(b)].z() - height_at_rest;
  return landing;
}

Landing land(const Sledge& sledge, double h, double end, bool projected = false) {
  World world;
  if (projected) {
    world.settings.step.correction = PositionCorrection::projection;
    world.settings.step.correction_slop = 1e-7;
  }
  world.law() = PairLaw{0.6, 0.0, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.settings.time.theta = 0.6;  // what sticks comes to rest
  world.settings.step.solver.tolerance = 1e-12;
  BodyDefinition table;
  table.name = "table";
  table.kind = BodyKind::fixed;
  table.shape = make_box({sledge.table, 3.0, 1.0});
  world.add(table, Pose{Vector3(0.0, 0.0, -0.5), Quaternion::Identity()});
  BodyDefinition body;
  body.name = "sledge";
  body.density = 2300.0;
  body.shape = runner(sledge.length, -0.3, sledge.depth, sledge.left, sledge.right);
  body.further_parts = {runner(sledge.length, 0.3, sledge.depth, sledge.left, sledge.right)};
  const Vector3 centre = centre_of_drawing(body);
  const Quaternion flat(Eigen::AngleAxisd(sledge.yaw, Vector3::UnitZ()));
  const Quaternion q = Quaternion(Eigen::AngleAxisd(sledge.tilt, sledge.axis)) * flat;
  // The lowest end of a runner is on the height of the table.
  double lowest = 0.0;
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.3, 0.3}) {
      lowest = std::min(lowest, (q * (Vector3(x * sledge.length, y, -sledge.depth) - centre)).z());
    }
  }
  const BodyIndex b = world.add(body, Pose{Vector3(0.0, 0.0, -lowest), q});
  const auto has_all_ends = [](const ContactSet& contacts) {
    // Of the sharp edge, between corners 0 and 3; what else comes near the table's rim may be a
    // candidate too.
    const Feature sharp[] = {make_feature(FeatureKind::edge, 2),
                             make_feature(FeatureKind::vertex, 0),
                             make_feature(FeatureKind::vertex, 3)};
    std::array<int, 2> ends{};
    for (const ContactKey& key : contacts.key) {
      const bool is_end =
          std::find(std::begin(sharp), std::end(sharp), key.feature_b) != std::end(sharp);
      ends.at(static_cast<std::size_t>(key.part_b)) += is_end ? 1 : 0;
    }
    return ends[0] == 2 && ends[1] == 2;
  };
  return watch_landing(world, b, h, end, sledge.depth + centre.z(), has_all_ends);
}

// Lands `n` random sledges, tilts from 1e-9 to 0.3 rad: through every threshold between face and
// edge contacts. A velocity-level impact at e = 0 stops a corner within h v / 2 of where it
// touches, and a contact that has carried impulse is held at a gap of up to g h^2.
void check_sledges(int n, unsigned seed) {
  for (const double h : {1e-3, 4e-3}) {
    RandomShapes random(seed);
    double highest = 0.0, overlap = 0.0, drift = 0.0;
    int lost_ends = 0, changes = 0;
    for (int i = 0; i < n; ++i) {
      const Sledge sledge = random_sledge(random);
      const Landing landing = land(sledge, h, 1.5);
      INFO("sledge " << i << ", h " << h << ", tilt " << sledge.tilt << ", height "
                     << landing.height << ", drift " << landing.drift);
      CHECK(landing.lost_ends + landing.changes == 0);
      CHECK(landing.height > -landing.overlap);
      highest = std::max(highest, landing.height), drift = std::max(drift, landing.drift);
      overlap = std::max(overlap, landing.overlap_in_steps);
      lost_ends += landing.lost_ends, changes += landing.changes;
    }
    const std::string name =
        std::to_string(n) + " sledges on sharp runners, h = " + test::digits(h) + " s: ";
    CHECK(test::validated({section, name + "steps at rest without all four ends", 0.0,
                           1.0 * lost_ends, 0.0, false, "two ends an edge"}));
    CHECK(test::validated({section, name + "steps at rest with other contacts than before", 0.0,
                           1.0 * changes, 0.0, false, "no alternation"}));
    CHECK(test::validated({section,
                           name + "largest overlap over h v, v the largest speed of a corner", 0.0,
                           overlap, 0.55, false, "half a step, at e = 0"}));
    CHECK(test::validated({section, name + "height above the table at rest [m]", 0.0,
                           std::max(highest, 0.0), g * h * h, false, "held contact"}));
    CHECK(
        test::validated({section, name + "drift at rest [m/s]", 0.0, drift, 1e-9, false, "rest"}));
  }
}

// With projection the overlap of the landing goes, and the height at rest is that of the runners to
// 1e-6 of the size: slop below, a contact held at a gap of up to g h^2 above.
void check_heights(int n, unsigned seed) {
  RandomShapes random(seed);
  double lowest = 0.0, highest = 0.0, drift = 0.0;
  int lost_ends = 0, changes = 0;
  for (int i = 0; i < n; ++i) {
    Sledge sledge = random_sledge(random);
    sledge.tilt = std::min(sledge.tilt, 0.02);
    const Landing landing = land(sledge, 2e-4, 0.6, true);
    INFO("sledge " << i << ", tilt " << sledge.tilt << ", height " << landing.height << ", drift "
                   << landing.drift);
    const double size = std::hypot(sledge.length, 0.6, sledge.depth);
    CHECK(std::abs(landing.height) < 1e-6 * size);
    lowest = std::min(lowest, landing.height / size);
    highest = std::max(highest, landing.height / size), drift = std::max(drift, landing.drift);
    lost_ends += landing.lost_ends, changes += landing.changes;
  }
  CHECK(lost_ends + changes == 0);
  const std::string name = std::to_string(n) + " sledges on sharp runners with projection: ";
  CHECK(test::validated({section, name + "lowest height at rest over the size", 0.0, lowest, 1e-6,
                         false, "the table's height"}));
  CHECK(test::validated({section, name + "highest height at rest over the size", 0.0, highest, 1e-6,
                         false, "the table's height"}));
  CHECK(test::validated({section, name + "drift at rest [m/s]", 0.0, drift, 1e-9, false, "rest"}));
}

// Four fixed rails with a sharp edge up at height 0; each crosses one end of a runner of a sledge
// that lies along x, at its own angle: near a right one, of any size down to 1e-9 rad, or along it.
struct Rails {
  Sledge sledge{};
  std::array<double, 4> angle{}, slide{};  // [rad]; [m] along the runner from its middle

  double length() const { return 0.2 * sledge.length; }  // [m] of a rail
  // Whether rail i passes under the runner by less than edges are blunt, over all of its length.
  bool lies_along(std::size_t i) const {
    const double size = std::hypot(length(), 0.1, 0.2);  // of a rail, the smaller body
    return 0.5 * length() * std::abs(angle.at(i)) < 0.9e-5 * size;
  }
};

Rails random_rails(RandomShapes& random) {
  Rails rails;
  rails.sledge = random_sledge(random);
  rails.sledge.yaw = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    const int kind = random.integer(0, 7);
    const double sign = random.integer(0, 1) == 0 ? -1.0 : 1.0;
    const double across = 0.5 * std::numbers::pi * std::pow(10.0, random.uniform(-0.5, 0.0)),
                 along = std::pow(10.0, random.uniform(-9.0, -1.0));
    rails.angle.at(i) = sign * (kind < 2 ? across : kind < 7 ? along : 0.0);
    rails.slide.at(i) =
        (i % 2 == 0 ? -1.0 : 1.0) * random.uniform(0.25, 0.35) * rails.sledge.length;
  }
  return rails;
}

Landing land_on_rails(const Rails& rails, double h, double end) {
  const Sledge& sledge = rails.sledge;
  World world;
  world.law() = PairLaw{0.6, 0.0, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.settings.time.theta = 0.6;
  world.settings.step.solver.tolerance = 1e-12;
  const double rail = rails.length();
  for (std::size_t i = 0; i < 4; ++i) {
    BodyDefinition body;
    body.name = "rail" + std::to_string(i);
    body.kind = BodyKind::fixed;
    std::vector<Vector3> corners;
    for (const double x : {-0.5 * rail, 0.5 * rail}) {
      corners.emplace_back(x, 0.0, 0.0);
      corners.emplace_back(x, -0.1, -0.2);
      corners.emplace_back(x, 0.1, -0.2);
    }
    body.shape = make_convex_polyhedron(corners);
    const Vector3 centre = centre_of_drawing(body);
    const Quaternion turn(Eigen::AngleAxisd(rails.angle.at(i), Vector3::UnitZ()));
    world.add(body,
              Pose{Vector3(rails.slide.at(i), i < 2 ? -0.3 : 0.3, 0.0) + turn * centre, turn});
  }
  BodyDefinition body;
  body.name = "sledge";
  body.density = 2300.0;
  body.shape = runner(sledge.length, -0.3, sledge.depth, sledge.left, sledge.right);
  body.further_parts = {runner(sledge.length, 0.3, sledge.depth, sledge.left, sledge.right)};
  const Vector3 centre = centre_of_drawing(body);
  // Slightly askew, with the lowest of its crossings at the rails. As it comes down it moves
  // sideways by the tilt times its size: not so far that a runner leaves a nearly parallel rail.
  double narrowest = 1.0;
  for (const double angle : rails.angle)
    narrowest = std::min(narrowest, std::max(std::abs(angle), 1e-5));
  const double tilt = std::min(sledge.tilt, 0.01 * narrowest);
  const Quaternion q(Eigen::AngleAxisd(tilt, sledge.axis));
  double lowest = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vector3 crossing(rails.slide.at(i), i < 2 ? -0.3 : 0.3, -sledge.depth);
    lowest = std::min(lowest, (q * (crossing - centre)).z());
  }
  const BodyIndex b = world.add(body, Pose{Vector3(centre.x(), centre.y(), -lowest), q});
  const auto has_all_ends = [&rails](const ContactSet& contacts) {
    std::array<int, 4> on_rail{};
    for (const ContactKey& key : contacts.key) ++on_rail.at(static_cast<std::size_t>(key.body_a));
    bool all = true;
    for (std::size_t i = 0; i < 4; ++i) all = all && on_rail.at(i) > (rails.lies_along(i) ? 1 : 0);
    return all;
  };
  return watch_landing(world, b, h, end, sledge.depth + centre.z(), has_all_ends);
}

void check_rails(int n, unsigned seed) {
  for (const double h : {1e-3, 4e-3}) {
    RandomShapes random(seed);
    double highest = 0.0, overlap = 0.0, drift = 0.0;
    int lost_ends = 0, changes = 0;
    for (int i = 0; i < n; ++i) {
      const Rails rails = random_rails(random);
      const Landing landing = land_on_rails(rails, h, 1.0);
      INFO("rails " << i << ", h " << h << ", angles " << rails.angle[0] << " " << rails.angle[1]
                    << " " << rails.angle[2] << " " << rails.angle[3] << ", height "
                    << landing.height << ", overlap " << landing.overlap << ", drift "
                    << landing.drift);
      CHECK(landing.lost_ends + landing.changes == 0);
      CHECK(landing.height > -landing.overlap - 1e-9);
      highest = std::max(highest, landing.height), drift = std::max(drift, landing.drift);
      overlap = std::max(overlap, landing.overlap_in_steps);
      lost_ends += landing.lost_ends, changes += landing.changes;
    }
    const std::string name =
        std::to_string(n) + " sledges on sharp rails, h = " + test::digits(h) + " s: ";
    CHECK(test::validated({section, name + "steps at rest without all crossings and ends", 0.0,
                           1.0 * lost_ends, 0.0, false, "one a rail, two along it"}));
    CHECK(test::validated({section, name + "steps at rest with other contacts than before", 0.0,
                           1.0 * changes, 0.0, false, "no alternation"}));
    CHECK(test::validated({section,
                           name + "largest overlap over h v, v the largest speed of a corner", 0.0,
                           overlap, 0.55, false, "half a step, at e = 0"}));
    CHECK(test::validated({section, name + "height above the rails at rest [m]", 0.0,
                           std::max(highest, 0.0), g * h * h, false, "held contact"}));
    CHECK(
        test::validated({section, name + "drift at rest [m/s]", 0.0, drift, 1e-9, false, "rest"}));
  }
}

}  // namespace

TEST_CASE("A sledge on sharp runners lands on all four ends at any tilt", "[engine][property]") {
  check_sledges(16, 4801);
}

TEST_CASE("Sledges on sharp runners land on all four ends at any tilt",
          "[engine][property][slow]") {
  check_sledges(2000, 4802);
}

TEST_CASE("A sledge on sharp runners rests at their height when overlaps are projected",
          "[engine][property]") {
  check_heights(4, 4805);
}

TEST_CASE("Sledges on sharp runners rest at their height when overlaps are projected",
          "[engine][property][slow]") {
  check_heights(100, 4806);
}

TEST_CASE("A sledge lands on four sharp rails that its runners cross at any angle",
          "[engine][property]") {
  check_rails(16, 4803);
}

TEST_CASE("Sledges land on sharp rails that their runners cross at any angle",
          "[engine][property][slow]") {
  check_rails(2000, 4804);
}

TEST_CASE("A cube on its edge stays on a rocker", "[engine][property]") {
  // The edge lies across the rocker, a wedge of 0.1 m on its own edge, which tilts to and fro under
  // it at first.
  for (const double h : {3e-3, 2e-3}) {
    for (const double tilt : {5.0, 2.0, -1.0}) {
      World world;
      world.law() = PairLaw{0.3, 0.0, ImpactLaw::fremond};
      world.settings.time.dt = h;
      world.settings.step.solver.tolerance = 1e-12;
      world.add_plane();
      BodyDefinition rocker;
      rocker.name = "rocker";
      rocker.density = 2500.0;
      rocker.shape = make_convex_polyhedron(std::vector<Vector3>{{0.0, -0.3, 0.0},
                                                                 {0.0, 0.3, 0.0},
                                                                 {-0.2, -0.3, 0.1},
                                                                 {0.2, -0.3, 0.1},
                                                                 {-0.2, 0.3, 0.1},
                                                                 {0.2, 0.3, 0.1}});
      const Vector3 centre = centre_of_drawing(rocker);
      const double angle = tilt * std::numbers::pi / 180.0;
      const Quaternion turned(Eigen::AngleAxisd(angle, Vector3::UnitY()));
      world.add(rocker, Pose{turned * centre, turned});
      const double top = 0.1 * std::cos(angle) + 0.2 * std::abs(std::sin(angle)),
                   half_diagonal = std::sqrt(0.5);
      const BodyIndex cube = world.add_box(
          Vector3::Ones(),
          Pose{Vector3(0.0, 0.0, top + half_diagonal),
               Quaternion(Eigen::AngleAxisd(0.25 * std::numbers::pi, Vector3::UnitX()))},
          2500.0);
      Stepper stepper(world);
      double overlap = 0.0, speed = g * h;
      for (int k = 0; k * h < 0.6; ++k) {
        stepper.step();
        overlap = std::max(overlap, stepper.record().max_penetration);
        for (std::size_t i = 1; i < 3; ++i) {
          speed = std::max(
              speed, world.state.v[i].norm() + world.model.radius[i] * world.state.w[i].norm());
        }
      }
      INFO("tilt " << tilt << " degrees, h " << h);
      const std::string name = "cube on a rocker tilted by " + test::digits(tilt) +
                               " degrees, h = " + test::digits(h) + " s: ";
      CHECK(test::validated({section, name + "largest overlap over h v", 0.0, overlap / (h * speed),
                             1.0, false, "one step of motion"}));
      CHECK(test::validated({section, name + "height of the cube after 0.6 s [m]",
                             0.1 + half_diagonal, world.state.x[static_cast<std::size_t>(cube)].z(),
                             0.25 * h * speed, false,
                             "edge on the level face, overlaps of a part of a step"}));
    }
  }
}

}  // namespace edge_on_face_test
