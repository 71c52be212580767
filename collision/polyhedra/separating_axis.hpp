// Exact separating axes of two convex polyhedra in double precision: normals of both, and edge x
// edge where the two edges span a face of the Minkowski difference.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "collision/polyhedra/placed_part.hpp"

namespace scree::collision {

enum class AxisKind : std::uint8_t { face_a, face_b, edges };

// A direction and the separation along it (negative: overlap).
struct Axis {
  AxisKind kind = AxisKind::face_a;
  std::int32_t index_a = -1;                                     // face or edge of a
  std::int32_t index_b = -1;                                     // face or edge of b
  Vector3 normal = Vector3::Zero();                              // unit, world axes, from a to b
  double separation = -std::numeric_limits<double>::infinity();  // [m]
};

// Separations of one body from the faces of the other.
struct FaceTable {
  std::vector<double> separation;  // [m] one a face
  std::vector<double> coordinates,
      most;  // scratch: points of the other in fours; the largest distance of each from a face
  std::vector<double> height;  // scratch: of the point that lies deepest, above each face
  double largest() const { return *std::max_element(separation.begin(), separation.end()); }
};

// Scratch: the edges of one body that may part it from the other, with their directions and faces.
struct EdgeTable {
  std::vector<std::int32_t> edges, faces;
  std::vector<std::uint8_t> facing;  // 1 for those edges
  std::vector<std::int32_t> direction,
      face;  // numbers of those directions and faces among themselves; -1: others
  std::size_t n_directions = 0;
  std::vector<std::uint8_t>
      side;  // on which side of the other's edge directions each of the faces' normals lies
};

// Separations along all axes of a pair; memory is reused.
struct AxisTable {
  FaceTable faces_a, faces_b;
  Axis edges;  // best pair of edges that beats every face; index_a = -1: none
  EdgeTable edges_a, edges_b;
  // Input, mostly empty: axes that point along any of these (unit, from a to b) are left out.
  std::vector<Vector3> barred;
};

// Separation [m] of the two along the unit vector n that points from a to b: min over b less max
// over a. d = x_b - x_a.
double separation_along(const PlacedPart& a, const PlacedPart& b, const Vector3& d,
                        const Vector3& n);

// Fills the table. As soon as an axis separates by more than `cutoff` it stops and returns that
// axis; otherwise the axis returned has separation -infinity. Edges have to beat the best face by
// `tie` [m]. With barred directions it does not stop.
Axis find_axes(const PlacedPart& a, const PlacedPart& b, const Vector3& d, double cutoff,
               double tie, AxisTable& table);

// Fills the separations of the faces alone.
void find_face_separations(const PlacedPart& a, const PlacedPart& b, const Vector3& d,
                           AxisTable& table);

// Unit normal of a pair of edges, pointing away from the material of a; zero when they are nearly
// parallel.
Vector3 edge_pair_normal(const PlacedPart& a, std::int32_t edge_a, const PlacedPart& b,
                         std::int32_t edge_b);

// The axis that makes the contact: the largest separation; within `tie`, faces before edges, then
// the larger face, then the body whose centre comes first in x, y, z, then the lower index.
// Exchanging a and b gives the same axis.
Axis choose_axis(const PlacedPart& a, const PlacedPart& b, const Vector3& d, double tie,
                 const AxisTable& table);

// The axis of one face, from the table.
Axis face_axis(const PlacedPart& a, const PlacedPart& b, AxisKind kind, std::int32_t face,
               const AxisTable& table);

}  // namespace scree::collision
