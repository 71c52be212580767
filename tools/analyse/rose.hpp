// Roses of contact normals as SVG.
#pragma once

#include <string>
#include <vector>

#include "tools/analyse/fabric.hpp"

namespace scree::analyse {

// One rose a plane side by side: the radius of a sector is E(theta), over the circle of an even
// distribution; the curve is the first harmonic, (1 + a_c cos 2 (theta - theta_c)) / (2 pi).
std::string draw_roses(const std::vector<Distributions::Rose>& roses, const std::string& title);

}  // namespace scree::analyse
