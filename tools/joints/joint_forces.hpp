// Forces in the joints of a run at one frame: what contacts of two blocks amount to, on the plane
// where they lie on one another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/files/result_reader.hpp"
#include "scenes/blocks/joints.hpp"
#include "tools/joints/motion.hpp"

namespace scree {

struct CornerForce {
  Vector3 point = Vector3::Zero();      // [m]
  Vector3 force = Vector3::Zero();      // [N] on b, world axes
  double normal = 0.0;                  // [N] compression
  Vector3 direction = Vector3::Zero();  // unit normal of the contact, from a to b
};

// Closed: the faces are within the tolerance all over. Open: in part of it, or no more than at an
// edge since the start. Edge: blocks that touch at edges, corners or round bodies alone, and had no
// common face there at the start.
enum class JointState { closed, open, edge };
const char* name_of(JointState state);

struct JointForce {
  blocks::Joint joint;  // area 0: blocks that touch without a common face
  JointState state = JointState::closed;
  // [m] Polygons whose thickness counts: the joint's, or without a common face that of the block
  // whose edge touches. None between round bodies.
  std::vector<std::vector<Vector3>> face;
  std::vector<std::vector<Vector3>> closed;  // [m] parts of the joint's polygons where compression
                                             // can act: faces within the tolerance
  double mu = 0.0;                           // of the pair
  Vector3 force = Vector3::Zero();           // [N] on b, world axes
  double normal = 0.0;                       // [N] compression
  Vector3 shear = Vector3::Zero();           // [N] on b, in the plane
  Vector3 point = Vector3::Zero();           // [m] where the resultant crosses the plane
  double torsion = 0.0;                      // [N m] on b about the normal through that point
  double eccentricity = 0.0;                 // [m] of that point from the centre of the face
  double thickness = 0.0;   // [m] of the face in that direction; 0: not loaded, or no face
  double edge_share = 0.0;  // [-] distance of the point from the nearest edge over half the
                            // thickness there; 1: in the middle, 0: on the edge
  bool hinge = false;
  std::vector<CornerForce> corners;

  bool loaded() const { return normal > 0.0; }
  double utilisation() const { return mu * normal > 0.0 ? shear.norm() / (mu * normal) : 0.0; }
};

struct Reaction {
  std::int32_t body = 0;
  Vector3 force = Vector3::Zero();   // [N] on the blocks that rest on it, world axes
  Vector3 point = Vector3::Zero();   // [m] weighted by the normal forces
  Vector3 moment = Vector3::Zero();  // [N m] about that point
  std::size_t joints = 0;
};

struct JointReport {
  std::string title, source;
  std::int64_t frame = 0;             // its number
  double time = 0.0, dt = 0.0;        // [s]
  Vector3 gravity = Vector3::Zero();  // [m/s2]
  Vector3 weight = Vector3::Zero();   // [N] of all that moves freely
  std::vector<std::string> name;      // [n_bodies]
  std::vector<std::uint8_t> fixed;    // [n_bodies] supports: fixed or driven
  std::vector<double> mass;           // [kg]
  std::vector<Vector3> centre;        // [m] of mass
  std::vector<blocks::JointBody> bodies;
  std::vector<JointForce> joints;
  std::vector<Reaction> reactions;
  // How far each block is from static equilibrium: force over its weight, and moment over weight
  // and size; without gravity over the largest force. Loads of the last step count.
  double residual = 0.0;
  std::int32_t residual_body = -1;
  double speed = 0.0;            // [m/s] largest of a corner of a block, about
  double solver_residual = 0.0;  // of the last step
  double moved = 0.0;            // [m] farthest that a block has gone from the first frame
  std::int32_t moved_body = -1;
  MotionVerdict verdict;

  // Forces are those of statics.
  bool at_rest() const { return verdict.at_rest(); }
  bool balanced() const { return verdict.balanced(); }
};

struct JointQuery {
  std::int64_t frame = -1;
  double tolerance = 1e-3;     // [-] of the size, as in blocks::JointOptions
  double hinge_share = 0.1;    // an edge_share below it is a hinge
  bool least_corners = false;  // corner forces of least norm with the same resultant
};

// "at rest", "sliding: forces balance, but 'a' goes on at ...": what the model does, in words.
std::string state_text(const JointReport& report);

// Throws InputError when the file keeps no contacts or has no such frame.
JointReport joint_report(const ResultReader& results, const std::string& source,
                         const JointQuery& query);

}  // namespace scree
