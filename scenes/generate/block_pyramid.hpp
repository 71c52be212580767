// Generator of a square pyramid of blocks.
#pragma once

#include <string>
#include <vector>

#include "engine/base/math.hpp"

namespace scree {

// In the pyramid's axes: x and y along the sides, z up; origin in the middle of its base.
struct BlockPyramid {
  Vector3 block = Vector3::Zero();  // [m] sides of a block
  int first_course = 0;             // blocks along each side of the lowest course
  int courses = 0;                  // at most first_course
  double joint_along = 0.0;         // [m] gap between neighbours of a course, along x and y
  double joint_up = 0.0;            // [m] gap between courses
};

struct PyramidBlock {
  std::string name;                  // "course-row-number", from 1
  Vector3 centre = Vector3::Zero();  // [m] in the pyramid's axes
};

// Course by course upwards, row by row from -y, each row from -x. Each course has one block fewer
// along both sides.
std::vector<PyramidBlock> build_block_pyramid(const BlockPyramid& pyramid);

}  // namespace scree
