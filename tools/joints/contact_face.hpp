// Which faces two blocks turn to each other where they touch, and how much of a joint is closed.
#pragma once

#include <optional>
#include <vector>

#include "scenes/blocks/joints.hpp"
#include "tools/joints/polygons.hpp"

namespace scree {

struct ContactFace {
  std::vector<polygons::Polygon> polygons;  // [m] on the block whose edge it is
  Vector3 normal = Vector3::UnitZ();        // unit, of that block's face, from a to b
  Vector3 centre = Vector3::Zero();         // [m] of the area
  bool closed = false;                      // all corners are within `near` of the other's plane
};

// The faces of two blocks that hold `point`, where they touch, and look at each other most, and of
// them the one whose edge is there; as far as the other block is over it. Empty: no such faces.
std::optional<ContactFace> contact_face(const blocks::JointBody& a, const blocks::JointBody& b,
                                        const Vector3& point, double near);

// A square of a plane around a point, for bodies that have no corners: as a block of one face.
blocks::JointBody plane_around(const Vector3& point, const Vector3& normal, double half_width);

// The parts of a joint's polygons where the two faces are at most `reach` [m] apart.
std::vector<polygons::Polygon> closed_parts(const blocks::Joint& joint, const blocks::JointBody& a,
                                            const blocks::JointBody& b, double reach);

}  // namespace scree
