// Shapes in the axes of the body that owns them (origin: centre of mass; axes: principal axes of
// inertia). A box has exactly the size its user gave: no margins, no rounding.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/math.hpp"

namespace scree {

struct Sphere {
  double radius = 0.0;               // [m]
  Vector3 centre = Vector3::Zero();  // [m]
};

// The solid is the set of points with normal . x <= offset. Only fixed bodies can own one.
struct HalfSpace {
  Vector3 normal = Vector3::UnitZ();  // unit, outward
  double offset = 0.0;                // [m]
};

// The inside of a round vessel: a cylinder around a straight axis that keeps bodies in. Without
// bounds along its axis the solid is everything outside. With bounds it is a shell without
// thickness: it keeps in what lies between them, by the vertex or the ball's nearest point, of
// bodies whose centre is inside; its rim touches balls only. Only fixed and driven bodies can own
// one.
struct CylinderWall {
  Vector3 point = Vector3::Zero();  // [m] on the axis; heights are measured from it
  Vector3 axis = Vector3::UnitZ();  // unit
  double radius = 0.0;              // [m]
  double bottom = -std::numeric_limits<double>::infinity();  // [m] heights along the axis between
                                                             // which the wall stands
  double top = std::numeric_limits<double>::infinity();
};

// A body that touches with given points only; its mass and inertia are given, not computed.
struct PointSet {
  std::vector<Vector3> points;  // [m]
};

// What was done to given points to make a polyhedron with flat faces of them.
struct HullChange {
  double moved = 0.0;   // [m] farthest that a vertex was moved so that merged faces are flat
  double volume = 0.0;  // [-] relative change of the volume
};

// Convex polyhedron with exact topology. Coplanar facets are merged into one polygonal face.
struct ConvexPolyhedron {
  struct Edge {
    std::int32_t vertex_0 = 0, vertex_1 = 0;  // vertex_0 < vertex_1
    std::int32_t face_0 = 0, face_1 = 0;      // the two faces that share it
  };

  std::vector<Vector3> vertices;            // [m]
  std::vector<std::int32_t> face_begin;     // [n_faces + 1] into face_vertices
  std::vector<std::int32_t> face_vertices;  // loops, counter-clockwise seen from outside
  std::vector<Vector3> face_normal;         // [n_faces] unit, outward
  std::vector<double> face_offset;          // [m] face plane: normal . x = offset
  std::vector<double> face_area;            // [m2]
  std::vector<Edge> edges;
  std::vector<Vector3> edge_directions;  // distinct unit edge directions (parallel edges once)
  double size = 0.0;                     // [m] largest distance between two vertices
  bool is_box = false;  // made from three side lengths; faces stay axis-aligned in user axes
  Vector3 origin =
      Vector3::Zero();  // [m] of the coordinates above in the axes of the drawing: not zero for a
                        // hull drawn far from its origin, until to_axes has taken it up
  HullChange change;    // against the hull of the points that were given

  std::int32_t n_faces() const { return static_cast<std::int32_t>(face_normal.size()); }
  std::span<const std::int32_t> face(std::int32_t f) const {
    const auto begin = static_cast<std::size_t>(face_begin[static_cast<std::size_t>(f)]);
    const auto end = static_cast<std::size_t>(face_begin[static_cast<std::size_t>(f) + 1]);
    return {face_vertices.data() + begin, end - begin};
  }
};

using Shape = std::variant<Sphere, ConvexPolyhedron, HalfSpace, PointSet, CylinderWall>;

// Half-spaces and cylinder walls: without volume or bounds, so only fixed and driven bodies can own
// one.
inline bool is_wall(const Shape& shape) {
  return std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<CylinderWall>(shape);
}

// Volume integrals of a solid of unit density.
struct MassProperties {
  double volume = 0.0;                // [m3]
  Vector3 centre = Vector3::Zero();   // [m] centre of mass in the shape's axes
  Matrix3 inertia = Matrix3::Zero();  // [m5] about the centre, in the shape's axes
};

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

// The same shape seen from axes B placed at `pose_UB` in its own axes U: x_B = q^-1 (x_U - x).
Shape to_axes(const Shape& shape, const Pose& pose_UB);

// Largest distance [m] of a point of the shape from the origin of its axes; infinite for a wall.
double bounding_radius(const Shape& shape);

const char* shape_kind(
    const Shape& shape);  // "sphere", "box", "polyhedron", "half_space", "points", "cylinder_wall"

}  // namespace scree
