// Overlap of polygons: corners with their names, symmetric and tolerant.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/polyhedra/overlap_polygon.hpp"
#include "tests/support/random_shapes.hpp"

namespace scree::test::overlap_polygon_test {
namespace {

using collision::find_overlap;
using collision::OverlapPolygon;
using collision::Vector2;

std::vector<Vector2> rectangle(double x_0, double x_1, double y_0, double y_1) {
  return {{x_0, y_0}, {x_1, y_0}, {x_1, y_1}, {x_0, y_1}};
}

OverlapPolygon overlap_of(std::vector<Vector2> p, std::vector<Vector2> q) {
  OverlapPolygon overlap;
  std::reverse(q.begin(), q.end());
  overlap.p = std::move(p), overlap.q = std::move(q);
  find_overlap(1e-9, overlap);
  return overlap;
}

double area_of_corners(const OverlapPolygon& overlap) {
  if (overlap.corners.size() < 3) return 0.0;
  Vector2 centre = Vector2::Zero();
  for (const auto& c : overlap.corners)
    centre += c.at / static_cast<double>(overlap.corners.size());
  std::vector<Vector2> ring;
  for (const auto& c : overlap.corners) ring.push_back(c.at - centre);
  std::sort(ring.begin(), ring.end(), [](const Vector2& a, const Vector2& b) {
    return std::atan2(a.y(), a.x()) < std::atan2(b.y(), b.x());
  });
  double area = 0.0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vector2& a = ring[i];
    const Vector2& b = ring[(i + 1) % ring.size()];
    area += 0.5 * (a.x() * b.y() - a.y() * b.x());
  }
  return area;
}

TEST_CASE("Equal polygons meet in their vertices once", "[collision][unit]") {
  const double noise = GENERATE(0.0, 1e-12, 9e-10);
  const OverlapPolygon overlap =
      overlap_of(rectangle(0, 1, 0, 1), rectangle(noise, 1 + noise, -noise, 1 - noise));
  REQUIRE(overlap.corners.size() == 4);
  for (const auto& c : overlap.corners) CHECK((c.vertex_p >= 0 && c.vertex_q >= 0));
}

TEST_CASE("Collinear edges make no corners of their own", "[collision][unit]") {
  const double noise = GENERATE(0.0, 1e-12, -1e-12, 5e-10);
  const OverlapPolygon overlap =
      overlap_of(rectangle(0, 1, 0, 1), rectangle(0.5, 1.5, noise, 1 + noise));
  REQUIRE(overlap.corners.size() == 4);
  for (const auto& c : overlap.corners) CHECK((c.vertex_p >= 0) != (c.vertex_q >= 0));
  CHECK(std::abs(overlap.width - 2.0 * 0.5 / std::sqrt(1.25)) <
        1e-8);  // rectangle 0.5 x 1 across its diagonal
}

TEST_CASE("Crossing bars meet in four proper crossings", "[collision][unit]") {
  const OverlapPolygon overlap = overlap_of(rectangle(-2, 2, 0, 1), rectangle(0, 1, -2, 2));
  REQUIRE(overlap.corners.size() == 4);
  for (const auto& c : overlap.corners) CHECK((c.edge_p >= 0 && c.edge_q >= 0));
  CHECK(std::abs(area_of_corners(overlap) - 1.0) < 1e-15);
}

TEST_CASE("Polygons that share an edge or a corner have no width", "[collision][unit]") {
  CHECK(overlap_of(rectangle(0, 1, 0, 1), rectangle(1, 2, 0, 1)).width < 4e-9);
  CHECK(overlap_of(rectangle(0, 1, 0, 1), rectangle(1, 2, 0.3, 0.6)).width < 4e-9);
  CHECK(overlap_of(rectangle(0, 1, 0, 1), rectangle(1, 2, 1, 2)).width == 0.0);
  CHECK(overlap_of(rectangle(0, 1, 0, 1), rectangle(1.1, 2, 0, 1)).corners.empty());
}

TEST_CASE("Random polygons overlap by the area that sampling finds", "[collision][oracle]") {
  RandomShapes random(51);
  const auto polygon = [&](double x, double y) {
    std::vector<double> angles;
    const int n = random.integer(3, 9);
    for (int i = 0; i < n; ++i)
      angles.push_back(2.0 * std::numbers::pi * (i + random.uniform(0.0, 0.9)) / n);
    std::vector<Vector2> ring;
    for (const double a : angles) ring.emplace_back(x + std::cos(a), y + 0.7 * std::sin(a));
    return ring;
  };
  const auto inside = [](const std::vector<Vector2>& ring, const Vector2& at) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Vector2 e = ring[(i + 1) % ring.size()] - ring[i], r = at - ring[i];
      if (e.x() * r.y() - e.y() * r.x() < 0.0) return false;
    }
    return true;
  };
  for (int i = 0; i < 100; ++i) {
    const auto p = polygon(0.0, 0.0),
               q = polygon(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
    int hits = 0;
    constexpr int side = 120;
    for (int x = 0; x < side; ++x) {
      for (int y = 0; y < side; ++y) {
        const Vector2 at((x + 0.5) / side * 2.0 - 1.0, (y + 0.5) / side * 2.0 - 1.0);
        hits += inside(p, at) && inside(q, at) ? 1 : 0;
      }
    }
    const double sampled = 4.0 * hits / (side * side);
    CHECK(std::abs(area_of_corners(overlap_of(p, q)) - sampled) <
          0.06);  // border of length < 7, cells of 1/60
    CHECK(std::abs(area_of_corners(overlap_of(p, q)) - area_of_corners(overlap_of(q, p))) < 1e-12);
  }
}

}  // namespace
}  // namespace scree::test::overlap_polygon_test
