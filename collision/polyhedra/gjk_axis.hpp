// A separating direction from Bullet's GJK, for culling only: it is checked in double before it
// counts.
#pragma once

#include <memory>

#include "engine/base/math.hpp"
#include "engine/model/shapes/shapes.hpp"

class btConvexHullShape;

namespace scree::collision {

struct PlacedPart;

// Polyhedra with at least this many faces are worth a GJK call (box against box: the exact axes
// cost less).
constexpr int gjk_min_faces = 12;

// Vertices scaled to size 1, without margin; empty for polyhedra of few faces.
std::shared_ptr<btConvexHullShape> make_unit_hull(const ConvexPolyhedron& solid);

// Unit direction from a to b (world axes) along which the hulls seem to be apart, or zero. d = x_b
// - x_a [m].
Vector3 gjk_axis(const PlacedPart& a, const PlacedPart& b, const Vector3& d);

}  // namespace scree::collision
