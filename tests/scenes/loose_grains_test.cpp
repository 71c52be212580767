#include "scenes/loose_grains.hpp"

#include <catch2/catch.hpp>

#include "scenes/scene.hpp"
#include "tests/scenes/scene_texts.hpp"

using namespace scree;

namespace {

const std::string ten_grains = R"(
[[grains]]
name = "g"
material = "stone"
kind = "rock"
size = 0.5
count = 10
along_x = 2
along_y = 3
seed = 7
position = [10, 20, 1]
)";

}  // namespace

TEST_CASE("Loose grains fit into their cells however they are turned", "[scenes][property]") {
  for (const GrainShape kind : {GrainShape::box, GrainShape::rock}) {
    const LooseGrains recipe = {.shape = kind, .size = 0.5, .smallest = 0.4, .spacing = 0.5, .count = 10, .shapes = 6};
    const auto shapes = grain_shapes(recipe);
    REQUIRE(shapes.size() == 6);
    double smallest = 1.0, largest = 0.0;
    for (const ConvexPolyhedron& shape : shapes) {
      double radius = 0.0;
      for (const Vector3& v : shape.vertices) radius = std::max(radius, v.norm());
      smallest = std::min(smallest, radius), largest = std::max(largest, radius);
    }
    CHECK(largest <= 0.25 * (1.0 + 1e-15));
    CHECK(smallest >= 0.1 * (1.0 - 1e-15));
    CHECK(smallest < 0.9 * largest);
  }
}

TEST_CASE("Loose grains fill a grid from below and repeat with their seed", "[scenes][determinism]") {
  LooseGrains recipe = {.size = 1.0, .spacing = 2.0, .count = 9, .along_x = 2, .along_y = 2, .seed = 5};
  const auto grains = build_loose_grains(recipe), again = build_loose_grains(recipe);
  REQUIRE(grains.size() == 9);
  CHECK(grains[0].pose.x == Vector3(-1, -1, 1));
  CHECK(grains[3].pose.x == Vector3(1, 1, 1));
  CHECK(grains[8].pose.x == Vector3(-1, -1, 5));
  recipe.seed = 6;
  const auto others = build_loose_grains(recipe);
  for (std::size_t i = 0; i < grains.size(); ++i) {
    CHECK(grains[i].shape == again[i].shape);
    CHECK(grains[i].pose.q.coeffs() == again[i].pose.q.coeffs());
    CHECK(grains[i].pose.q.coeffs() != others[i].pose.q.coeffs());
    CHECK(std::abs(grains[i].pose.q.norm() - 1.0) < 1e-15);
  }
}

TEST_CASE("Loose grains of a scene lie above their base", "[scenes][unit]") {
  const Scene scene = parse_scene(test::block_on_ground + ten_grains, "grains.toml");
  REQUIRE(scene.model.n_bodies() == 12);
  CHECK(scene.model.name.back() == "g-10");
  for (std::size_t i = 2; i < scene.state.x.size(); ++i) {
    // The centre of mass of a rock lies within its sphere.
    const Vector3 d = scene.state.x[i] - Vector3(10, 20, 1);
    CHECK(std::abs(d.x()) < 0.75);
    CHECK(std::abs(d.y()) < 1.0);
    CHECK(d.z() > 0.0);
    CHECK(d.z() < 1.01);
  }
}
