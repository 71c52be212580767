// Shapes of grains, of no particular size, drawn from random numbers or fixed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/model/shapes/shapes.hpp"
#include "scenes/generate/random.hpp"

namespace scree {

// Corners of a convex part [m].
using Corners = std::vector<Vector3>;

struct AngularHull {
  int corners = 12;                  // directions drawn, >= 6; those inside the hull are no corners
  std::optional<double> sphericity;  // [-] see below; none: as it comes
  double elongation = 1.0;  // [-] length along the axis z over the width along x and y, >= 1
};

// Surface of the ball of the same volume over the surface of the solid (Wadell 1935): 1 for a ball,
// 0.806 for a cube.
double sphericity(const ConvexPolyhedron& solid);

// A random hull whose bounding box has the sides 1, 1 and `elongation`. A wanted sphericity is met
// within 2e-3 by moving the corners towards those of a tetrahedron. Throws InputError when no hull
// with so many corners has it; the message says what is possible.
Corners angular_hull(const AngularHull& recipe, Random& random);

// Corners of a "tetrahedron", "cube", "octahedron", "dodecahedron" or "icosahedron" about the
// origin; empty for another name.
Corners platonic_solid(const std::string& name);

// Three equal bars along the axes that cross in the middle, of length 1 and square section of the
// given side, in (0, 1): five boxes that share faces and do not overlap.
std::vector<Corners> cross(double thickness);

}  // namespace scree
