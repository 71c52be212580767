// Convex hull of points as triangles, and as polygonal faces in which nearly coplanar triangles are
// merged: the topology behind make_convex_polyhedron.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/math.hpp"

namespace scree {

// One face: indices into the points, counter-clockwise seen from outside.
using HullLoop = std::vector<std::int32_t>;

// A triangle of the hull; neighbour[i] lies across the edge from corner[i] to the next one.
struct HullTriangle {
  std::array<std::int32_t, 3> corner{}, neighbour{};
};

// Largest distance between two of the points [m].
double point_set_diameter(std::span<const Vector3> points);

// Twice the area vector of a polygon (Newell), taken about its first vertex.
Vector3 newell_vector(std::span<const Vector3> points, std::span<const std::int32_t> loop);

// The hull's triangles, exact for the coordinates given: no point is above any of them, coplanar
// ones are not merged. Points that coincide count once. Empty when all points lie in one plane.
// Quickhull: O(n log n) for points in no malicious order.
std::vector<HullTriangle> hull_triangles(std::span<const Vector3> points);

// Faces of the hull of `points` with the triangles `hull`: triangles whose corners all lie within
// `tolerance` [m] of the plane of their face are one face. Corners that belong to fewer than three
// faces are no vertices. Faces are not yet flat. Empty when the faces do not make a polyhedron: the
// tolerance is too large for it.
std::vector<HullLoop> merged_faces(std::span<const Vector3> points,
                                   std::span<const HullTriangle> hull, double tolerance);

}  // namespace scree
