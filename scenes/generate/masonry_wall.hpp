// Generator of a running-bond wall one block thick, with buttresses behind it.
#pragma once

#include <string>
#include <vector>

#include "engine/base/math.hpp"

namespace scree {

enum class WallEnds {
  raking,   // each course has `rake` blocks fewer than the one below
  straight  // odd courses of whole blocks; even courses with a half block at each end
};

// Buttresses stand against the back of the wall (its -x side), one block wide, in running bond of
// their own: courses with a half block at the outer end alternate with courses that have it at the
// wall.
struct Buttresses {
  std::vector<double> positions;  // [m] middle of each, along the wall from the wall's middle
  int half_blocks = 0;            // length of each, in half blocks
  int courses = 0;
  double gap_odd = 0.0,
         gap_even = 0.0;  // [m] to the back of the wall, in odd and even courses; negative overlaps
  bool turned_blocks =
      false;  // true: the wall's own blocks, turned -90 degrees about z; false: boxes drawn
              // with their long side across the wall, whose faces need no rotation
};

// In the wall's axes: x across, towards its front; y along; z up; origin in the middle of its base.
struct MasonryWall {
  Vector3 block = Vector3::Zero();  // [m] sides of a block: across, along and up
  int courses = 0;
  int first_course = 0;  // blocks in the lowest course
  WallEnds ends = WallEnds::raking;
  int rake = 1;  // an even rake would put joints over joints: every second course is then shifted
                 // by half a block towards +y
  double joint_along = 0.0;  // [m] gap between neighbours of a course
  double joint_up = 0.0;     // [m] gap between courses
  Buttresses buttresses;
};

struct MasonryBlock {
  std::string name;                 // "course-number", or "buttress-number-course-number", from 1
  Vector3 sides = Vector3::Zero();  // [m] in the block's own axes
  Pose pose;                        // of the block's centre, in the wall's axes
};

// Blocks course by course upwards, each from -y to +y; then the buttresses, each course from its
// outer end to the wall.
std::vector<MasonryBlock> build_masonry_wall(const MasonryWall& wall);

}  // namespace scree
