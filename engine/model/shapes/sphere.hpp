// Ball.
#pragma once

#include "engine/model/shapes/shape.hpp"

namespace scree {

struct Sphere {
  double radius = 0.0;               // [m]
  Vector3 centre = Vector3::Zero();  // [m]

  static constexpr bool wall = false;
  static constexpr const char* name = "sphere";
  static constexpr std::array scene_keys = {"radius"};
  static Sphere drawn(std::span<const double> values) { return {values[0], Vector3::Zero()}; }

  const char* kind() const { return name; }
  std::span<const Vector3> placed_points() const { return {&centre, 1}; }
  std::span<const Vector3> placed_normals() const { return {}; }
  std::span<const Vector3> placed_directions() const { return {}; }
  double rounding() const { return radius; }
  double diameter() const { return 2.0 * radius; }
  double bounding_radius() const { return centre.norm() + radius; }
  double thinnest() const { return 2.0 * radius; }
  Sphere in_axes(const AxesChange& change) const { return {radius, change.point(centre)}; }
  bool same(const Sphere& other) const { return radius == other.radius && centre == other.centre; }
  Vector3 core(const Vector3&) const { return centre; }
  void check(const std::string& field) const;
  MassProperties integrals() const;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(ShapeField{"radius", "m", "radius"}, self.radius);
    visit(ShapeField{"centre", "m", "centre in the user's axes, from the centre of mass"},
          self.centre);
  }
};

}  // namespace scree
