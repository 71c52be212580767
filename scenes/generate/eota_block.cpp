#include "scenes/generate/eota_block.hpp"

namespace scree {

std::vector<Vector3> eota_block(const Vector3& sides) {
  std::vector<Vector3> corners;
  for (int longest = 2; longest >= 0; --longest) {
    for (int signs = 0; signs < 8; ++signs) {
      Vector3 corner = 0.25 * sides;
      corner[longest] = 0.5 * sides[longest];
      for (int axis = 0; axis < 3; ++axis) {
        if ((signs >> axis & 1) != 0) corner[axis] = -corner[axis];
      }
      corners.push_back(corner);
    }
  }
  return corners;
}

}  // namespace scree
