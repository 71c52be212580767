// The inside of a round vessel: a cylinder around a straight axis that keeps bodies in. Without
// bounds along its axis the solid is everything outside. With bounds it is a shell without
// thickness: it keeps in what lies between them, by the vertex or the ball's nearest point, of
// bodies whose centre is inside; its rim touches balls only.
#pragma once

#include <limits>

#include "engine/model/shapes/shape.hpp"

namespace scree {

struct CylinderWall {
  Vector3 point = Vector3::Zero();  // [m] on the axis; heights are measured from it
  Vector3 axis = Vector3::UnitZ();  // unit
  double radius = 0.0;              // [m]
  double bottom = -std::numeric_limits<double>::infinity();  // [m] heights along the axis between
                                                             // which the wall stands
  double top = std::numeric_limits<double>::infinity();

  static constexpr bool wall = true;
  static constexpr const char* as_owner = "a cylinder wall";

  const char* kind() const { return "cylinder_wall"; }
  std::span<const Vector3> placed_points() const { return {&point, 1}; }
  std::span<const Vector3> placed_normals() const { return {&axis, 1}; }
  std::span<const Vector3> placed_directions() const { return {}; }
  double rounding() const { return 0.0; }
  double diameter() const { return 2.0 * radius; }
  double bounding_radius() const { return std::numeric_limits<double>::infinity(); }
  double thinnest() const { return std::numeric_limits<double>::infinity(); }
  CylinderWall in_axes(const AxesChange& change) const {
    CylinderWall moved = *this;
    moved.point = change.point(point);
    moved.axis = change.direction(axis);
    return moved;
  }
  bool same(const CylinderWall& other) const {
    return radius == other.radius && bottom == other.bottom && top == other.top &&
           point == other.point && axis == other.axis;
  }
  void check(const std::string& field) const;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(ShapeField{"radius", "m", "radius"}, self.radius);
    visit(ShapeField{"centre", "m", "point on the axis in the user's axes"}, self.point);
    visit(ShapeField{"normal", "", "axis in the user's axes"}, self.axis);
    visit(ShapeField{"bottom", "m", "lower end along the axis, from the point; -infinity: none"},
          self.bottom);
    visit(ShapeField{"top", "m", "upper end along the axis, from the point; infinity: none"},
          self.top);
  }
};

}  // namespace scree
