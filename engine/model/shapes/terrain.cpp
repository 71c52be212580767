#include "engine/model/shapes/terrain.hpp"

#include <algorithm>
#include <cmath>

#include "engine/base/check.hpp"

namespace scree {
namespace {

// Heights differ from a plane by less where decimals or sums of theirs are rounded.
constexpr double flat_share = 1e-9;       // [-] of a cell
constexpr double rounding = 8.9e-16;      // [-] of the largest height
constexpr std::int32_t most_drawn = 256;  // along each axis

// Every n-th number from 0 to count - 1, and the last.
std::vector<std::int32_t> drawn_lines(std::int32_t count) {
  const std::int32_t stride = (count + most_drawn - 3) / (most_drawn - 1);
  std::vector<std::int32_t> lines;
  for (std::int32_t i = 0; i < count - 1; i += stride) lines.push_back(i);
  lines.push_back(count - 1);
  return lines;
}

void draw(const Raster& raster, Terrain& terrain) {
  const std::vector<std::int32_t> columns = drawn_lines(raster.columns),
                                  rows = drawn_lines(raster.rows);
  std::vector<double> heights;
  for (const std::int32_t row : rows) {
    for (const std::int32_t column : columns) {
      const double z = raster.at(column, row);
      heights.push_back(z);
      terrain.vertices.emplace_back(raster.x_of(column), raster.y_of(row), std::isnan(z) ? 0.0 : z);
    }
  }
  terrain.face_begin = {0};
  const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
    for (const std::size_t v : {a, b, c}) terrain.faces.push_back(static_cast<std::int32_t>(v));
    terrain.face_begin.push_back(static_cast<std::int32_t>(terrain.faces.size()));
  };
  const bool whole = columns.size() == static_cast<std::size_t>(raster.columns) &&
                     rows.size() == static_cast<std::size_t>(raster.rows);
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    for (std::size_t j = 0; j + 1 < columns.size(); ++j) {
      const std::size_t sw = i * columns.size() + j, se = sw + 1, nw = sw + columns.size(),
                        ne = nw + 1;
      if (std::isnan(heights[sw] + heights[se] + heights[nw] + heights[ne])) continue;
      const bool rises =
          whole ? raster.rises(columns[j], rows[i])
                : std::abs(heights[ne] - heights[sw]) <= std::abs(heights[nw] - heights[se]);
      if (rises)
        add(sw, se, ne), add(sw, ne, nw);
      else
        add(sw, se, nw), add(se, ne, nw);
    }
  }
}

}  // namespace

std::shared_ptr<const TerrainRaster> make_terrain_raster(Raster raster, std::string sha256) {
  auto made = std::make_shared<TerrainRaster>();
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double z : raster.values) {
    if (std::isnan(z)) {
      made->has_holes = true;
      continue;
    }
    low = std::min(low, z), high = std::max(high, z);
  }
  made->lowest = low, made->highest = high;
  made->flat = std::max(flat_share * std::min(raster.dx, raster.dy),
                        rounding * std::max(std::abs(low), std::abs(high)));
  made->raster = std::move(raster);
  made->sha256 = std::move(sha256);
  return made;
}

Terrain make_terrain(std::shared_ptr<const TerrainRaster> ground, std::string file) {
  Terrain terrain;
  draw(ground->raster, terrain);
  terrain.file = std::move(file);
  terrain.ground = std::move(ground);
  return terrain;
}

Terrain Terrain::in_axes(const AxesChange& change) const {
  Terrain moved = *this;
  moved.shift = change.point(shift);
  for (Vector3& vertex : moved.vertices) vertex = change.point(vertex);
  return moved;
}

void Terrain::check(const std::string& field) const {
  require(ground != nullptr, field, "the terrain has no raster");
  require_near(shift, field, "the place of the terrain");
}

}  // namespace scree
