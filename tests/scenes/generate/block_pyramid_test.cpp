#include "scenes/generate/block_pyramid.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "scenes/read/scene.hpp"
#include "tests/scenes/read/scene_texts.hpp"

namespace block_pyramid_test {

using namespace scree;

TEST_CASE("Block pyramid rests every block on four and has the sum of the first squares",
          "[scenes][unit]") {
  // Powers of two: positions are exact.
  const BlockPyramid pyramid = {.block = Vector3(1, 0.5, 0.25),
                                .first_course = 4,
                                .courses = 4,
                                .joint_along = 0.125,
                                .joint_up = 0.0625};
  const auto blocks = build_block_pyramid(pyramid);
  REQUIRE(blocks.size() == 16 + 9 + 4 + 1);
  std::set<std::string> names;
  Vector3 sum = Vector3::Zero();
  for (const PyramidBlock& block : blocks) {
    names.insert(block.name);
    sum += block.centre;
    if (block.centre.z() < 0.2) continue;
    int below = 0;
    for (const PyramidBlock& other : blocks) {
      const Vector3 d = block.centre - other.centre;
      if (std::abs(d.x()) == 0.5625 && std::abs(d.y()) == 0.3125 && d.z() == 0.3125) ++below;
    }
    CHECK(below == 4);
  }
  CHECK(names.size() == blocks.size());
  CHECK(sum.x() == 0.0);
  CHECK(sum.y() == 0.0);
  CHECK(blocks.front().centre == Vector3(-1.6875, -0.9375, 0.125));
}

TEST_CASE("Block pyramid of a scene stands where it is put", "[scenes][unit]") {
  const Scene scene = parse_scene(test::block_on_ground + R"(
[[pyramid]]
name = "p"
material = "stone"
block = [1, 2, 1]
first_course = 3
courses = 2
position = [10, 0, 1]
rotation = { axis = [0, 0, 1], angle_deg = 90 }
)",
                                  "pyramid.toml");
  REQUIRE(scene.model.n_bodies() == 2 + 9 + 4);
  CHECK(scene.model.name[2] == "p-1-1-1");
  // A quarter turn takes (-1, -2) to (2, -1).
  CHECK((scene.state.x[2] - Vector3(12, -1, 1.5)).norm() < 1e-14);
  CHECK(scene.model.name.back() == "p-2-2-2");
}

}  // namespace block_pyramid_test
