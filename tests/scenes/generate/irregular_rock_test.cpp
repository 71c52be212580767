#include "scenes/generate/irregular_rock.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "engine/model/shapes/shapes.hpp"
#include "scenes/read/scene.hpp"
#include "tests/scenes/read/scene_texts.hpp"

namespace irregular_rock_test {

using namespace scree;
using namespace scree::test;

TEST_CASE("Irregular rock has the same bits for the same seed and others for another",
          "[scenes][determinism]") {
  const std::vector<Vector3> first = irregular_rock({.seed = 5});
  CHECK(irregular_rock({.seed = 5}) == first);
  CHECK(irregular_rock({.seed = 6}) != first);
}

TEST_CASE("Irregular rock radii lie within their interval", "[scenes][property]") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<Vector3> points =
        irregular_rock({.seed = seed, .corners = 20, .irregularity = 0.3});
    REQUIRE(points.size() == 20);
    for (const Vector3& point : points) {
      // The norm of a unit vector times a radius: two roundings.
      CHECK(point.norm() >= 0.7 - 1e-15);
      CHECK(point.norm() <= 1.0 + 1e-15);
    }
  }
}

TEST_CASE("Irregular rock is a solid of the size asked for", "[scenes][property]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    const std::vector<Vector3> points =
        scaled_to(irregular_rock({.seed = seed, .corners = 6 + static_cast<int>(seed % 40)}), 2.5);
    const ConvexPolyhedron hull = make_convex_polyhedron(points);
    Vector3 low = hull.vertices.front(), high = low;
    for (const Vector3& vertex : hull.vertices) {
      low = low.cwiseMin(vertex);
      high = high.cwiseMax(vertex);
    }
    // Corners of nearly coplanar facets are moved within the tolerance to make them one flat face.
    CHECK(std::abs((high - low).maxCoeff() - 2.5) < 1e-14 + 2.0 * coplanar_tolerance * hull.size);
    // Spread corners fill at least a tenth of their bounding cube, and the hull lies within it.
    const double volume = mass_properties(Shape(hull)).volume;
    CHECK(volume > 0.1 * 2.5 * 2.5 * 2.5);
    CHECK(volume < 2.5 * 2.5 * 2.5);
  }
}

TEST_CASE("Irregular rock stretches with its proportions", "[scenes][unit]") {
  const std::vector<Vector3> round = irregular_rock({.seed = 3});
  const std::vector<Vector3> flat =
      irregular_rock({.seed = 3, .proportions = Vector3(1.0, 1.0, 0.5)});
  for (std::size_t i = 0; i < round.size(); ++i)
    CHECK(flat[i] == round[i].cwiseProduct(Vector3(1.0, 1.0, 0.5)));
}

TEST_CASE("Irregular rock of a scene has its centre of mass at its position", "[scenes][unit]") {
  const Scene scene = parse_scene(block_on_ground + R"([[rock]]
name = "rock"
material = "stone"
size = 0.8
seed = 11
corners = 24
irregularity = 0.4
proportions = [1, 0.8, 0.6]
position = [1, 2, 3]
)",
                                  "scene.toml");
  CHECK(scene.state.x[2] == Vector3(1, 2, 3));
  const auto shape = static_cast<std::size_t>(scene.model.part_shape[2]);
  const MassProperties solid = mass_properties(scene.model.shapes[shape]);
  // Coordinates of the order of the size.
  CHECK(solid.centre.norm() < 0.8e-14);
  CHECK(std::abs(scene.model.mass[2] - 2300.0 * solid.volume) < 1e-12 * scene.model.mass[2]);
}

}  // namespace irregular_rock_test
