// A body that touches with given points only; its mass and inertia are given, not computed. Two of
// them never touch each other.
#pragma once

#include "engine/model/shapes/shape.hpp"

namespace scree {

struct PointSet {
  std::vector<Vector3> points;  // [m]

  static constexpr bool wall = false;

  const char* kind() const { return "points"; }
  std::span<const Vector3> placed_points() const { return points; }
  std::span<const Vector3> placed_normals() const { return {}; }
  std::span<const Vector3> placed_directions() const { return {}; }
  double rounding() const { return 0.0; }
  double diameter() const;
  double bounding_radius() const { return largest_norm(points); }
  double thinnest() const { return 2.0 * bounding_radius(); }
  PointSet in_axes(const AxesChange& change) const;
  bool same(const PointSet& other) const { return points == other.points; }
  void check(const std::string& field) const;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(ShapeField{"vertices", "m", "points in the user's axes, from the centre of mass"},
          self.points);
  }
};

}  // namespace scree
