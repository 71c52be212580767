// Overlap of two convex polygons in a plane, with every corner named by the features that make it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/math.hpp"

namespace scree::collision {

using Vector2 = Eigen::Vector2d;

inline double cross(const Vector2& a, const Vector2& b) { return a.x() * b.y() - a.y() * b.x(); }

// A corner of the overlap: a vertex of p inside q (vertex_p), a vertex of q inside p (vertex_q),
// both at one place, or a proper crossing of edge_p and edge_q (edges named by their first vertex).
struct OverlapCorner {
  Vector2 at = Vector2::Zero();  // [m]
  std::int32_t vertex_p = -1, vertex_q = -1;
  std::int32_t edge_p = -1, edge_q = -1;
};

// Polygons and their overlap; memory is reused.
struct OverlapPolygon {
  std::vector<Vector2> p;              // [m] counter-clockwise
  std::vector<Vector2> q;              // [m] clockwise
  std::vector<OverlapCorner> corners;  // in no particular order around the polygon
  double width = 0.0;  // [m] across the corners' longest diagonal, 0 for fewer than 3

  std::vector<std::int8_t> side_p,
      side_q;  // scratch: side of each vertex from each edge of the other
};

// Fills `corners` and `width` from `p` and `q`. The rule is symmetric: each vertex is inside, on
// (within eps [m]) or outside each edge line of the other polygon; vertices that are nowhere
// outside are corners, and only edges whose ends lie strictly on both sides of each other cross. So
// edges that nearly coincide make no corners of their own.
void find_overlap(double eps, OverlapPolygon& overlap);

}  // namespace scree::collision
