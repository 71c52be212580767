// A convex part in its place: geometry turned into world axes, about the centre of its body.
#pragma once

#include <span>
#include <vector>

#include "collision/polyhedra/shape_tables.hpp"
#include "engine/base/math.hpp"
#include "engine/model/shapes/shapes.hpp"

namespace scree::collision {

// Views into memory of the detector; all vectors are in world axes and relative to x.
struct PlacedPart {
  const Shape* shape = nullptr;
  const ShapeTables* tables = nullptr;
  Vector3 x = Vector3::Zero();  // [m] centre of the body
  Quaternion q = Quaternion::Identity();
  std::span<const Vector3> points;      // vertices of a polyhedron, points of a set, centre of a
                                        // sphere, point on the axis of a cylinder, ...
  std::span<const Vector3> normals;     // of the faces, or of the half-space; axis of a cylinder
  std::span<const Vector3> directions;  // of the edges of a polyhedron

  PartKind kind() const { return tables->kind; }
  double size() const { return tables->size; }
  double rounding() const { return tables->rounding; }
  const ConvexPolyhedron& solid() const { return *std::get_if<ConvexPolyhedron>(shape); }
  const Sphere& sphere() const { return *std::get_if<Sphere>(shape); }
  const CylinderWall& wall() const { return *std::get_if<CylinderWall>(shape); }
  const Terrain& terrain() const { return *std::get_if<Terrain>(shape); }
  double offset() const { return std::get_if<HalfSpace>(shape)->offset; }
};

// [m] Of a point about the centre, over the plane of a face.
inline double height_over(const PlacedPart& part, std::size_t f, const Vector3& at) {
  return part.normals[f].dot(at) - part.solid().face_offset[f];
}

// Whether a point about the centre is below all faces of a polyhedron, or above one by at most
// `tolerance` [m].
inline bool is_within(const PlacedPart& part, const Vector3& at, double tolerance) {
  for (std::size_t f = 0; f < part.normals.size(); ++f) {
    if (height_over(part, f, at) > tolerance) return false;
  }
  return true;
}

// Number of vectors that a placed shape needs.
std::size_t placed_size(const Shape& shape);

// Turns the shape into `memory` [placed_size(shape)] and returns the views.
PlacedPart place(const Shape& shape, const ShapeTables& tables, const Vector3& x,
                 const Quaternion& q, std::span<Vector3> memory);

// Smallest box about the part, relative to x; infinite for a wall.
struct Bounds {
  Vector3 low = Vector3::Zero(), high = Vector3::Zero();
};
Bounds bounds_of(const PlacedPart& part);

}  // namespace scree::collision
