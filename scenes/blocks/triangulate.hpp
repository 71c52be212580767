// Polygons of a mesh: their planes, and triangles in their place.
#pragma once

#include <vector>

#include "engine/base/math.hpp"
#include "scenes/blocks/block_model.hpp"

namespace scree::blocks {

struct FacePlane {
  Vector3 point = Vector3::Zero();   // [m] mean of the corners
  Vector3 normal = Vector3::Zero();  // unit, outward; zero for a face without area
  double area = 0.0;                 // [m2]
};

FacePlane plane_of(const std::vector<Vector3>& vertices, const Face& face);

// How far the corners of a face lie off its mean plane [m].
double off_plane(const std::vector<Vector3>& vertices, const Face& face);

// Solid angle of a triangle seen from the origin [sr], > 0 from behind it (van Oosterom and
// Strackee 1983, IEEE Trans. Biomed. Eng. 30, 125).
double solid_angle(const Vector3& a, const Vector3& b, const Vector3& c);

// Whether a polygon has no corner that turns back, seen along its normal.
bool is_convex_face(const std::vector<Vector3>& vertices, const Face& face);

// The triangles with the shortest diagonals in sum. The choice depends on the places of the corners
// alone, not on where the loop begins or which side it is seen from.
std::vector<Face> shortest_triangulation(const std::vector<Vector3>& vertices, const Face& face);

}  // namespace scree::blocks
