#include "engine/base/raster.hpp"

#include <algorithm>
#include <limits>

namespace scree {
namespace {

// The cell and the triangle over which (x, y) lies; false: beyond the outer nodes, or over a hole.
bool find_triangle(const Raster& raster, double x, double y, Ground& ground) {
  if (!(x >= raster.x && y >= raster.y && x <= raster.x_end() && y <= raster.y_end())) return false;
  const double u = (x - raster.x) / raster.dx, v = (y - raster.y) / raster.dy;
  ground.column = std::min(static_cast<std::int32_t>(u), raster.columns - 2);
  ground.row = std::min(static_cast<std::int32_t>(v), raster.rows - 2);
  const double s = u - ground.column, t = v - ground.row;  // shares of the cell
  ground.triangle =
      raster.rises(ground.column, ground.row) ? (s >= t ? 0 : 1) : (s + t <= 1.0 ? 0 : 1);
  return !raster.is_hole(ground.column, ground.row);
}

}  // namespace

TrianglePlane plane_at(const Raster& raster, std::int32_t column, std::int32_t row, int triangle,
                       double x, double y) {
  const double z_sw = raster.at(column, row), z_se = raster.at(column + 1, row),
               z_nw = raster.at(column, row + 1), z_ne = raster.at(column + 1, row + 1);
  const bool first = triangle == 0;
  const double along_x = x - raster.x_of(column), along_y = y - raster.y_of(row);
  TrianglePlane plane;
  if (raster.rises(column, row)) {
    plane.slope_x = (first ? z_se - z_sw : z_ne - z_nw) / raster.dx;
    plane.slope_y = (first ? z_ne - z_se : z_nw - z_sw) / raster.dy;
    plane.height = z_sw + plane.slope_x * along_x + plane.slope_y * along_y;
  } else {
    plane.slope_x = (first ? z_se - z_sw : z_ne - z_nw) / raster.dx;
    plane.slope_y = (first ? z_nw - z_sw : z_ne - z_se) / raster.dy;
    plane.height = z_se + plane.slope_x * (along_x - raster.dx) + plane.slope_y * along_y;
  }
  return plane;
}

Ground ground_at(const Raster& raster, double x, double y) {
  Ground ground;
  ground.height = std::numeric_limits<double>::quiet_NaN();
  if (!find_triangle(raster, x, y, ground)) return ground;
  const TrianglePlane plane = plane_at(raster, ground.column, ground.row, ground.triangle, x, y);
  ground.height = plane.height;
  ground.normal = Vector3(-plane.slope_x, -plane.slope_y, 1.0).normalized();
  return ground;
}

double ground_height(const Raster& raster, double x, double y) {
  Ground ground;
  if (!find_triangle(raster, x, y, ground)) return std::numeric_limits<double>::quiet_NaN();
  return plane_at(raster, ground.column, ground.row, ground.triangle, x, y).height;
}

}  // namespace scree
