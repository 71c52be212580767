#include "scenes/generate/masonry_wall.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "scenes/read/scene.hpp"
#include "tests/scenes/read/scene_texts.hpp"
#include "tests/support/places.hpp"

namespace masonry_wall_test {

using namespace scree;
using namespace scree::test;

namespace {

using Json = nlohmann::json;

// The published layout: joints of 1 cm, buttresses that reach 1 and 1.5 cm into the wall.
const std::string published = R"([time]
dt = 0.0005
end = 4.0

[[material]]
name = "stone"
density = 2300

[[contact]]
between = ["stone", "stone"]
mu = 0.6
e = 0.2

[[wall]]
name = "wall"
material = "stone"
block = [1, 2, 1]
courses = 10
first_course = 20
joint_along = 0.01
joint_up = 0.01
position = [-0.505, -1.005, 0]

[wall.buttresses]
positions = [-12.49, -7.49, -2.49, 2.51, 7.51, 12.51]
blocks = 3.5
courses = 5
gap_odd = -0.01
gap_even = -0.015
turned_blocks = true

)";

Vector3 vector_of(const Json& json) {
  return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
}

// The file gives a full tensor for the rock and principal moments for the boxes.
Matrix3 inertia_of(const Json& body) {
  Matrix3 inertia = Matrix3::Zero();
  if (!body.contains("inertia_body")) {
    inertia.diagonal() = vector_of(body["inertia_diag_body"]);
    return inertia;
  }
  for (int i = 0; i < 3; ++i)
    inertia.row(i) = vector_of(body["inertia_body"][static_cast<std::size_t>(i)]);
  return inertia;
}

std::string rock_text(const Json& rock) {
  return "[[rock]]\nname = \"rock\"\nmaterial = \"stone\"\nvertices = " + rock["vertices"].dump() +
         "\nposition = " + rock["position"].dump() + "\nvelocity = " + rock["velocity"].dump() +
         "\nangular_velocity = " + rock["angular_velocity"].dump() +
         "\nappears_at = " + rock["time_of_birth"].dump() + "\n";
}

// Orientation of the drawing, and inertia in the axes of the drawing.
Quaternion drawing_orientation(const Scene& scene, std::size_t body) {
  return scene.state.q[body] * scene.model.q_BU[body];
}

Matrix3 drawing_inertia(const Scene& scene, std::size_t body) {
  const Matrix3 R_UB = scene.model.q_BU[body].conjugate().toRotationMatrix();
  return R_UB * scene.model.inertia[body].asDiagonal() * R_UB.transpose();
}

struct Box {
  Vector3 low = Vector3::Zero(), high = Vector3::Zero();
};

// Bounding boxes of the bodies from the world positions of their corners: independent of the
// generator.
std::vector<Box> boxes_of(const Scene& scene, const std::string& prefix) {
  std::vector<Box> boxes;
  for (std::size_t body = 0; body < scene.model.name.size(); ++body) {
    if (scene.model.name[body].rfind(prefix, 0) != 0) continue;
    const auto part = static_cast<std::size_t>(scene.model.part_begin[body]);
    const auto shape = static_cast<std::size_t>(scene.model.part_shape[part]);
    Box box{Vector3::Constant(1e30), Vector3::Constant(-1e30)};
    for (const Vector3& vertex : std::get<ConvexPolyhedron>(scene.model.shapes[shape]).vertices) {
      const Vector3 corner = scene.state.q[body] * vertex + scene.state.x[body];
      box.low = box.low.cwiseMin(corner);
      box.high = box.high.cwiseMax(corner);
    }
    boxes.push_back(box);
  }
  return boxes;
}

// Side lengths of what two boxes share; negative along axes on which they are apart.
Vector3 shared_sides(const Box& a, const Box& b) {
  return a.high.cwiseMin(b.high) - a.low.cwiseMax(b.low);
}

// Largest distance by which two boxes overlap.
double deepest_overlap(const std::vector<Box>& boxes) {
  double deepest = -1.0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      deepest = std::max(deepest, shared_sides(boxes[i], boxes[j]).minCoeff());
  }
  return deepest;
}

int count_overlaps(const std::vector<Box>& boxes, double tolerance) {
  int count = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      count += shared_sides(boxes[i], boxes[j]).minCoeff() > tolerance ? 1 : 0;
  }
  return count;
}

