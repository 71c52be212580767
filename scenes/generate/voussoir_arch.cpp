#include "scenes/generate/voussoir_arch.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace scree {
namespace {

// The four corners of joint `j`. The two halves of the arch mirror each other, and the springings
// lie in z = 0, exactly.
std::array<Vector3, 4> joint_corners(const VoussoirArch& arch, int j) {
  const bool left = 2 * j > arch.voussoirs;
  const double angle = std::numbers::pi * (left ? arch.voussoirs - j : j) / arch.voussoirs;
  const bool crown = 2 * j == arch.voussoirs;
  const double x = crown ? 0.0 : (left ? -std::cos(angle) : std::cos(angle)), z = std::sin(angle);
  const double inner = arch.radius - 0.5 * arch.thickness,
               outer = arch.radius + 0.5 * arch.thickness;
  const double y = 0.5 * arch.depth;
  return {Vector3(inner * x, -y, inner * z), Vector3(outer * x, -y, outer * z),
          Vector3(outer * x, y, outer * z), Vector3(inner * x, y, inner * z)};
}

}  // namespace

std::vector<std::vector<Vector3>> build_voussoir_arch(const VoussoirArch& arch) {
  std::vector<std::vector<Vector3>> voussoirs;
  std::array<Vector3, 4> below = joint_corners(arch, 0);
  for (int j = 1; j <= arch.voussoirs; ++j) {
    const std::array<Vector3, 4> above = joint_corners(arch, j);
    std::vector<Vector3> corners(below.begin(), below.end());
    corners.insert(corners.end(), above.begin(), above.end());
    voussoirs.push_back(std::move(corners));
    below = above;
  }
  return voussoirs;
}

}  // namespace scree
