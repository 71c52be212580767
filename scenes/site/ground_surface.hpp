// The upper surface of the fixed bodies that are the ground of a site.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"

namespace scree::site {

class GroundSurface {
 public:
  // Whether a body can be ground: fixed, of terrain, half-spaces or convex polyhedra.
  static bool can_be(const Model& model, BodyIndex body);

  GroundSurface(const Model& model, const State& state, std::span<const BodyIndex> ground);

  struct Point {
    double height = 0.0;                // [m] NaN: there is no ground
    Vector3 normal = Vector3::UnitZ();  // unit, upward
  };
  // The highest surface at (x, y).
  Point at(double x, double y) const;
  // Its height alone.
  double height(double x, double y) const;

  // Where it ends, seen from above [m]; infinite with a half-space.
  const Vector3& low() const { return low_; }
  const Vector3& high() const { return high_; }

 private:
  // What lies below all of its planes, normal . x <= offset; one plane is a half-space.
  struct Solid {
    std::vector<Vector3> normal;
    std::vector<double> offset;
    Vector3 low = Vector3::Zero(), high = Vector3::Zero();
  };
  struct Field {
    std::shared_ptr<const TerrainRaster> ground;
    Vector3 shift = Vector3::Zero();  // [m] of the raster's axes in the scene's
  };
  void add(const Shape& shape, const Pose& pose);
  void add(const Terrain& terrain, const Vector3& place);
  void raise_to_solids(double x, double y, Point& best) const;
  // The height only; returns the field that is highest, null: none is.
  const Field* raise_to_fields(double x, double y, Point& best) const;

  std::vector<Solid> solids_;
  std::vector<Field> fields_;
  Vector3 low_ = Vector3::Zero(), high_ = Vector3::Zero();
};

}  // namespace scree::site
