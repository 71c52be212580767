// Convex hull of points as polygonal faces: the topology behind make_convex_polyhedron.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/math.hpp"

namespace scree {

// One face: indices into the points, counter-clockwise seen from outside, coplanar points merged.
using HullLoop = std::vector<std::int32_t>;

// Largest distance between two of the points [m].
double point_set_diameter(std::span<const Vector3> points);

// Twice the area vector of a polygon (Newell), taken about its first vertex.
Vector3 newell_vector(std::span<const Vector3> points, std::span<const std::int32_t> loop);

// Faces of the hull. Points within `tolerance` [m] of a face plane belong to it; points inside a face or within
// `tolerance` of the chord of their neighbours are no vertices. Throws InputError when all points are coplanar
// within the tolerance, or so nearly coplanar that the faces do not close.
std::vector<HullLoop> convex_hull_faces(std::span<const Vector3> points, double tolerance);

}  // namespace scree
