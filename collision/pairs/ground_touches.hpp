// What a point, or a ball about it, touches of a terrain: one entry for each place of the ground
// that is nearer than all around it. A normal is that of a triangle over which the point is, or
// lies in the cone of an edge or a node that is convex; flat and concave ones are none.
#pragma once

#include <vector>

#include "collision/pairs/terrain_view.hpp"

namespace scree::collision {

struct GroundTouch {
  Feature feature = 0;           // of the terrain
  Vector3 n = Vector3::UnitZ();  // unit, out of the ground
  double distance = 0.0;         // [m] of the point; negative below the ground
  Vector3 foot = Vector3::Zero();

  bool is_face() const { return feature >> 28 == static_cast<Feature>(FeatureKind::ground_face); }
};

// Into `touches`, all up to `radius` [m] away from p; below the ground, whatever the depth, those
// by which p is nearest to leaving it. `way`: where p is going, which decides on an edge exactly.
// `slide`: how far [m] a corner may slide in the step: of a valley it then touches the other slope
// too.
void find_ground_touches(const TerrainView& view, const Vector3& p, double radius, double slide,
                         double eps, const Vector3& way, std::vector<GroundTouch>& touches);

}  // namespace scree::collision
