#include "scenes/generate/masonry_wall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace scree {
namespace {

double course_height(const MasonryWall& wall, int course) {
  return 0.5 * wall.block.z() + course * (wall.block.z() + wall.joint_up);
}

// Half blocks of each unit in a row of `half_blocks`: whole blocks, with half blocks at the ends as
// the bond demands.
std::vector<int> bond(int half_blocks, bool half_at_start) {
  std::vector<int> units;
  int left = half_blocks;
  while (left > 0) {
    const int unit = (units.empty() && half_at_start) || left == 1 ? 1 : 2;
    units.push_back(unit);
    left -= unit;
  }
  return units;
}

void add_course(const MasonryWall& wall, int course, std::vector<MasonryBlock>& blocks) {
  const bool raking = wall.ends == WallEnds::raking;
  const int whole = raking ? wall.first_course - wall.rake * course : wall.first_course;
  const std::vector<int> units = bond(2 * whole, !raking && course % 2 == 1);
  const double half = 0.5 * wall.block.y();
  const double joints = wall.joint_along * static_cast<double>(units.size() - 1);
  double y = -0.5 * (2 * whole * half + joints);
  if (raking && wall.rake % 2 == 0 && course % 2 == 1) y += half + 0.5 * wall.joint_along;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const double length = units[i] * half;
    MasonryBlock block;
    block.name = fmt::format("{}-{}", course + 1, i + 1);
    block.sides = Vector3(wall.block.x(), length, wall.block.z());
    block.pose.x = Vector3(0.0, y + 0.5 * length, course_height(wall, course));
    blocks.push_back(std::move(block));
    y += length + wall.joint_along;
  }
}

MasonryBlock buttress_block(const MasonryWall& wall, double length) {
  MasonryBlock block;
  if (wall.buttresses.turned_blocks) {
    block.sides = Vector3(wall.block.x(), length, wall.block.z());
    block.pose.q = Quaternion(0.5 * std::numbers::sqrt2, 0.0, 0.0, -0.5 * std::numbers::sqrt2);
  } else {
    block.sides = Vector3(length, wall.block.x(), wall.block.z());
  }
  return block;
}

void add_buttress_course(const MasonryWall& wall, std::size_t buttress, int course,
                         std::vector<MasonryBlock>& blocks) {
  const Buttresses& all = wall.buttresses;
  const bool even = course % 2 == 1;
  // Laid from the wall outwards.
  const std::vector<int> units = bond(all.half_blocks, even);
  const auto first = static_cast<std::ptrdiff_t>(blocks.size());
  double x = -0.5 * wall.block.x() - (even ? all.gap_even : all.gap_odd);
  for (std::size_t i = 0; i < units.size(); ++i) {
    const double length = units[i] * 0.5 * wall.block.y();
    MasonryBlock block = buttress_block(wall, length);
    block.name = fmt::format("buttress-{}-{}-{}", buttress + 1, course + 1, units.size() - i);
    block.pose.x = Vector3(x - 0.5 * length, all.positions[buttress], course_height(wall, course));
    blocks.push_back(std::move(block));
    x -= length + wall.joint_along;
  }
  std::reverse(blocks.begin() + first, blocks.end());
}

}  // namespace

std::vector<MasonryBlock> build_masonry_wall(const MasonryWall& wall) {
  std::vector<MasonryBlock> blocks;
  for (int course = 0; course < wall.courses; ++course) add_course(wall, course, blocks);
  for (std::size_t buttress = 0; buttress < wall.buttresses.positions.size(); ++buttress) {
    for (int course = 0; course < wall.buttresses.courses; ++course) {
      add_buttress_course(wall, buttress, course, blocks);
    }
  }
  return blocks;
}

}  // namespace scree