// Share of the bottom face of boxes[i] that rests on the ground or on the tops of others.
double supported_share(const std::vector<Box>& boxes, std::size_t i, double tolerance) {
  const Box& box = boxes[i];
  if (std::abs(box.low.z()) <= tolerance) return 1.0;
  double area = 0.0;
  for (const Box& other : boxes) {
    if (std::abs(other.high.z() - box.low.z()) > tolerance) continue;
    const Vector3 shared = shared_sides(box, other);
    if (shared.x() > 0.0 && shared.y() > 0.0) area += shared.x() * shared.y();
  }
  const Vector3 sides = box.high - box.low;
  return area / (sides.x() * sides.y());
}

// Coordinates of the order of 20 m; a rotated corner is good to a few round-offs of that.
constexpr double geometric_tolerance = 1e-12;

void check_dry_stacked(const Scene& scene) {
  const std::vector<Box> boxes = boxes_of(scene, "wall-");
  REQUIRE(boxes.size() == 275);
  CHECK(deepest_overlap(boxes) <= geometric_tolerance);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    INFO("block " << i);
    CHECK(std::abs(supported_share(boxes, i, geometric_tolerance) - 1.0) < geometric_tolerance);
  }
}

}  // namespace

TEST_CASE("Masonry wall reproduces the published layout", "[scenes][oracle]") {
  const Json file = Json::parse(read_file(test::data_folder() + "/rockwall_scene.json"));
  const Json& bodies = file["bodies"];
  const Scene scene = parse_scene(published + rock_text(bodies.back()), "published.toml");
  REQUIRE(bodies.size() == 276);
  REQUIRE(scene.model.name.size() == 276);
  // The bar of the comparison, relative for masses and inertias; the file prints 16 digits.
  constexpr double tolerance = 1e-9;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    INFO("body " << i << " " << scene.model.name[i]);
    const Json& body = bodies[i];
    CHECK((scene.state.x[i] - vector_of(body["position"])).norm() < tolerance);
    const Json& q = body["quaternion_wxyz"];
    const Quaternion expected(q[0].get<double>(), q[1].get<double>(), q[2].get<double>(),
                              q[3].get<double>());
    CHECK((drawing_orientation(scene, i).coeffs() - expected.coeffs()).norm() < tolerance);
    const double mass = body["mass"].get<double>();
    CHECK(std::abs(scene.model.mass[i] - mass) < tolerance * mass);
    const Matrix3 inertia = inertia_of(body);
    CHECK((drawing_inertia(scene, i) - inertia).norm() < tolerance * inertia.norm());
    CHECK((scene.state.v[i] - vector_of(body["velocity"])).norm() < tolerance);
    CHECK((scene.state.q[i] * scene.state.w[i] - vector_of(body["angular_velocity"])).norm() <
          tolerance);
  }
  CHECK(scene.model.appears_at.back() == 0.01);
}

TEST_CASE("Masonry wall of the published layout overlaps in 43 places", "[scenes][oracle]") {
  // Shows that the check of the dry-stacked wall below can fail.
  const Scene scene = parse_scene(published, "published.toml");
  CHECK(count_overlaps(boxes_of(scene, "wall-"), geometric_tolerance) == 43);
}

TEST_CASE("Masonry wall that ships is dry-stacked without overlaps", "[scenes][property]") {
  const std::string text = read_file(test::shipped_scene_path("rockfall_wall.toml"));
  check_dry_stacked(parse_scene(text, "rockfall_wall.toml"));
  check_dry_stacked(parse_scene(
      replaced(text, "blocks = 3.5", "blocks = 3.5\nturned_blocks = true"), "turned.toml"));
}

TEST_CASE("Masonry wall that ships has the published blocks and counts", "[scenes][unit]") {
  const Scene scene =
      parse_scene(read_file(test::shipped_scene_path("wall_at_rest.toml")), "wall_at_rest.toml");
  int whole = 0, half = 0, in_buttresses = 0;
  double mass = 0.0;
  for (std::size_t i = 0; i < scene.model.name.size(); ++i) {
    mass += scene.model.mass[i];
    // Masses are products of sides and density, exact to a few round-offs.
    whole += std::abs(scene.model.mass[i] - 4600.0) < 1e-9 ? 1 : 0;
    half += std::abs(scene.model.mass[i] - 2300.0) < 1e-9 ? 1 : 0;
    in_buttresses += scene.model.name[i].rfind("wall-buttress-", 0) == 0 ? 1 : 0;
  }
  CHECK(whole == 245);
  CHECK(half == 30);
  CHECK(in_buttresses == 120);
  CHECK(std::abs(mass - 1196000.0) < 1e-6);
}

