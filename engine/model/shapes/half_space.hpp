// Half-space: the set of points with normal . x <= offset.
#pragma once

#include <limits>

#include "engine/model/shapes/shape.hpp"

namespace scree {

struct HalfSpace {
  Vector3 normal = Vector3::UnitZ();  // unit, outward
  double offset = 0.0;                // [m]

  static constexpr bool wall = true;
  static constexpr const char* as_owner = "a half-space";

  const char* kind() const { return "half_space"; }
  std::span<const Vector3> placed_points() const { return {}; }
  std::span<const Vector3> placed_normals() const { return {&normal, 1}; }
  std::span<const Vector3> placed_directions() const { return {}; }
  double rounding() const { return 0.0; }
  double diameter() const { return std::numeric_limits<double>::infinity(); }
  double bounding_radius() const { return std::numeric_limits<double>::infinity(); }
  double thinnest() const { return std::numeric_limits<double>::infinity(); }
  HalfSpace in_axes(const AxesChange& change) const {
    return {change.direction(normal), offset - normal.dot(change.origin())};
  }
  bool same(const HalfSpace& other) const {
    return offset == other.offset && normal == other.normal;
  }
  void check(const std::string& field) const;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(ShapeField{"normal", "",
                     "outward normal in the user's axes; the solid is normal . x <= offset"},
          self.normal);
    visit(ShapeField{"offset", "m", "offset of the plane"}, self.offset);
  }
};

}  // namespace scree
