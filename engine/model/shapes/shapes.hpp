// Shapes in the axes of the body that owns them (origin: centre of mass; axes: principal axes of
// inertia). A new shape is a file of its own (shape.hpp says what is in it), its include, and its
// name in the list; its pairs are listed in collision/pairs/pair_table.hpp.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/model/shapes/capsule.hpp"
#include "engine/model/shapes/convex_polyhedron.hpp"
#include "engine/model/shapes/cylinder_wall.hpp"
#include "engine/model/shapes/half_space.hpp"
#include "engine/model/shapes/point_set.hpp"
#include "engine/model/shapes/sphere.hpp"
#include "engine/model/shapes/terrain.hpp"

namespace scree {

using Shape =
    std::variant<Sphere, ConvexPolyhedron, HalfSpace, PointSet, CylinderWall, Capsule, Terrain>;

// Without volume or bounds: only fixed and driven bodies can own one.
inline bool is_wall(const Shape& shape) {
  return std::visit([]<class T>(const T&) { return T::wall; }, shape);
}

// Whether a body of this shape has a computed mass and inertia.
inline bool has_volume(const Shape& shape) {
  return std::visit(
      []<class T>(const T&) {
        return requires(const T& t) { t.integrals(); };
      },
      shape);
}

// A shape of which the file format knows fields only, by its name; a Sphere if there is none.
// For readers of files: fields() fills it.
Shape shape_named(const std::string& name);

// Its triangles; empty for shapes that are drawn in another way.
Surface surface_of(const Shape& shape);

// Box of the given side lengths [m], centred on the origin, sides along the axes.
// Throws InputError when a side is not finite and positive.
ConvexPolyhedron make_box(const Vector3& sides);

// [-] of the size: facets whose corners lie within this distance of one plane are one face. Float
// coordinates, and six decimals of a body of a tenth of a metre, are rounded by less; real edges
// are a hundred times as high.
constexpr double coplanar_tolerance = 1e-5;

// Convex hull of `points` [m] (at least 4), in O(n log n). Nearly coplanar facets are merged
// (coplanar_tolerance) and made flat to round-off, by the smallest displacements of their corners
// that do it. Points inside the hull, or on a face or edge within the tolerance, are dropped.
// Throws InputError when a point is not finite or all points lie in one plane within the tolerance.
ConvexPolyhedron make_convex_polyhedron(std::span<const Vector3> points);

// Exact integrals over the polyhedron (signed tetrahedra), the ball; InputError for walls and
// PointSet.
MassProperties mass_properties(const Shape& shape);

// The sum over solids that do not overlap: a compound.
MassProperties mass_properties(std::span<const Shape> parts);

// Throws InputError("FIELD: ...") if a body cannot have the shape.
void check_shape(const Shape& shape, const std::string& field);

// Whether two shapes are the same, bit for bit.
bool same_shape(const Shape& one, const Shape& other);

// The same shape seen from axes B placed at `pose_UB` in its own axes U: x_B = q^-1 (x_U - x).
Shape to_axes(const Shape& shape, const Pose& pose_UB);

// Largest distance [m] of a point of the shape from the origin of its axes; infinite for a wall.
double bounding_radius(const Shape& shape);

// "sphere", "box", "polyhedron", "half_space", "points", "cylinder_wall", ...
const char* shape_kind(const Shape& shape);

}  // namespace scree
