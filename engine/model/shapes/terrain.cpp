#include "engine/model/shapes/terrain.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/check.hpp"

namespace scree {
namespace {

// Heights differ from a plane by less where decimals or sums of theirs are rounded.
constexpr double flat_share = 1e-9;   // [-] of a cell
constexpr double rounding = 8.9e-16;  // [-] of the largest height

// Every n-th number from 0 to count - 1, and the last.
std::vector<std::int32_t> drawn_lines(std::int32_t count) {
  const std::int32_t stride = (count + most_drawn_lines - 3) / (most_drawn_lines - 1);
  std::vector<std::int32_t> lines;
  for (std::int32_t i = 0; i < count - 1; i += stride) lines.push_back(i);
  lines.push_back(count - 1);
  return lines;
}

// Cells along each side of a block that is looked through at once for holes.
constexpr std::int32_t block_side = 64;

std::int32_t blocks_along(std::int32_t nodes) { return (nodes - 2) / block_side + 1; }

// Cells, holes and slopes.
void look_through(const Raster& raster, TerrainRaster& made) {
  const auto across = static_cast<std::size_t>(blocks_along(raster.columns));
  if (made.has_holes)
    made.holes_in_block.assign(across * static_cast<std::size_t>(blocks_along(raster.rows)), 0);
  std::int64_t steep = 0;
  double steepest = 0.0;  // squared
  const double by_x = 1.0 / (raster.dx * raster.dx), by_y = 1.0 / (raster.dy * raster.dy);
  for (std::int32_t row = 0; row < raster.rows - 1; ++row) {
    for (std::int32_t column = 0; column < raster.columns - 1; ++column) {
      if (made.has_holes && raster.is_hole(column, row)) {
        ++made.holes;
        made.holes_in_block[static_cast<std::size_t>(row / block_side) * across +
                            static_cast<std::size_t>(column / block_side)] = 1;
        continue;
      }
      ++made.cells;
      const double sw = raster.at(column, row), se = raster.at(column + 1, row),
                   nw = raster.at(column, row + 1), ne = raster.at(column + 1, row + 1);
      const bool rises = raster.rises(column, row);
      for (const auto& [along_x, along_y] : {std::pair(se - sw, rises ? ne - se : nw - sw),
                                             std::pair(ne - nw, rises ? nw - sw : ne - se)}) {
        const double square = along_x * along_x * by_x + along_y * along_y * by_y;
        steepest = std::max(steepest, square);
        steep += square > 1.0 ? 1 : 0;
      }
    }
  }
  made.steepest = std::sqrt(steepest);
  made.steep =
      0.5 * static_cast<double>(steep) / static_cast<double>(std::max<std::int64_t>(made.cells, 1));
}

Terrain::Drawn drawn_of(const Raster& raster) {
  Terrain::Drawn drawn;
  const std::vector<std::int32_t> columns = drawn_lines(raster.columns),
                                  rows = drawn_lines(raster.rows);
  std::vector<double> heights;
  for (const std::int32_t row : rows) {
    for (const std::int32_t column : columns) {
      const double z = raster.at(column, row);
      heights.push_back(z);
      drawn.vertices.emplace_back(raster.x_of(column), raster.y_of(row), std::isnan(z) ? 0.0 : z);
    }
  }
  drawn.face_begin = {0};
  const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
    for (const std::size_t v : {a, b, c}) drawn.faces.push_back(static_cast<std::int32_t>(v));
    drawn.face_begin.push_back(static_cast<std::int32_t>(drawn.faces.size()));
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
  return drawn;
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
  look_through(raster, *made);
  made->raster = std::move(raster);
  made->sha256 = std::move(sha256);
  return made;
}

bool TerrainRaster::has_hole_in(std::int32_t west, std::int32_t south, std::int32_t east,
                                std::int32_t north) const {
  if (!has_holes) return false;
  const std::int32_t across = blocks_along(raster.columns);
  for (std::int32_t i = south / block_side; i <= north / block_side; ++i) {
    for (std::int32_t j = west / block_side; j <= east / block_side; ++j) {
      if (holes_in_block[static_cast<std::size_t>(i * across + j)] == 0) continue;
      for (std::int32_t row = std::max(south, i * block_side);
           row <= std::min(north, (i + 1) * block_side - 1); ++row) {
        for (std::int32_t column = std::max(west, j * block_side);
             column <= std::min(east, (j + 1) * block_side - 1); ++column) {
          if (raster.is_hole(column, row)) return true;
        }
      }
    }
  }
  return false;
}

Terrain make_terrain(std::shared_ptr<const TerrainRaster> ground, std::string file) {
  Terrain terrain;
  terrain.drawn = std::make_shared<const Terrain::Drawn>(drawn_of(ground->raster));
  terrain.file = std::move(file);
  terrain.ground = std::move(ground);
  return terrain;
}

Terrain Terrain::in_axes(const AxesChange& change) const {
  Terrain moved = *this;
  moved.shift = change.point(shift);
  const bool stays = change.point(Vector3::Zero()).isZero(0.0) &&
                     change.point(Vector3::UnitX()) == Vector3::UnitX() &&
                     change.point(Vector3::UnitY()) == Vector3::UnitY();
  if (drawn == nullptr || stays) return moved;
  auto there = std::make_shared<Drawn>(*drawn);
  for (Vector3& vertex : there->vertices) vertex = change.point(vertex);
  moved.drawn = std::move(there);
  return moved;
}

void Terrain::check(const std::string& field) const {
  require(ground != nullptr && drawn != nullptr, field, "the terrain has no raster");
  require_near(shift, field, "the place of the terrain");
}

}  // namespace scree
