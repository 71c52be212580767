// Cells, triangles, edges and nodes of a terrain, about the centre of the body that is held against
// it. Edges and nodes of the rim and of holes are none: nobody knows the ground beyond.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "collision/polyhedra/placed_part.hpp"
#include "engine/model/contact_set.hpp"

namespace scree::collision {

// Cells from (column, row) = (west, south) to (east, north), all included; empty: east < west.
struct CellWindow {
  std::int32_t west = 0, south = 0, east = -1, north = -1;
  bool empty() const { return east < west || north < south; }
};

struct GroundPlane {
  Vector3 at = Vector3::Zero();  // a node of the triangle
  Vector3 n = Vector3::UnitZ();  // unit, upward
  double height(const Vector3& p) const { return n.dot(p - at); }
};

enum class EdgeWay : std::uint8_t { along_x, along_y, diagonal };

// An edge with the third corners of its two triangles.
struct GroundEdge {
  Vector3 from = Vector3::Zero(), to = Vector3::Zero();
  Vector3 side_1 = Vector3::Zero(), side_2 = Vector3::Zero();  // from `from` to them
  Feature feature = 0;

  Vector3 along() const { return to - from; }
};

class TerrainView {
 public:
  // d: from the centre of the other body to that of the terrain's.
  TerrainView(const PlacedPart& part, const Vector3& d)
      : ground_(*part.terrain().ground),
        raster_(ground_.raster),
        at_(d + part.terrain().shift),
        x_(at_.x() + raster_.x),
        y_(at_.y() + raster_.y) {}

  const Raster& raster() const { return raster_; }
  double flat() const { return ground_.flat; }
  double highest() const { return at_.z() + ground_.highest; }
  double smaller_cell() const { return std::min(raster_.dx, raster_.dy); }

  Vector3 node(std::int32_t column, std::int32_t row) const {
    return {x_ + column * raster_.dx, y_ + row * raster_.dy, at_.z() + raster_.at(column, row)};
  }

  // Cells over which [low, high] lies in plan.
  CellWindow cells(double low_x, double low_y, double high_x, double high_y) const;

  bool is_ground(std::int32_t column, std::int32_t row) const {
    return raster_.in_cells(column, row) && !raster_.is_hole(column, row);
  }
  // Below and above it all of the cell.
  std::array<double, 2> height_range(std::int32_t column, std::int32_t row) const {
    const double sw = raster_.at(column, row), se = raster_.at(column + 1, row),
                 nw = raster_.at(column, row + 1), ne = raster_.at(column + 1, row + 1);
    return {at_.z() + std::min(std::min(sw, se), std::min(nw, ne)),
            at_.z() + std::max(std::max(sw, se), std::max(nw, ne))};
  }

  GroundPlane plane(std::int32_t column, std::int32_t row, int triangle) const;
  Feature face_feature(std::int32_t column, std::int32_t row, int triangle) const {
    return make_feature(FeatureKind::ground_face, 2 * number(column, row) + triangle);
  }
  Feature node_feature(std::int32_t column, std::int32_t row) const {
    return make_feature(FeatureKind::ground_node, number(column, row));
  }

  // Shares of the cell at which a place lies in plan; how far [m] it is out of the triangle beyond
  // each of its three edges, which are listed as edges of the terrain.
  struct Outside {
    std::array<double, 3> by = {};
    double largest() const { return std::max(by[0], std::max(by[1], by[2])); }
  };
  Outside outside(std::int32_t column, std::int32_t row, int triangle, const Vector3& p) const;

  // Whether an edge is of two cells, or crosses one; else it is of the rim, or none.
  bool has_both_sides(std::int32_t column, std::int32_t row, EdgeWay way) const;
  // Height [m] of the middle of an edge over the ground beside it: > 0 convex; NaN: on the rim or
  // beside a hole. The edge begins at the node (column, row), a diagonal crosses that cell.
  double bulge(std::int32_t column, std::int32_t row, EdgeWay way) const;
  // The same of the edges of `outside`.
  double bulge_of_side(std::int32_t column, std::int32_t row, int triangle, int side) const;
  bool is_convex(std::int32_t column, std::int32_t row, EdgeWay way) const {
    return bulge(column, row, way) > ground_.flat;
  }
  GroundEdge edge(std::int32_t column, std::int32_t row, EdgeWay way) const;
  // Its ends alone.
  std::array<Vector3, 2> ends(std::int32_t column, std::int32_t row, EdgeWay way) const;
  // Distance [m] in plan of a place from the line of an edge.
  double plan_distance(std::int32_t column, std::int32_t row, EdgeWay way, const Vector3& p) const;

  // Whether the ground bends down from the node along x and along y: no other node is one of its
  // own corners.
  bool is_peaked(std::int32_t column, std::int32_t row) const;
  // Whether no edge leaves the node by more than `slope` [-] of its length along the unit vector m.
  bool looks_along(std::int32_t column, std::int32_t row, const Vector3& m, double slope) const;

  // The ground above or below a place.
  struct Column {
    bool known = false;
    std::int32_t column = -1, row = -1;
    int triangle = 0;
    GroundPlane plane;
    double height = 0.0;  // [m] of the place over the plane, along its normal
  };
  Column column_at(const Vector3& p) const;

 private:
  std::int32_t number(std::int32_t column, std::int32_t row) const {
    return row * raster_.columns + column;
  }
  std::array<std::array<std::int32_t, 2>, 2> opposite(std::int32_t column, std::int32_t row,
                                                      EdgeWay way) const;
  const TerrainRaster& ground_;
  const Raster& raster_;
  Vector3 at_;
  double x_, y_;
};

}  // namespace scree::collision
