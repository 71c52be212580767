#include "scenes/generate/rough_plate.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "engine/model/shapes/shapes.hpp"
#include "scenes/read/scene.hpp"
#include "tests/scenes/read/scene_texts.hpp"

namespace rough_plate_test {

using namespace scree;
using namespace scree::test;

namespace {

Vector3 middle(const Corners& corners) {
  Vector3 sum = Vector3::Zero();
  for (const Vector3& corner : corners) sum += corner;
  return sum / static_cast<double>(corners.size());
}

}  // namespace

TEST_CASE("Grains of a rough plate keep apart, also through the faces of its cell",
          "[scenes][property]") {
  for (const double length : {4.0, 5.3, 7.9}) {
    for (const double width : {1.74, 3.5, 6.0}) {
      const RoughPlate plate{length, width, 1.0, 0.3, 7};
      const PlateRows rows = plate_rows(plate);
      CHECK(rows.rows % 2 == 0);
      const std::vector<Corners> grains = rough_plate(plate);
      REQUIRE(grains.size() == static_cast<std::size_t>(rows.along * rows.rows));
      double nearest = 1e9, low = 1e9, high = -1e9, widest = 0.0;
      Vector3 sum = Vector3::Zero();
      for (std::size_t a = 0; a < grains.size(); ++a) {
        const Vector3 x = middle(grains[a]);
        sum += x, low = std::min(low, x.z()), high = std::max(high, x.z());
        for (const Vector3& corner : grains[a]) widest = std::max(widest, (corner - x).norm());
        for (std::size_t b = 0; b < grains.size(); ++b) {
          Vector3 d = middle(grains[b]) - x;
          for (const int i : {-1, 0, 1}) {
            for (const int j : {-1, 0, 1}) {
              if (a == b && i == 0 && j == 0) continue;
              nearest = std::min(nearest, (d + Vector3(i * length, j * width, 0.0)).norm());
            }
          }
        }
      }
      INFO(length << " by " << width << ": " << nearest << " apart, widest " << widest);
      CHECK(nearest >= 1.0 - 1e-12);
      CHECK(widest <= 0.5);
      CHECK(high - low <= 0.6);
      CHECK(sum.norm() <= 1e-12 * static_cast<double>(grains.size()));
    }
  }
}

TEST_CASE("A rough plate has the same bits for the same seed", "[scenes][determinism]") {
  CHECK(rough_plate({4.0, 3.6, 1.0, 0.2, 5}) == rough_plate({4.0, 3.6, 1.0, 0.2, 5}));
  CHECK(rough_plate({4.0, 3.6, 1.0, 0.2, 6}) != rough_plate({4.0, 3.6, 1.0, 0.2, 5}));
}

TEST_CASE("A rough plate of a scene lies about its position and weighs what its grains do",
          "[scenes][unit]") {
  const Scene scene = parse_scene(block_on_ground + R"([[rough_plate]]
name = "plate"
material = "stone"
length = 2
width = 1.8
grain = 0.5
position = [1, 2, 3]
free = ["z"]
)",
                                  "scene.toml");
  CHECK(scene.model.n_bodies() == 3);
  CHECK((scene.state.x[2] - Vector3(1, 2, 3)).norm() <= 1e-12);
  // Volume of an icosahedron in a ball of radius R: 2.536151 R^3.
  const double grains = 4 * 4, volume = 2.53615071 * std::pow(0.25, 3);
  CHECK(std::abs(scene.model.mass[2] - grains * volume * 2300.0) <=
        1e-5 * scene.model.mass[2]);  // grains are drawn 1e-6 smaller
}

}  // namespace rough_plate_test
