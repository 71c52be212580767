// Capsule: a segment swept by a radius, a cylinder with half a ball at each end. Drawn along the z
// axis of its own axes, centred.
#pragma once

#include "engine/model/shapes/shape.hpp"

namespace scree {

struct Capsule {
  double radius = 0.0;                                               // [m]
  std::array<Vector3, 2> ends = {Vector3::Zero(), Vector3::Zero()};  // [m] of the segment

  static constexpr bool wall = false;
  static constexpr const char* name = "capsule";
  // `length` is that of the segment: the whole is longer by twice the radius.
  static constexpr std::array scene_keys = {"radius", "length"};
  static Capsule drawn(std::span<const double> values) {
    const Vector3 half = 0.5 * values[1] * Vector3::UnitZ();
    return {values[0], {Vector3(-half), half}};
  }

  const char* kind() const { return name; }
  std::span<const Vector3> placed_points() const { return ends; }
  std::span<const Vector3> placed_normals() const { return {}; }
  std::span<const Vector3> placed_directions() const { return {}; }
  double rounding() const { return radius; }
  double diameter() const { return length() + 2.0 * radius; }
  double bounding_radius() const { return largest_norm(ends) + radius; }
  double thinnest() const { return 2.0 * radius; }
  Capsule in_axes(const AxesChange& change) const {
    return {radius, {change.point(ends[0]), change.point(ends[1])}};
  }
  bool same(const Capsule& other) const { return radius == other.radius && ends == other.ends; }
  void check(const std::string& field) const;
  MassProperties integrals() const;
  Vector3 core(const Vector3& x) const;
  Surface surface() const;

  double length() const { return (ends[1] - ends[0]).norm(); }

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(ShapeField{"radius", "m", "radius"}, self.radius);
    visit(
        ShapeField{"ends", "m", "ends of the segment in the user's axes, from the centre of mass"},
        self.ends);
  }
};

}  // namespace scree
