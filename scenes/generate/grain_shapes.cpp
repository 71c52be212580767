#include "scenes/generate/grain_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "engine/base/check.hpp"

namespace scree {
namespace {

constexpr double sphericity_tolerance = 2e-3;
constexpr int attempts = 20;
constexpr double most_gathered = 0.95;  // corners that coincide would make no hull

// Directions that may be gathered around the corners of a tetrahedron: at 0 as they were drawn,
// near 1 almost there.
struct Gathering {
  std::vector<Vector3> from, to;
  std::vector<double> radius;
};

Gathering draw_gathering(int corners, Random& random) {
  const Quaternion q = random.rotation();
  std::array<Vector3, 4> tetrahedron;
  std::size_t count = 0;
  for (const Vector3& corner : platonic_solid("tetrahedron"))
    tetrahedron[count++] = (q * corner).normalized();
  Gathering drawn;
  for (int i = 0; i < corners; ++i) {
    drawn.from.push_back(spread_direction(random, drawn.from));
    drawn.radius.push_back(1.0 - 0.1 * random.uniform());
    const Vector3& direction = drawn.from.back();
    drawn.to.push_back(*std::max_element(
        tetrahedron.begin(), tetrahedron.end(),
        [&](const Vector3& a, const Vector3& b) { return a.dot(direction) < b.dot(direction); }));
  }
  return drawn;
}

Corners gathered(const Gathering& drawn, double share, double elongation) {
  Corners points;
  for (std::size_t i = 0; i < drawn.from.size(); ++i) {
    points.push_back(drawn.radius[i] *
                     ((1.0 - share) * drawn.from[i] + share * drawn.to[i]).normalized());
  }
  Vector3 low = points[0], high = points[0];
  for (const Vector3& p : points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  const Vector3 factor = Vector3(1.0, 1.0, elongation).cwiseQuotient(high - low);
  for (Vector3& p : points) p = factor.cwiseProduct(p - 0.5 * (low + high));
  return points;
}

double sphericity_of(const Corners& points) { return sphericity(make_convex_polyhedron(points)); }

// Sphericity falls, though not everywhere, as corners are gathered; between a share above and one
// below there is one that fits.
Corners fitted(const Gathering& drawn, double wanted, double elongation) {
  double above = 0.0, below = most_gathered;
  Corners points;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (above + below);
    points = gathered(drawn, middle, elongation);
    const double found = sphericity_of(points);
    if (std::abs(found - wanted) <= sphericity_tolerance) break;
    (found > wanted ? above : below) = middle;
  }
  return points;
}

Corners box_corners(const Vector3& low, const Vector3& high) {
  Corners corners;
  for (int i = 0; i < 8; ++i) {
    corners.emplace_back((i & 1) != 0 ? high.x() : low.x(), (i & 2) != 0 ? high.y() : low.y(),
                         (i & 4) != 0 ? high.z() : low.z());
  }
  return corners;
}

void add_signs(Corners& corners, const Vector3& point) {
  for (int i = 0; i < 8; ++i) {
    const Vector3 p((i & 1) != 0 ? -point.x() : point.x(), (i & 2) != 0 ? -point.y() : point.y(),
                    (i & 4) != 0 ? -point.z() : point.z());
    if (std::find(corners.begin(), corners.end(), p) == corners.end()) corners.push_back(p);
  }
}

}  // namespace

double sphericity(const ConvexPolyhedron& solid) {
  double area = 0.0;
  for (const double a : solid.face_area) area += a;
  const double radius = cube_root(mass_properties(solid).volume * 0.75 / std::numbers::pi);
  return 4.0 * std::numbers::pi * radius * radius / area;
}

Corners angular_hull(const AngularHull& recipe, Random& random) {
  double highest = 0.0, lowest = 1.0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Gathering drawn = draw_gathering(recipe.corners, random);
    const Corners round = gathered(drawn, 0.0, recipe.elongation);
    if (!recipe.sphericity) return round;
    const double high = sphericity_of(round),
                 low = sphericity_of(gathered(drawn, most_gathered, recipe.elongation));
    if (std::abs(high - *recipe.sphericity) <= sphericity_tolerance) return round;
    if (low <= *recipe.sphericity && *recipe.sphericity <= high)
      return fitted(drawn, *recipe.sphericity, recipe.elongation);
    highest = std::max(highest, high), lowest = std::min(lowest, low);
  }
  throw InputError(
      fmt::format("sphericity: {} is not reached with {} corners and elongation {}; must be "
                  "between about {:.2f} and {:.2f}",
                  *recipe.sphericity, recipe.corners, recipe.elongation, lowest, highest));
}

Corners platonic_solid(const std::string& name) {
  const double golden = 0.5 * (1.0 + std::sqrt(5.0)), inverse = golden - 1.0;
  Corners corners;
  if (name == "tetrahedron") return {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  if (name == "cube" || name == "dodecahedron") add_signs(corners, {1, 1, 1});
  if (name == "octahedron") {
    for (int i = 0; i < 3; ++i)
      corners.insert(corners.end(), {Vector3::Unit(i), -Vector3::Unit(i)});
  }
  for (int i = 0; i < 3; ++i) {
    Vector3 point = Vector3::Zero();
    if (name == "dodecahedron") point[(i + 1) % 3] = inverse, point[(i + 2) % 3] = golden;
    if (name == "icosahedron") point[(i + 1) % 3] = 1.0, point[(i + 2) % 3] = golden;
    if (!point.isZero(0.0)) add_signs(corners, point);
  }
  return corners;
}

std::vector<Corners> cross(double thickness) {
  const double t = 0.5 * thickness, l = 0.5;
  return {box_corners({-l, -t, -t}, {l, t, t}), box_corners({-t, t, -t}, {t, l, t}),
          box_corners({-t, -l, -t}, {t, -t, t}), box_corners({-t, -t, t}, {t, t, l}),
          box_corners({-t, -t, -l}, {t, t, -t})};
}

}  // namespace scree
