// Zones of a ground: cells and polygons against what they say of a place.
#include "engine/model/ground_zones.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

namespace ground_zones_test {

using namespace scree;

namespace {

double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1.0p-53; }

// Around a middle, in order of the angle.
GroundZones::Polygon star(std::mt19937_64& random, double x, double y, MaterialIndex material) {
  GroundZones::Polygon polygon;
  polygon.material = material;
  polygon.rings.emplace_back();
  const int corners = 5 + static_cast<int>(random() % 20);
  for (int i = 0; i < corners; ++i) {
    const double angle = 2.0 * std::acos(-1.0) * (i + 0.8 * unit(random)) / corners,
                 r = 0.5 + 2.0 * unit(random);
    polygon.rings[0].emplace_back(x + r * std::cos(angle), y + r * std::sin(angle), 0.0);
  }
  return polygon;
}

// By the sum of the angles under which the edges are seen.
bool is_around(const GroundZones::Polygon& polygon, double x, double y) {
  double sum = 0.0;
  const std::vector<Vector3>& ring = polygon.rings[0];
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vector3 a = ring[i] - Vector3(x, y, 0.0),
                  b = ring[(i + 1) % ring.size()] - Vector3(x, y, 0.0);
    sum += std::atan2(a.x() * b.y() - a.y() * b.x(), a.x() * b.x() + a.y() * b.y());
  }
  return std::abs(sum) > 3.0;
}

}  // namespace

TEST_CASE("A cell has its western and southern side, the outermost cells all of theirs") {
  const GroundZones zones({10.0, 20.0, 2.0, 1.0, 3, 2, {0, 1, 2, 2, 1, 0}}, {5, 6, 7}, 9);
  CHECK(zones.at(10.0, 20.0) == 5);
  CHECK(zones.at(11.999, 20.999) == 5);
  CHECK(zones.at(12.0, 20.0) == 6);
  CHECK(zones.at(14.0, 20.0) == 7);
  CHECK(zones.at(11.0, 21.0) == 7);
  CHECK(zones.at(16.0, 22.0) == 5);
  CHECK(zones.at(9.999, 21.0) == 9);
  CHECK(zones.at(16.001, 21.0) == 9);
  CHECK(zones.at(11.0, 22.001) == 9);
  CHECK(zones.materials() == std::vector<MaterialIndex>{5, 6, 7});
}

TEST_CASE("Polygons are told apart as by the angle that they are seen under") {
  std::mt19937_64 random(2);
  std::vector<GroundZones::Polygon> polygons;
  for (int i = 0; i < 40; ++i)
    polygons.push_back(star(random, 10.0 * unit(random), 10.0 * unit(random), i % 7));
  const GroundZones zones(polygons, 8);
  int inside = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = 14.0 * unit(random) - 2.0, y = 14.0 * unit(random) - 2.0;
    MaterialIndex expected = 8;
    for (const GroundZones::Polygon& polygon : polygons) {
      if (!is_around(polygon, x, y)) continue;
      expected = polygon.material;  // the first counts
      break;
    }
    REQUIRE(zones.at(x, y) == expected);
    inside += expected == 8 ? 0 : 1;
  }
  CHECK(inside > 5000);
}

TEST_CASE("Neighbours leave no gap between them and do not overlap, holes belong to nobody") {
  // Squares that meet along a slanted side: each place is in one of them, whichever it is.
  const Vector3 low(1.0, 0.1, 0.0), high(1.7, 1.3, 0.0);
  GroundZones::Polygon west{{{{0.0, 0.1, 0.0}, low, high, {0.0, 1.3, 0.0}}}, 1},
      east{{{low, {3.0, 0.1, 0.0}, {3.0, 1.3, 0.0}, high}}, 2};
  const GroundZones one({west, east}, 0), other({east, west}, 0);
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const double y = 0.1 + 1.2 * unit(random);
    // On the side itself and next to it.
    const double x = 1.0 + (y - 0.1) * 0.7 / 1.2 + 1e-16 * static_cast<double>(i % 5 - 2);
    REQUIRE(one.at(x, y) != 0);
    REQUIRE(one.at(x, y) == other.at(x, y));
  }
  west.rings.push_back({{0.2, 0.4, 0.0}, {0.6, 0.4, 0.0}, {0.6, 0.8, 0.0}});
  const GroundZones holed({west}, 0);
  CHECK(holed.at(0.5, 0.5) == 0);
  CHECK(holed.at(0.3, 0.7) == 1);
  CHECK(holed.at(-1.0, 0.5) == 0);
  CHECK(holed.at(0.5, 9.0) == 0);
  CHECK(holed.materials() == std::vector<MaterialIndex>{0, 1});
}

}  // namespace ground_zones_test
