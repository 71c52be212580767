#include "scenes/generate/block_pyramid.hpp"

#include <fmt/format.h>

namespace scree {

std::vector<PyramidBlock> build_block_pyramid(const BlockPyramid& pyramid) {
  const Vector3 pitch =
      pyramid.block + Vector3(pyramid.joint_along, pyramid.joint_along, pyramid.joint_up);
  std::vector<PyramidBlock> blocks;
  for (int course = 0; course < pyramid.courses; ++course) {
    const int side = pyramid.first_course - course;
    const double middle = 0.5 * (side - 1), z = 0.5 * pyramid.block.z() + course * pitch.z();
    for (int row = 0; row < side; ++row) {
      for (int i = 0; i < side; ++i) {
        blocks.push_back({fmt::format("{}-{}-{}", course + 1, row + 1, i + 1),
                          Vector3((i - middle) * pitch.x(), (row - middle) * pitch.y(), z)});
      }
    }
  }
  return blocks;
}

}  // namespace scree
