// Generator of a semicircular arch of equal voussoirs.
#pragma once

#include <vector>

#include "engine/base/math.hpp"

namespace scree {

// In the arch's axes: x along the span, y along the depth, z up; origin in the middle between the
// springings, whose joints lie in the plane z = 0.
struct VoussoirArch {
  int voussoirs = 0;
  double radius = 0.0;     // [m] of the mean circle
  double thickness = 0.0;  // [m] in the direction of the radius, < 2 radius
  double depth = 0.0;      // [m]
};

// Corners of each voussoir, from the springing at +x to that at -x. Joints are radial planes over
// the whole thickness; intrados and extrados are flat between them. Neighbours share the corners of
// their joint bit for bit.
std::vector<std::vector<Vector3>> build_voussoir_arch(const VoussoirArch& arch);

}  // namespace scree
