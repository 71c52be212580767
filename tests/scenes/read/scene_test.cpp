#include "scenes/read/scene.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/base/check.hpp"
#include "tests/scenes/read/scene_texts.hpp"

namespace scene_test {

using namespace scree;
using namespace scree::test;

namespace {

// A few operations on numbers of order one.
constexpr double round_off = 1e-14;

Scene scene_with(const std::string& more) {
  return parse_scene(block_on_ground + more, "scene.toml");
}

// A right-angled wedge drawn away from its centre, whose principal axes are not those of the
// drawing.
const std::string wedge_shape = R"(kind = "convex"
vertices = [[1, 0, 0], [3, 0, 0], [1, 1, 0], [1, 0, 1.5]]
material = "stone"
)";
const Vector3 wedge_corners[] = {{1, 0, 0}, {3, 0, 0}, {1, 1, 0}, {1, 0, 1.5}};
// A tetrahedron's centroid is the mean of its corners.
const Vector3 wedge_centre(1.5, 0.25, 0.375);

std::vector<Vector3> corners_in_world(const Scene& scene, std::size_t body) {
  const auto part = static_cast<std::size_t>(scene.model.part_begin[body]);
  const auto shape = static_cast<std::size_t>(scene.model.part_shape[part]);
  std::vector<Vector3> corners;
  for (const Vector3& vertex : std::get<ConvexPolyhedron>(scene.model.shapes[shape]).vertices) {
    corners.push_back(scene.state.q[body] * vertex + scene.state.x[body]);
  }
  return corners;
}

double distance_to_nearest(const Vector3& point, const std::vector<Vector3>& others) {
  double least = std::numeric_limits<double>::infinity();
  for (const Vector3& other : others) least = std::min(least, (point - other).norm());
  return least;
}

}  // namespace

TEST_CASE("Scene keeps its text and fills settings with what the file says", "[scenes][unit]") {
  const std::string text = replaced(block_on_ground, "[[material]]", R"([law]
default = "newton"
activation = "paper"
rest = "damped"
correction = "projection"
correction_slop = 1e-4
rotation = "exponential"
[solver]
method = "nsgs"
measure = "siconos"
tolerance = 1e-9
max_iterations = 77
min_iterations = 3
max_passes = 4
backend = "tbb"
threads = 2
[output]
frames_per_second = 25
contacts = false
keep_frames = false
velocities = "double"
[checkpoint]
every_steps = 500
every_minutes = 2.5
[start]
overlap_tolerance = 1e-3
allow_initial_overlap = true
[[material]])");
  const Scene scene = parse_scene("title = \"A title\"\n" + text, "scene.toml");
  CHECK(scene.title == "A title");
  CHECK(scene.source == "title = \"A title\"\n" + text);
  CHECK(scene.source_name == "scene.toml");
  const Settings& settings = scene.settings;
  CHECK(settings.time.dt == 0.001);
  CHECK(settings.time.end == 1.0);
  CHECK(settings.time.theta == 0.5);
  CHECK(settings.step.activation == Activation::paper);
  CHECK(settings.step.rest == Rest::damped);
  CHECK(settings.step.correction == PositionCorrection::projection);
  CHECK(settings.step.correction_slop == 1e-4);
  CHECK(settings.step.rotation == RotationUpdate::exponential);
  CHECK(settings.step.max_passes == 4);
  CHECK(settings.step.solver.method == contact::Method::nsgs);
  CHECK(settings.step.solver.measure == contact::Measure::siconos);
  CHECK(settings.step.solver.tolerance == 1e-9);
  CHECK(settings.step.solver.max_iterations == 77);
  CHECK(settings.step.solver.min_iterations == 3);
  CHECK(settings.backend == Backend::tbb);
  CHECK(settings.threads == 2);
  CHECK(settings.output.frames_per_second == 25.0);
  CHECK_FALSE(settings.output.contacts);
  CHECK_FALSE(settings.output.keep_frames);
  CHECK(settings.output.velocities == VelocityPrecision::double_precision);
  CHECK(settings.checkpoint.every_steps == 500);
  CHECK(settings.checkpoint.every_minutes == 2.5);
  CHECK(settings.overlap_tolerance == 1e-3);
  CHECK(settings.allow_initial_overlap);
  CHECK(scene.model.materials.at(0, 0)->law == ImpactLaw::newton);
}

