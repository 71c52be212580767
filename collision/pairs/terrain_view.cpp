#include "collision/pairs/terrain_view.hpp"

#include <limits>

namespace scree::collision {
namespace {

// Of a coordinate in cells; what lies far off is as good as one cell beyond.
std::int32_t cell_of(double at, std::int32_t cells) {
  if (!(at > -1.0)) return -1;
  if (at >= cells) return cells;
  return static_cast<std::int32_t>(std::floor(at));
}

}  // namespace

CellWindow TerrainView::cells(double low_x, double low_y, double high_x, double high_y) const {
  const std::int32_t last_column = raster_.columns - 2, last_row = raster_.rows - 2;
  CellWindow window;
  window.west = std::max(cell_of((low_x - x_) / raster_.dx, last_column + 1), 0);
  window.south = std::max(cell_of((low_y - y_) / raster_.dy, last_row + 1), 0);
  window.east = std::min(cell_of((high_x - x_) / raster_.dx, last_column + 1), last_column);
  window.north = std::min(cell_of((high_y - y_) / raster_.dy, last_row + 1), last_row);
  return window;
}

GroundPlane TerrainView::plane(std::int32_t column, std::int32_t row, int triangle) const {
  const double sw = raster_.at(column, row), se = raster_.at(column + 1, row),
               nw = raster_.at(column, row + 1), ne = raster_.at(column + 1, row + 1);
  const bool rises = raster_.rises(column, row), first = triangle == 0;
  const double slope_x = (first ? se - sw : ne - nw) / raster_.dx;
  const double slope_y = (rises == first ? ne - se : nw - sw) / raster_.dy;
  const double length = std::sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
  GroundPlane plane;
  // A corner of both triangles.
  plane.at = rises ? node(column, row) : node(column + 1, row);
  plane.n = Vector3(-slope_x, -slope_y, 1.0) / length;
  return plane;
}

TerrainView::Outside TerrainView::outside(std::int32_t column, std::int32_t row, int triangle,
                                          const Vector3& p) const {
  const double u = (p.x() - x_) / raster_.dx - column, v = (p.y() - y_) / raster_.dy - row;
  const double cell = smaller_cell(), dx = raster_.dx, dy = raster_.dy;
  if (raster_.rises(column, row)) {
    if (triangle == 0) return {{-v * dy, (u - 1.0) * dx, (v - u) * cell}};
    return {{(v - 1.0) * dy, -u * dx, (u - v) * cell}};
  }
  if (triangle == 0) return {{-v * dy, -u * dx, (u + v - 1.0) * cell}};
  return {{(v - 1.0) * dy, (u - 1.0) * dx, (1.0 - u - v) * cell}};
}

double TerrainView::bulge_of_side(std::int32_t column, std::int32_t row, int triangle,
                                  int side) const {
  if (side == 2) return bulge(column, row, EdgeWay::diagonal);
  if (side == 0) return bulge(column, triangle == 0 ? row : row + 1, EdgeWay::along_x);
  const bool east = raster_.rises(column, row) == (triangle == 0);
  return bulge(east ? column + 1 : column, row, EdgeWay::along_y);
}

// The third corners of the triangles on both sides of an edge.
std::array<std::array<std::int32_t, 2>, 2> TerrainView::opposite(std::int32_t column,
                                                                 std::int32_t row,
                                                                 EdgeWay way) const {
  const auto rises = [&](std::int32_t j, std::int32_t i) { return raster_.rises(j, i); };
  switch (way) {
    case EdgeWay::along_x:
      return {{{rises(column, row - 1) ? column : column + 1, row - 1},
               {rises(column, row) ? column + 1 : column, row + 1}}};
    case EdgeWay::along_y:
      return {{{column - 1, rises(column - 1, row) ? row : row + 1},
               {column + 1, rises(column, row) ? row + 1 : row}}};
    case EdgeWay::diagonal:
      break;
  }
  if (rises(column, row)) return {{{column + 1, row}, {column, row + 1}}};
  return {{{column, row}, {column + 1, row + 1}}};
}

bool TerrainView::has_both_sides(std::int32_t column, std::int32_t row, EdgeWay way) const {
  if (!raster_.in_cells(column, row)) return false;
  if (way == EdgeWay::along_x && row == 0) return false;
  return way != EdgeWay::along_y || column > 0;
}

double TerrainView::bulge(std::int32_t column, std::int32_t row, EdgeWay way) const {
  if (!has_both_sides(column, row, way)) return std::numeric_limits<double>::quiet_NaN();
  const auto third = opposite(column, row, way);
  const double beside =
      0.5 * (raster_.at(third[0][0], third[0][1]) + raster_.at(third[1][0], third[1][1]));
  double from = raster_.at(column, row), to = 0.0;
  double share = 0.5;  // along the edge, of what lies between the third corners
  double whole = 0.0;  // missing where one of the two cells is a hole
  if (way == EdgeWay::diagonal) {
    const bool rises = raster_.rises(column, row);
    if (!rises) from = raster_.at(column + 1, row);
    to = rises ? raster_.at(column + 1, row + 1) : raster_.at(column, row + 1);
  } else if (way == EdgeWay::along_x) {
    to = raster_.at(column + 1, row);
    share = 0.5 * ((third[0][0] - column) + (third[1][0] - column));
    whole = raster_.at(column, row - 1) + raster_.at(column + 1, row - 1) +
            raster_.at(column, row + 1) + raster_.at(column + 1, row + 1);
  } else {
    to = raster_.at(column, row + 1);
    share = 0.5 * ((third[0][1] - row) + (third[1][1] - row));
    whole = raster_.at(column - 1, row) + raster_.at(column - 1, row + 1) +
            raster_.at(column + 1, row) + raster_.at(column + 1, row + 1);
  }
  if (std::isnan(whole)) return whole;
  return from + share * (to - from) - beside;
}

GroundEdge TerrainView::edge(std::int32_t column, std::int32_t row, EdgeWay way) const {
  const auto third = opposite(column, row, way);
  GroundEdge edge;
  const std::array<Vector3, 2> both = ends(column, row, way);
  edge.from = both[0], edge.to = both[1];
  edge.side_1 = node(third[0][0], third[0][1]) - edge.from;
  edge.side_2 = node(third[1][0], third[1][1]) - edge.from;
  const FeatureKind kind = way == EdgeWay::along_x   ? FeatureKind::ground_edge_x
                           : way == EdgeWay::along_y ? FeatureKind::ground_edge_y
                                                     : FeatureKind::ground_diagonal;
  edge.feature = make_feature(kind, number(column, row));
  return edge;
}

std::array<Vector3, 2> TerrainView::ends(std::int32_t column, std::int32_t row, EdgeWay way) const {
  switch (way) {
    case EdgeWay::along_x:
      return {node(column, row), node(column + 1, row)};
    case EdgeWay::along_y:
      return {node(column, row), node(column, row + 1)};
    case EdgeWay::diagonal:
      break;
  }
  if (!raster_.rises(column, row)) return {node(column + 1, row), node(column, row + 1)};
  return {node(column, row), node(column + 1, row + 1)};
}

double TerrainView::plan_distance(std::int32_t column, std::int32_t row, EdgeWay way,
                                  const Vector3& p) const {
  const double dx = raster_.dx, dy = raster_.dy;
  const double x = p.x() - (x_ + column * dx), y = p.y() - (y_ + row * dy);
  if (way == EdgeWay::along_x) return std::abs(y);
  if (way == EdgeWay::along_y) return std::abs(x);
  const double across = raster_.rises(column, row) ? x * dy - y * dx : x * dy + y * dx - dx * dy;
  return std::abs(across) / std::sqrt(dx * dx + dy * dy);
}

bool TerrainView::is_peaked(std::int32_t column, std::int32_t row) const {
  if (column <= 0 || row <= 0 || column >= raster_.columns - 1 || row >= raster_.rows - 1)
    return false;
  const double twice = 2.0 * (raster_.at(column, row) - ground_.flat);
  return raster_.at(column - 1, row) + raster_.at(column + 1, row) < twice &&
         raster_.at(column, row - 1) + raster_.at(column, row + 1) < twice;
}

bool TerrainView::looks_along(std::int32_t column, std::int32_t row, const Vector3& m,
                              double slope) const {
  const double z = raster_.at(column, row);
  const auto leaves = [&](std::int32_t by_x, std::int32_t by_y) {
    const Vector3 along(by_x * raster_.dx, by_y * raster_.dy,
                        raster_.at(column + by_x, row + by_y) - z);
    // Missing data is no edge that is known to go down.
    return !(m.dot(along) <= slope * along.norm());
  };
  if (leaves(-1, 0) || leaves(1, 0) || leaves(0, -1) || leaves(0, 1)) return false;
  if (raster_.rises(column, row) && leaves(1, 1)) return false;
  if (raster_.rises(column - 1, row - 1) && leaves(-1, -1)) return false;
  if (!raster_.rises(column - 1, row) && leaves(-1, 1)) return false;
  return raster_.rises(column, row - 1) || !leaves(1, -1);
}

TerrainView::Column TerrainView::column_at(const Vector3& p) const {
  Column found;
  const double u = (p.x() - x_) / raster_.dx, v = (p.y() - y_) / raster_.dy;
  if (!(u >= 0.0 && v >= 0.0 && u <= raster_.columns - 1 && v <= raster_.rows - 1)) return found;
  found.column = std::min(static_cast<std::int32_t>(u), raster_.columns - 2);
  found.row = std::min(static_cast<std::int32_t>(v), raster_.rows - 2);
  if (raster_.is_hole(found.column, found.row)) return found;
  const double s = u - found.column, t = v - found.row;
  const bool first = raster_.rises(found.column, found.row) ? s >= t : s + t <= 1.0;
  found.triangle = first ? 0 : 1;
  found.plane = plane(found.column, found.row, found.triangle);
  found.height = found.plane.height(p);
  found.known = true;
  return found;
}

}  // namespace scree::collision
