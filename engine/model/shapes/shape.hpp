// What a shape is: one file with a struct, listed in shapes.hpp. Everything is in the axes of the
// body that owns it (origin: centre of mass; axes: principal axes of inertia). The struct has
//   wall                    true: without volume or bounds; only fixed and driven bodies own one
//   kind()                  its name in result files and messages
//   placed_points(), placed_normals(), placed_directions()   what detection turns into world axes
//   rounding()              [m] how far the surface is from the hull of these points
//   diameter()              [m]
//   bounding_radius()       [m] of the largest distance from the origin; infinite for a wall
//   thinnest()              [m] its smallest width
//   in_axes(change), same(other)
//   check(field)            throws InputError("FIELD: what is wrong"), as for what users give
//   fields(self, visit)     calls visit(ShapeField, value) for what a result file has of it
// and may have
//   integrals()             volume, centre and inertia of a solid
//   core(x)                 of a rounded shape: the point of the core nearest to x
//   scene_keys, drawn(values)   lengths > 0 [m] that a scene draws it by, and the shape from them
//   surface()               its triangles, for pictures, reports and exported files
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/math.hpp"

namespace scree {

// Volume integrals of a solid of unit density.
struct MassProperties {
  double volume = 0.0;                // [m3]
  Vector3 centre = Vector3::Zero();   // [m] centre of mass in the shape's axes
  Matrix3 inertia = Matrix3::Zero();  // [m5] about the centre, in the shape's axes
};

// From axes U to axes B placed at `pose_UB` in them: x_B = R^T (x_U - x), with nothing rounded by a
// rotation that is none.
class AxesChange {
 public:
  explicit AxesChange(const Pose& pose_UB)
      : x_(pose_UB.x),
        R_BU_(pose_UB.q.toRotationMatrix().transpose()),
        rotates_(!pose_UB.q.vec().isZero(0.0)) {}

  const Vector3& origin() const { return x_; }
  Vector3 point(const Vector3& p) const { return direction(p - x_); }
  Vector3 direction(const Vector3& d) const { return rotates_ ? Vector3(R_BU_ * d) : d; }

 private:
  Vector3 x_;
  Matrix3 R_BU_;
  bool rotates_;
};

// What a result file says of a field; points and directions are written in the user's axes.
struct ShapeField {
  const char* name;
  const char* unit;
  const char* meaning;
};

// A surface as triangles, counter-clockwise seen from outside.
struct Surface {
  std::vector<Vector3> vertices;  // [m]
  std::vector<std::array<std::int32_t, 3>> triangles;
};

// Throws InputError unless the coordinates are admitted.
void require_near(const Vector3& point, const std::string& field, const std::string& what);

double largest_norm(std::span<const Vector3> points);

}  // namespace scree
