// Flat polygons: area, centre, what planes cut off, distances.
#pragma once

#include <vector>

#include "engine/base/math.hpp"

namespace scree::polygons {

using Polygon = std::vector<Vector3>;  // [m] corners in order

// Along the normal from which the corners go counter-clockwise, as long as the area.
Vector3 area_vector(const Polygon& polygon);
double area(const Polygon& polygon);
Vector3 centre(const Polygon& polygon);

// The part of a convex polygon where `height` of each corner, linear in between, is at most zero.
Polygon part_below(const Polygon& polygon, const std::vector<double>& height);

// The part of a convex polygon inside the prism over `base`, along its normal.
Polygon part_within(Polygon polygon, const Polygon& base);

// From a point to the nearest place of the segment, of the boundary, and of the convex polygon with
// what it encloses.
double distance_to_segment(const Vector3& p, const Vector3& a, const Vector3& b);
double distance_to_boundary(const Vector3& p, const Polygon& polygon);
double distance_to(const Vector3& p, const Polygon& polygon);

}  // namespace scree::polygons
