// The point of a convex polyhedron's surface nearest to a given point, and the feature it lies on.
#pragma once

#include "collision/polyhedra/placed_part.hpp"
#include "engine/model/contact_set.hpp"

namespace scree::collision {

struct SurfacePoint {
  Feature feature = 0;
  Vector3 point = Vector3::Zero();   // [m] on the surface, about the polyhedron's centre
  Vector3 normal = Vector3::Zero();  // unit, outward
  double distance = 0.0;             // [m] negative inside
};

// `at` [m] about the polyhedron's centre. Inside, and within `eps` of the surface: the face of
// least penetration (the larger face within eps, then the lower index). Outside: the closest point;
// a face before its edges and vertices within eps.
SurfacePoint closest_point(const PlacedPart& solid, const Vector3& at, double eps);

}  // namespace scree::collision
