// Which points see the sun and the sky: depth maps of the solids along fixed directions.
#pragma once

#include <span>
#include <vector>

#include "tools/picture/camera.hpp"
#include "tools/picture/picture_scene.hpp"

namespace scree::picture {

// Depth of the solids along one direction, orthographic.
class DepthMap {
 public:
  // `towards_light` is a unit vector; the map covers the ball (centre, extent) with `resolution`^2
  // cells.
  DepthMap(const PictureScene& scene, const Vector3& towards_light, const Vector3& centre,
           double extent, int resolution);

  // True when nothing lies between the light and the point, seen from a surface with this unit
  // normal.
  bool sees_light(const Vector3& point, const Vector3& normal) const;
  const Vector3& towards_light() const { return axes_[2]; }

 private:
  void add_polyhedron(const Solid& solid);
  void add_ball(const Solid& ball);
  Eigen::Vector2d to_cell(const Vector3& point) const;
  void keep_highest(int x, int y, double height);

  Vector3 axes_[3];  // two across, one towards the light
  Vector3 centre_;
  double cells_per_metre_;
  int resolution_;
  std::vector<float> height_;  // [resolution^2] along the light, relative to the centre [m]
};

// Lights for one sample position within a pixel: a point on the sun's disc and some directions of
// the sky. All sample positions together make soft shadows.
struct LightSet {
  DepthMap sun;
  std::vector<DepthMap> sky;
};

// One set per sample position. `sun` points towards the sun (unit).
std::vector<LightSet> make_lights(const PictureScene& scene, const Camera& camera,
                                  const Vector3& sun, int n_sets);

}  // namespace scree::picture
