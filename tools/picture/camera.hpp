// A perspective camera and its automatic placement.
#pragma once

#include <optional>
#include <span>

#include "engine/base/math.hpp"

namespace scree::picture {

// From where to look. Angles in degrees: azimuth of the camera about z, from +x towards +y;
// elevation above the horizon.
struct View {
  double azimuth = -60.0;       // [deg]
  double elevation = 20.0;      // [deg] in (-90, 90)
  std::optional<Vector3> look;  // [m] point in the centre of the picture; empty: all is fitted
  std::optional<double> width;  // [m] width of the picture at `look`; empty: all is fitted
};

// Camera axes: right, up, forward (left-handed: normals are computed in world axes). A pixel (i,
// j), j downwards, sees along forward + (i - half_width) / focal * right - (j - half_height) /
// focal * up.
struct Camera {
  Vector3 eye = Vector3::Zero();               // [m]
  Matrix3 R_WC = Matrix3::Identity();          // columns: right, up, forward
  double focal = 1.0;                          // [pixel]
  double half_width = 0.0, half_height = 0.0;  // [pixel]
  Vector3 centre = Vector3::Zero();            // [m] middle of what is framed
  double extent = 1.0;                         // [m] radius of what is framed, about `centre`

  // World point to camera axes: (right, up, depth) [m].
  Vector3 to_camera(const Vector3& point) const { return R_WC.transpose() * (point - eye); }
};

// Balls that must fit into the picture.
struct Framed {
  Vector3 centre = Vector3::Zero();  // [m]
  double radius = 0.0;               // [m]
};

// The nearest camera in direction `view` that sees all of `framed`, for a picture of `width` x
// `height` pixels.
Camera place_camera(const View& view, std::span<const Framed> framed, int width, int height);

}  // namespace scree::picture
