// Joints: where faces of two blocks lie on one another, within a tolerance.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/math.hpp"

namespace scree::blocks {

// A block as its flat convex faces, in world axes. Inner faces of compounds meet nothing.
struct JointBody {
  struct Flat {
    std::vector<Vector3> corners;  // [m] counter-clockwise from outside
    Vector3 normal = Vector3::UnitZ();
    double area = 0.0;  // [m2]
  };
  std::vector<Flat> faces;
  Vector3 low = Vector3::Zero(), high = Vector3::Zero();  // [m]
  bool fixed = false;
  double size() const { return (high - low).norm(); }
};

// Adds a face from its corners; none without area.
void add_face(JointBody& body, std::vector<Vector3> corners);

struct JointOptions {
  double tolerance = 1e-3;   // [-] of the smaller block's size: faces may be as far apart
  double angle = 0.035;      // [rad] that opposed normals may differ by (2 degrees)
  double least_area = 1e-4;  // [-] of the smaller face
};

struct Joint {
  std::int32_t a = 0, b = 0;                   // bodies, a < b
  Vector3 normal = Vector3::UnitZ();           // unit, from a to b: of the mean plane
  Vector3 centre = Vector3::Zero();            // [m] centre of the area
  double area = 0.0;                           // [m2]
  double gap = 0.0, overlap = 0.0;             // [m] worst of both, >= 0
  std::vector<std::vector<Vector3>> polygons;  // [m] in the middle between the faces
};

// Joints of all pairs that are not both fixed, in the order of pairs. All polygons of a pair that
// lie in one plane, or on one warped surface, are one joint.
std::vector<Joint> find_joints(const std::vector<JointBody>& bodies, const JointOptions& options);

// Which bodies hang together by joints with no fixed body among them, a list each.
std::vector<std::vector<std::int32_t>> islands_without_support(const std::vector<JointBody>& bodies,
                                                               const std::vector<Joint>& joints);

}  // namespace scree::blocks
