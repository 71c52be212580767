// What a picture shows: solids and planes in world axes, already coloured. Independent of any file
// format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/math.hpp"

namespace scree::picture {

using Colour = Eigen::Vector3f;  // linear RGB in [0, 1]

// A convex polyhedron, or a ball when `radius` > 0.
struct Solid {
  std::int32_t body = 0;  // solids of one body have no outline between them
  Colour colour = Colour::Constant(0.5F);
  std::vector<Vector3> vertices;                 // [m]
  std::vector<std::vector<std::int32_t>> faces;  // loops, counter-clockwise seen from outside
  Vector3 centre = Vector3::Zero();              // [m] of the ball
  double radius = 0.0;                           // [m] of the ball
  bool framed = true;                            // counts when the camera is placed
};

// The surface of a half-space: points with normal . x = offset; the solid lies behind it.
struct Plane {
  Vector3 normal = Vector3::UnitZ();
  double offset = 0.0;  // [m]
  Colour colour = Colour(0.56F, 0.54F, 0.50F);
};

// What the colours of scale_colour say: from 0 to `largest`.
struct ColourBar {
  std::string quantity, unit;  // in the letters of captions
  double largest = 0.0;
};

struct PictureScene {
  std::string caption;  // lower-case letters, digits and . - + = / : ( )
  std::optional<ColourBar> bar;
  std::optional<ColourBar> force_bar;  // of `bars`
  std::vector<Solid> solids;
  std::vector<Solid> bars;  // seen through everything else, which is then pale
  std::vector<Plane> planes;
  std::int64_t left_out = 0;  // moving bodies that are not framed, being far from all others
  std::int64_t tension = 0;   // bodies whose pressure is below the 0 that the colours begin with
};

}  // namespace scree::picture