TEST_CASE("Masonry wall buttresses touch its back with their whole end faces",
          "[scenes][property]") {
  const Scene scene =
      parse_scene(read_file(test::shipped_scene_path("wall_at_rest.toml")), "wall_at_rest.toml");
  const std::vector<Box> buttresses = boxes_of(scene, "wall-buttress-");
  std::vector<Box> wall = boxes_of(scene, "wall-");
  wall.resize(155);
  double area = 0.0;
  for (const Box& buttress : buttresses) {
    for (const Box& block : wall) {
      const Vector3 shared = shared_sides(buttress, block);
      if (std::abs(shared.x()) <= geometric_tolerance && shared.y() > 0.0 && shared.z() > 0.0) {
        area += shared.y() * shared.z();
      }
    }
  }
  // 6 buttresses of 5 courses, each with an end face of 1 m2.
  CHECK(std::abs(area - 30.0) < geometric_tolerance);
}

TEST_CASE("Masonry wall joints do not run through two courses", "[scenes][property]") {
  const std::pair<WallEnds, int> all_ends[] = {
      {WallEnds::raking, 1}, {WallEnds::raking, 2}, {WallEnds::raking, 3}, {WallEnds::straight, 1}};
  for (const auto& [ends, rake] : all_ends) {
    MasonryWall wall;
    wall.block = Vector3(1, 2, 1);
    wall.courses = 5;
    wall.first_course = 15;
    wall.ends = ends;
    wall.rake = rake;
    wall.buttresses = {.positions = {0.0}, .half_blocks = 7, .courses = 5};
    // Where a block ends inside its course, by height; along y in the wall, along x in the
    // buttress. The last end of a course is no joint.
    std::map<double, std::set<double>> joints[2];
    for (const MasonryBlock& block : build_masonry_wall(wall)) {
      const bool in_buttress = block.name.rfind("buttress", 0) == 0;
      const Eigen::Index axis = in_buttress ? 0 : 1;
      joints[in_buttress ? 0 : 1][block.pose.x.z()].insert(block.pose.x[axis] +
                                                           0.5 * block.sides[axis]);
    }
    for (const auto& part : joints) {
      for (const auto& course : part) {
        const auto above = part.find(course.first + 1.0);
        REQUIRE(course.second.size() >= 3);
        if (above == part.end()) continue;
        for (const double end : course.second) {
          if (end != *course.second.rbegin()) CHECK_FALSE(above->second.contains(end));
        }
      }
    }
  }
}

TEST_CASE("Masonry wall with straight ends keeps its length in every course", "[scenes][unit]") {
  MasonryWall wall;
  wall.block = Vector3(0.5, 0.25, 0.125);
  wall.courses = 4;
  wall.first_course = 3;
  wall.ends = WallEnds::straight;
  const std::vector<MasonryBlock> blocks = build_masonry_wall(wall);
  REQUIRE(blocks.size() == 3 + 4 + 3 + 4);
  double volume = 0.0;
  for (const MasonryBlock& block : blocks) {
    volume += block.sides.prod();
    CHECK(std::abs(block.pose.x.y()) + 0.5 * block.sides.y() <= 0.375);
  }
  // Powers of two: exact.
  CHECK(volume == 4 * 3 * wall.block.prod());
}

TEST_CASE("Masonry wall with a rake of two rests every block on two", "[scenes][unit]") {
  MasonryWall wall;
  wall.block = Vector3(1, 1, 1);
  wall.courses = 10;
  wall.first_course = 29;
  wall.rake = 2;
  wall.joint_along = 0.25;
  const std::vector<MasonryBlock> blocks = build_masonry_wall(wall);
  REQUIRE(blocks.size() == 200);
  for (const MasonryBlock& block : blocks) {
    if (block.pose.x.z() < 1.0) continue;
    int below = 0;
    for (const MasonryBlock& other : blocks) {
      const Vector3 d = block.pose.x - other.pose.x;
      if (d.z() == 1.0 && std::abs(d.y()) == 0.625) ++below;
    }
    CHECK(below == 2);
  }
}

}  // namespace masonry_wall_test