TEST_CASE("Scene leaves settings that the file does not name at their defaults", "[scenes][unit]") {
  const Scene scene = parse_scene(block_on_ground, "scene.toml");
  const Settings defaults;
  CHECK(scene.settings.step.activation == defaults.step.activation);
  CHECK(scene.settings.step.rest == defaults.step.rest);
  CHECK(scene.settings.step.correction == defaults.step.correction);
  CHECK(scene.settings.step.solver.tolerance == defaults.step.solver.tolerance);
  CHECK(scene.settings.step.solver.measure == defaults.step.solver.measure);
  CHECK(scene.settings.output.frames_per_second == defaults.output.frames_per_second);
  CHECK(scene.settings.output.velocities == VelocityPrecision::single_precision);
  CHECK(scene.model.gravity == Vector3(0, 0, -9.81));
  CHECK(scene.model.origin == Vector3(0, 0, 0));
  CHECK(scene.model.materials.at(0, 0)->law == ImpactLaw::fremond);
}

TEST_CASE("Scene materials give densities and laws by pair in either order", "[scenes][unit]") {
  const Scene scene = scene_with(R"(
[[material]]
name = "ice"
density = 900
[[contact]]
between = ["ice", "stone"]
mu = 0.1
e = 0.0
law = "newton"
[[body]]
name = "lump"
kind = "box"
sides = [1, 1, 1]
material = "ice"
position = [0, 0, 5]
[[body]]
name = "light lump"
kind = "box"
sides = [1, 1, 1]
material = "ice"
density = 100
position = [0, 0, 15]
[[contact]]
between = ["ice", "ice"]
mu = 0.2
e = 0.0
)");
  const MaterialTable& materials = scene.model.materials;
  CHECK(materials.at(0, 1)->mu == 0.1);
  CHECK(materials.at(1, 0)->mu == 0.1);
  CHECK(materials.at(0, 1)->law == ImpactLaw::newton);
  CHECK(materials.at(1, 1)->law == ImpactLaw::fremond);
  // Volumes of boxes are exact up to a few roundings.
  CHECK(std::abs(scene.model.mass[1] - 4600.0) < 4600.0 * round_off);
  CHECK(std::abs(scene.model.mass[2] - 900.0) < 900.0 * round_off);
  CHECK(std::abs(scene.model.mass[3] - 100.0) < 100.0 * round_off);
}

TEST_CASE("Scene bodies follow the order of the file whatever adds them", "[scenes][unit]") {
  const Scene scene = scene_with(R"(
[[stack]]
name = "tower"
material = "stone"
count = 2
sides = [1, 1, 1]
position = [5, 0, 0]
[[body]]
name = "last"
kind = "sphere"
radius = 1
material = "stone"
position = [0, 0, 9]
)");
  CHECK(scene.model.name ==
        std::vector<std::string>{"ground", "block", "tower-1", "tower-2", "last"});
  CHECK(scene.state.x[2] == Vector3(5, 0, 0.5));
  CHECK(scene.state.x[3] == Vector3(5, 0, 1.5));
}

TEST_CASE("Scene position is that of the centre of mass by default and of the drawing on demand",
          "[scenes][unit]") {
  const std::string pose =
      "position = [10, 20, 30]\nrotation = { axis = [0, 0, 1], angle_deg = 90 }\n";
  for (const bool fixed : {false, true}) {
    for (const bool drawing : {false, true}) {
      const Scene scene = scene_with("[[body]]\nname = \"wedge\"\n" + wedge_shape + pose +
                                     (fixed ? "fixed = true\n" : "") +
                                     (drawing ? "reference = \"drawing\"\n" : ""));
      INFO("fixed " << fixed << ", drawing " << drawing);
      const std::vector<Vector3> corners = corners_in_world(scene, 2);
      REQUIRE(corners.size() == 4);
      for (const Vector3& drawn : wedge_corners) {
        const Vector3 d = drawing ? drawn : Vector3(drawn - wedge_centre);
        const Vector3 expected = Vector3(10, 20, 30) + Vector3(-d.y(), d.x(), d.z());
        // Coordinates of order 30, so 30 times the round-off of one.
        CHECK(distance_to_nearest(expected, corners) < 30 * round_off);
      }
    }
  }
}

TEST_CASE("Scene angular velocity is given in world axes and kept in principal axes",
          "[scenes][unit]") {
  const Scene scene =
      scene_with("[[body]]\nname = \"wedge\"\n" + wedge_shape + R"(position = [0, 0, 9]
rotation = { axis = [1, 2, 3], angle_deg = 40 }
velocity = [1, 2, 3]
angular_velocity = [4, 5, 6]
)");
  CHECK(scene.state.v[2] == Vector3(1, 2, 3));
  CHECK((scene.state.q[2] * scene.state.w[2] - Vector3(4, 5, 6)).norm() < 10 * round_off);
  CHECK((scene.state.w[2] - Vector3(4, 5, 6)).norm() > 1.0);
  CHECK(std::abs(scene.state.q[2].norm() - 1.0) < round_off);
}

