// Numbers at the nodes of a regular grid, and the ground that two triangles a cell make of them.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/decimal.hpp"
#include "engine/base/math.hpp"

namespace scree {

// Which diagonal of a cell is an edge: the one between the nodes whose values differ less (a tie:
// rising), or the same everywhere; rising goes from south-west to north-east.
enum class Diagonal : std::uint8_t { smaller_step, rising, falling };

// Nodes are the centres of a file's cells. Rows go from south to north, columns from west to east.
struct Raster {
  double x = 0.0, y = 0.0;    // [m] of node (0, 0), the most south-western
  double dx = 1.0, dy = 1.0;  // [m] between nodes
  std::int32_t columns = 0, rows = 0;
  std::vector<double> values;  // [rows * columns] row by row; NaN: no data
  Diagonal diagonal = Diagonal::smaller_step;

  // The file's own words, for files that are made over the same cells; empty without a file.
  struct MapFrame {
    Decimal west, south;  // of the outer corner of the south-western cell, map coordinates
    Decimal dx, dy;
    double nodata = -9999.0;
    std::string projection;  // WKT, or empty
  } map;

  double at(std::int32_t column, std::int32_t row) const {
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(column)];
  }
  double x_of(std::int32_t column) const { return x + column * dx; }
  double y_of(std::int32_t row) const { return y + row * dy; }
  double x_end() const { return x_of(columns - 1); }
  double y_end() const { return y_of(rows - 1); }

  // A cell between four nodes. Its triangle 0 has the south-eastern corner where the diagonal
  // rises, the south-western one where it falls; triangle 1 has the opposite corner.
  bool in_cells(std::int32_t column, std::int32_t row) const {
    return column >= 0 && row >= 0 && column < columns - 1 && row < rows - 1;
  }
  // One of its nodes has no data.
  bool is_hole(std::int32_t column, std::int32_t row) const {
    return std::isnan(at(column, row) + at(column + 1, row) + at(column, row + 1) +
                      at(column + 1, row + 1));
  }
  bool rises(std::int32_t column, std::int32_t row) const {
    if (diagonal != Diagonal::smaller_step) return diagonal == Diagonal::rising;
    return std::abs(at(column + 1, row + 1) - at(column, row)) <=
           std::abs(at(column, row + 1) - at(column + 1, row));
  }
};

// The ground of a raster at a place.
struct Ground {
  double height = 0.0;                // [m]; NaN beyond the outer nodes and over holes
  Vector3 normal = Vector3::UnitZ();  // unit, upward, of the triangle there
  std::int32_t column = -1, row = -1;
  int triangle = 0;

  bool known() const { return !std::isnan(height); }
};

Ground ground_at(const Raster& raster, double x, double y);
// Its height alone.
double ground_height(const Raster& raster, double x, double y);

// What a cell's triangle 0 or 1 rises by per metre along x and y, and its height at (x, y).
struct TrianglePlane {
  double slope_x = 0.0, slope_y = 0.0, height = 0.0;
};
TrianglePlane plane_at(const Raster& raster, std::int32_t column, std::int32_t row, int triangle,
                       double x, double y);

}  // namespace scree
