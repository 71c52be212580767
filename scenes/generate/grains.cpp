#include "scenes/generate/grains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/check.hpp"
#include "scenes/generate/voronoi_fragments.hpp"

namespace scree {
namespace {

// Numbers of one purpose do not depend on how many another purpose draws.
enum class Stream : std::uint64_t { sizes = 1, shapes = 2, fragments = 3 };

Random stream(std::uint64_t seed, Stream purpose) {
  Random mixed(seed);
  return Random(mixed.bits() ^ (0x9e3779b97f4a7c15U * static_cast<std::uint64_t>(purpose)));
}

double ball_volume(double diameter) {
  return std::numbers::pi / 6.0 * diameter * diameter * diameter;
}

std::vector<Shape> solids(const std::vector<Corners>& parts) {
  std::vector<Shape> shapes;
  for (const Corners& corners : parts) shapes.push_back(make_convex_polyhedron(corners));
  return shapes;
}

std::vector<Corners> corners_of(const std::vector<Shape>& parts) {
  std::vector<Corners> corners;
  for (const Shape& part : parts) corners.push_back(std::get<ConvexPolyhedron>(part).vertices);
  return corners;
}

// The parts with the volume of a ball of diameter `size`, moved so that their centre of mass is the
// origin.
Grain sized(const std::vector<Corners>& drawn, double size) {
  const MassProperties solid = mass_properties(std::span<const Shape>(solids(drawn)));
  const double factor = cube_root(ball_volume(size) / solid.volume);
  Grain grain;
  grain.size = size;
  std::vector<Corners> parts = drawn;
  for (Corners& corners : parts) {
    for (Vector3& corner : corners) {
      corner = factor * (corner - solid.centre);
      grain.radius = std::max(grain.radius, corner.norm());
    }
  }
  grain.parts = solids(parts);
  return grain;
}

Grain ball(double size) { return {{Sphere{0.5 * size, Vector3::Zero()}}, size, 0.5 * size}; }

std::vector<double> draw_sizes(const GrainRecipe& recipe) {
  Random random = stream(recipe.seed, Stream::sizes);
  if (recipe.grading) return graded_sizes(*recipe.grading, recipe.count, random);
  return uniform_sizes(recipe.low, recipe.high, recipe.count, random);
}

constexpr double most_places = 1e7;  // in a layer of a filling

// Centres of one layer of a triangular lattice that keep `radius` from the sides.
std::vector<Vector3> layer_slots(const FillRegion& region, double radius, bool shifted) {
  const double spacing = 2.0 * radius, row = 0.5 * std::sqrt(3.0) * spacing;
  const double half_x = (region.round ? region.radius : 0.5 * region.length) - radius;
  const double half_y = (region.round ? region.radius : 0.5 * region.width) - radius;
  std::vector<Vector3> slots;
  if (half_x < 0.0 || half_y < 0.0) return slots;
  // The rows of the other layers lie over the gaps. A box is filled from its corner, so that narrow
  // ones are used well.
  const double x_0 = region.round ? -std::ceil(half_x / spacing) * spacing : -half_x;
  const double y_0 = region.round ? -std::ceil(half_y / row) * row : -half_y;
  const double shift_x = shifted ? 0.5 * spacing : 0.0, shift_y = shifted ? row / 3.0 : 0.0;
  constexpr double slack = 1e-9;
  for (int j = -1; y_0 + shift_y + j * row <= half_y * (1.0 + slack); ++j) {
    const double y = y_0 + shift_y + j * row;
    if (y < -half_y * (1.0 + slack)) continue;
    for (int i = -1;; ++i) {
      const double x = x_0 + shift_x + (i + (j & 1) * 0.5) * spacing;
      if (x > half_x * (1.0 + slack)) break;
      const bool inside =
          region.round ? x * x + y * y <= half_x * half_x : x >= -half_x * (1.0 + slack);
      if (inside) slots.emplace_back(x, y, 0.0);
    }
  }
  return slots;
}

}  // namespace

Corners without_short_edges(const Corners& cell) {
  double extent = 0.0;
  for (const Vector3& corner : cell) extent = std::max(extent, (corner - cell[0]).norm());
  Corners kept;
  for (const Vector3& corner : cell) {
    const bool is_new = std::all_of(kept.begin(), kept.end(), [&](const Vector3& other) {
      return (corner - other).norm() > 1e-3 * extent;
    });
    if (is_new) kept.push_back(corner);
  }
  return kept;
}

double Grain::volume() const { return ball_volume(size); }

double volume_of(const std::vector<Grain>& grains) {
  double sum = 0.0;
  for (const Grain& grain : grains) sum += grain.volume();
  return sum;
}

std::vector<Grain> make_grains(const GrainRecipe& recipe) {
  Random shapes = stream(recipe.seed, Stream::shapes);
  const std::string& kind = recipe.shape;
  std::vector<Corners> cells;
  if (kind == "voronoi")
    cells = voronoi_fragments(Vector3::Ones(), std::max(recipe.count, 8),
                              stream(recipe.seed, Stream::fragments).bits());
  std::vector<Corners> fixed =
      kind == "cross" ? cross(recipe.thickness) : std::vector<Corners>{platonic_solid(kind)};
  const bool drawn_ball = kind == "drawn" && std::holds_alternative<Sphere>(recipe.drawn.at(0));
  if (kind == "drawn" && !drawn_ball) fixed = corners_of(recipe.drawn);
  std::vector<Grain> grains;
  for (const double size : draw_sizes(recipe)) {
    if (kind == "sphere" || drawn_ball) {
      grains.push_back(ball(size));
    } else if (kind == "hull") {
      grains.push_back(sized({angular_hull(recipe.hull, shapes)}, size));
    } else if (kind == "voronoi") {
      grains.push_back(sized({without_short_edges(cells[grains.size()])}, size));
    } else {
      grains.push_back(sized(fixed, size));
    }
  }
  return grains;
}

namespace {

std::string sides_of(const FillRegion& region) {
  return region.round ? fmt::format("radius {:.4g}", region.radius)
                      : fmt::format("sides {:.4g} and {:.4g}", region.length, region.width);
}

}  // namespace

void require_room(const GrainRecipe& recipe, const FillRegion& region) {
  const std::vector<double> sizes = draw_sizes(recipe);
  const double largest = *std::max_element(sizes.begin(), sizes.end());
  const double base =
      region.round ? M_PI * region.radius * region.radius : region.length * region.width;
  const double most = std::floor(base * region.height / ball_volume(largest));
  constexpr double soon_made = 1000.0;  // so few, placing them can say what is wrong
  require(static_cast<double>(sizes.size()) <= std::max(most, soon_made), "region",
          fmt::format("a vessel with {} m and a height of {:.4g} m cannot hold {} grains, the "
                      "largest of size {:.4g} m; its volume is that of {} of these",
                      sides_of(region), region.height, sizes.size(), largest, most));
}

std::vector<Vector3> fill_positions(const std::vector<Grain>& grains, const FillRegion& region,
                                    Random& random) {
  double radius = 0.0;
  for (const Grain& grain : grains) radius = std::max(radius, grain.radius);
  radius *= 1.0 + 1e-6;
  const double across = 2.0 * radius;
  const double places = region.round ? M_PI * std::pow(region.radius / across, 2)
                                     : region.length / across * (region.width / across);
  require(places <= most_places, "region",
          fmt::format("has room for {:.3g} grains in a layer; at most {:g} are allowed", places,
                      most_places));
  const std::vector<Vector3> layers[2] = {layer_slots(region, radius, false),
                                          layer_slots(region, radius, true)};
  const std::string sides = sides_of(region);
  require(
      !layers[0].empty(), "region",
      fmt::format("a vessel with {} m cannot hold the largest grain, which needs {:.4g} m across",
                  sides, 2.0 * radius));
  const double rise = std::sqrt(2.0 / 3.0) * 2.0 * radius;
  std::vector<Vector3> positions;
  for (int layer = 0; positions.size() < grains.size(); ++layer) {
    const double z = radius + layer * rise;
    require(z + radius <= region.height, "region",
            fmt::format(
                "a vessel with {} m and a height of {:.4g} m cannot hold {} grains; it takes {}",
                sides, region.height, grains.size(), positions.size()));
    std::vector<Vector3> slots = layers[layer % 2].empty() ? layers[0] : layers[layer % 2];
    random.shuffle(slots);
    for (std::size_t i = 0; i < slots.size() && positions.size() < grains.size(); ++i) {
      const double room = radius - grains[positions.size()].radius;
      positions.push_back(slots[i] + Vector3(0.0, 0.0, z) +
                          room * random.uniform() * random.direction());
    }
  }
  return positions;
}

}  // namespace scree