TEST_CASE("Scene normalises a quaternion that is nearly of unit length", "[scenes][unit]") {
  const Scene scene = parse_scene(replaced(block_on_ground, "position = [0, 0, 0.5]",
                                           "orientation = [0.7071068, 0, 0, 0.7071068]"),
                                  "scene.toml");
  CHECK(std::abs(scene.state.q[1].norm() - 1.0) < round_off);
  CHECK(std::abs(scene.state.q[1].w() - std::sqrt(0.5)) < round_off);
}

TEST_CASE("Scene inertia may be written as three six or nine numbers", "[scenes][unit]") {
  const std::string body =
      "[[body]]\nname = \"p\"\nkind = \"points\"\npoints = [[0, 0, 1]]\nmaterial = \"stone\"\nmass "
      "= 2\n"
      "position = [0, 0, 9]\n";
  const auto tensor = [&body](const std::string& inertia) {
    const Scene scene = scene_with(body + "inertia = " + inertia + "\n");
    const Matrix3 R_UB = scene.model.q_BU[2].conjugate().toRotationMatrix();
    return Matrix3(R_UB * scene.model.inertia[2].asDiagonal() * R_UB.transpose());
  };
  Matrix3 full;
  full << 2.0, 0.1, 0.2, 0.1, 3.0, 0.3, 0.2, 0.3, 4.0;
  // The eigenvectors of a 3x3 matrix are good to a few round-offs of its size.
  constexpr double tolerance = 1e-13;
  CHECK((tensor("[2, 3, 4]") - Matrix3(full.diagonal().asDiagonal())).norm() < tolerance);
  CHECK((tensor("[2, 3, 4, 0.1, 0.2, 0.3]") - full).norm() < tolerance);
  CHECK((tensor("[[2, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 4]]") - full).norm() < tolerance);
}

TEST_CASE("Scene bodies with a time of appearance start inactive", "[scenes][unit]") {
  const std::string sphere = "kind = \"sphere\"\nradius = 1\nmaterial = \"stone\"\n";
  const Scene scene = scene_with(
      "[[body]]\nname = \"a\"\nposition = [0, 0, 9]\nappears_at = 0.25\nvanishes_at = 0.5\n" +
      sphere + "[[body]]\nname = \"b\"\nposition = [0, 0, 19]\nappears_at = 0\n" + sphere);
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(scene.state.active == std::vector<std::uint8_t>{1, 1, 0, 1});
  CHECK(scene.model.appears_at == std::vector<double>{-infinity, -infinity, 0.25, -infinity});
  CHECK(scene.model.vanishes_at == std::vector<double>{infinity, infinity, 0.5, infinity});
}

TEST_CASE("Scene origin changes no bit of the state", "[scenes][property]") {
  const std::string more =
      "[[body]]\nname = \"wedge\"\nposition = [0.1, 0.2, 9.3]\nangular_velocity = [1, 2, 3]\n" +
      wedge_shape;
  const Scene here = scene_with(more);
  const Scene there =
      parse_scene("[world]\norigin = [2.6e6, 1.2e6, 500]\n" + block_on_ground + more, "scene.toml");
  CHECK(there.model.origin == Vector3(2.6e6, 1.2e6, 500));
  CHECK(there.state.x == here.state.x);
  CHECK(there.state.v == here.state.v);
  CHECK(there.state.w == here.state.w);
  CHECK(there.state.active == here.state.active);
  for (std::size_t i = 0; i < here.state.q.size(); ++i)
    CHECK(there.state.q[i].coeffs() == here.state.q[i].coeffs());
}

TEST_CASE("Scene bodies with a motion are driven and start at its velocity", "[scenes][unit]") {
  const std::string body = "[[body]]\nname = \"table\"\nposition = [0, 0, -9]\n";
  const Scene velocity = scene_with(body + wedge_shape + R"([body.motion]
kind = "velocity"
time = [0, 2]
linear = [[1, 0, 0], [3, 0, 0]]
angular = [[0, 0, 2], [0, 0, 0]]
)");
  CHECK(velocity.model.kind[2] == BodyKind::driven);
  CHECK(velocity.state.v[2] == Vector3(1, 0, 0));
  CHECK(velocity.state.w[2] == Vector3(0, 0, 2));
  REQUIRE(velocity.model.histories.size() == 1);
  CHECK(velocity_at(velocity.model.histories[0], 1.0).v == Vector3(2, 0, 0));

  const Scene acceleration = scene_with(body + wedge_shape + R"(velocity = [0, 5, 0]
[body.motion]
kind = "acceleration"
time = [0]
linear = [[1, 0, 0]]
)");
  CHECK(acceleration.state.v[2] == Vector3(0, 5, 0));
  CHECK(velocity_at(acceleration.model.histories[0], 2.0).v == Vector3(2, 5, 0));
}

}  // namespace scene_test
