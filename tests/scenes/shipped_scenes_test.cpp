#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "scenes/read/scene.hpp"
#include "tests/scenes/read/scene_texts.hpp"
#include "tests/support/places.hpp"

namespace shipped_scenes_test {

using namespace scree;
using namespace scree::test;

namespace {

// Positions are printed with 16 digits or fewer and are of the order of 30 m.
constexpr double tolerance = 1e-12;

Scene shipped(const std::string& name) {
  return parse_scene(read_file(test::shipped_scene_path(name)), name);
}

std::size_t index_of(const Scene& scene, const std::string& name) {
  const auto found = std::find(scene.model.name.begin(), scene.model.name.end(), name);
  REQUIRE(found != scene.model.name.end());
  return static_cast<std::size_t>(found - scene.model.name.begin());
}

const Shape& shape_of(const Scene& scene, std::size_t body) {
  const auto part = static_cast<std::size_t>(scene.model.part_begin[body]);
  return scene.model.shapes[static_cast<std::size_t>(scene.model.part_shape[part])];
}

// Corners or points of a body, in world axes.
std::vector<Vector3> points_of(const Scene& scene, const std::string& name) {
  const std::size_t body = index_of(scene, name);
  const Shape& shape = shape_of(scene, body);
  const auto* solid = std::get_if<ConvexPolyhedron>(&shape);
  std::vector<Vector3> points =
      solid != nullptr ? solid->vertices : std::get<PointSet>(shape).points;
  for (Vector3& point : points) point = scene.state.q[body] * point + scene.state.x[body];
  return points;
}

// Smallest distance [m] of the points from a half-space.
double gap(const Scene& scene, const std::string& half_space, const std::vector<Vector3>& points) {
  const std::size_t body = index_of(scene, half_space);
  const auto& plane = std::get<HalfSpace>(shape_of(scene, body));
  double least = 1e30;
  for (const Vector3& point : points) {
    const Vector3 local = scene.state.q[body].conjugate() * (point - scene.state.x[body]);
    least = std::min(least, plane.normal.dot(local) - plane.offset);
  }
  return least;
}

int dynamic_bodies(const Scene& scene) {
  int count = 0;
  for (BodyIndex body = 0; body < scene.model.n_bodies(); ++body)
    count += scene.model.is_dynamic(body) ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("Shipped scenes all load and say what to look for", "[scenes][unit]") {
  int scenes = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(test::source_folder() + "/scenes")) {
    if (entry.path().extension() != ".toml") continue;
    INFO(entry.path().filename().string());
    const std::string text = read_file(entry.path().string());
    CHECK(text.rfind("# ", 0) == 0);
    CHECK(text.find("# Look for: ") != std::string::npos);
    const Scene scene = parse_scene(text, entry.path().string(), [&](const std::string& name) {
      return read_file((entry.path().parent_path() / name).string());
    });
    CHECK_FALSE(scene.title.empty());
    CHECK(scene.model.n_bodies() > 0);
    CHECK(scene.state.x.size() == scene.model.name.size());
    ++scenes;
  }
  CHECK(scenes >= 10);
}

TEST_CASE("Shipped scenes have the bodies they are about", "[scenes][unit]") {
  struct Count {
    const char* file;
    int dynamic, fixed;
  };
  const Count counts[] = {{"rockfall_wall.toml", 276, 2}, {"wall_impact.toml", 276, 1},
                          {"wall_at_rest.toml", 275, 1},  {"rock_alone.toml", 1, 2},
                          {"bouncing_ball.toml", 1, 1},   {"block_on_incline.toml", 2, 1},
                          {"tower.toml", 10, 1},          {"table.toml", 1, 1},
                          {"rolling_sphere.toml", 1, 1},  {"rolling_resistance.toml", 4, 2},
                          {"spinning_top.toml", 1, 1},    {"free_rotation.toml", 1, 0},
                          {"arch.toml", 15, 1},           {"settling_support.toml", 32, 3}};
  for (const Count& count : counts) {
    INFO(count.file);
    const Scene scene = shipped(count.file);
    CHECK(dynamic_bodies(scene) == count.dynamic);
    CHECK(scene.model.n_bodies() - dynamic_bodies(scene) == count.fixed);
  }
}

TEST_CASE("Shipped rockfall starts as published", "[scenes][oracle]") {
  const auto file = nlohmann::json::parse(read_file(test::data_folder() + "/rockwall_scene.json"));
  const auto& rock = file["bodies"].back();
  for (const char* name : {"rockfall_wall.toml", "rock_alone.toml"}) {
    INFO(name);
    const Scene scene = shipped(name);
    const std::size_t body = index_of(scene, "rock");
    CHECK(scene.state.x[body] == Vector3(30, 0, 35));
    CHECK(scene.state.v[body] == Vector3(-10, 0, -35));
    CHECK((scene.state.q[body] * scene.state.w[body] - Vector3(0.5, 10, 0.1)).norm() < tolerance);
    CHECK(scene.model.appears_at[body] == 0.01);
    CHECK(scene.state.active[body] == 0);
    // The bar for masses of the published scene.
    CHECK(std::abs(scene.model.mass[body] - rock["mass"].get<double>()) <
          1e-9 * scene.model.mass[body]);
    CHECK(scene.model.materials.at(0, 0)->mu == 0.6);
    CHECK(scene.model.materials.at(0, 0)->e == 0.2);
    CHECK(scene.settings.time.dt == 5e-4);
    CHECK(scene.settings.time.theta == 0.5);
  }
  const Settings settings = shipped("rockfall_wall.toml").settings;
  CHECK(settings.time.end == 4.0);
  CHECK(settings.step.solver.measure == contact::Measure::published);
  CHECK(settings.step.solver.tolerance == 1e-4);
}

TEST_CASE("Shipped slope is the upper face of the published plate", "[scenes][oracle]") {
  const auto file = nlohmann::json::parse(read_file(test::data_folder() + "/rockwall_scene.json"));
  const auto& plate = file["static"][1];
  const auto& q = plate["quaternion_wxyz"];
  const Quaternion turn(q[0].get<double>(), q[1].get<double>(), q[2].get<double>(),
                        q[3].get<double>());
  const Vector3 centre(plate["position"][0].get<double>(), plate["position"][1].get<double>(),
                       plate["position"][2].get<double>());
  for (const char* name : {"rockfall_wall.toml", "rock_alone.toml"}) {
    const Scene scene = shipped(name);
    for (const double x : {-25.0, 25.0}) {
      for (const double y : {-25.0, 25.0}) {
        const Vector3 corner = turn * Vector3(x, y, 0.05) + centre;
        CHECK(std::abs(gap(scene, "slope", {corner})) < tolerance);
      }
    }
  }
}

TEST_CASE("Shipped scenes that start at rest on a plane touch it", "[scenes][unit]") {
  const Scene incline = shipped("block_on_incline.toml");
  for (const char* name : {"slips", "holds"}) {
    CHECK(std::abs(gap(incline, "plane", points_of(incline, name))) < tolerance);
  }
  const Scene top = shipped("spinning_top.toml");
  CHECK(std::abs(gap(top, "table", points_of(top, "top"))) < tolerance);
  const Scene tower = shipped("tower.toml");
  CHECK(gap(tower, "ground", points_of(tower, "tower-1")) == 0.0);
  CHECK(gap(tower, "ground", points_of(tower, "tower-10")) == 9.0);
}

TEST_CASE("Shipped impact starts with the rock apart from the wall", "[scenes][unit]") {
  const Scene scene = shipped("wall_impact.toml");
  double least = 1e30;
  for (const Vector3& point : points_of(scene, "rock")) least = std::min(least, point.x());
  // The front of the wall is at x = 0; the rock covers about a centimetre in the millisecond before
  // the hit.
  CHECK(least > 0.005);
  CHECK(least < 0.02);
}

TEST_CASE("Shipped spinning top spins about its own axis", "[scenes][unit]") {
  const Scene scene = shipped("spinning_top.toml");
  const std::size_t body = index_of(scene, "top");
  const Vector3 axis = scene.state.q[body] * Vector3::UnitZ();
  const Vector3 spin = scene.state.q[body] * scene.state.w[body];
  CHECK((spin - 500.0 * axis).norm() < 500.0 * tolerance);
}

}  // namespace shipped_scenes_test
