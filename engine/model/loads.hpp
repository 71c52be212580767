// What acts on bodies besides gravity and contacts: forces and torques on single bodies, a uniform
// field of acceleration, drag. Bodies that carry any of their own, or are not free to move in all
// directions, are listed as steered: their motion is computed after that of all others, as a group.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/indices.hpp"
#include "engine/base/math.hpp"
#include "engine/model/freedom.hpp"
#include "engine/model/record.hpp"

namespace scree {

// Axes in which a load keeps its direction: those of the world, or those of the body, with which
// it turns.
enum class LoadAxes : std::uint8_t { world, body };

// An area that changes: `depth` times the distance of two walls' faces along an axis of the world.
struct SpanArea {
  std::array<std::string, 2> between;        // names of the walls
  std::array<BodyIndex, 2> wall = {-1, -1};  // their bodies, once these are known
  Vector3 axis = Vector3::UnitX();           // unit, from the first to the second
  double length = 0.0;                       // [m] between the faces at the start
  double offset = 0.0;                       // [m] that, less the distance of the centres
  double depth = 0.0;                        // [m]

  // [m2] with the walls' centres there; 0 once they have met.
  double at(const Vector3& x_a, const Vector3& x_b) const {
    return depth * std::max(0.0, axis.dot(x_b - x_a) + offset);
  }
};

struct Load {
  Record force;                     // [N]
  Record torque;                    // [N m]
  bool central = true;              // the force acts at the centre of mass; else at
  Vector3 point = Vector3::Zero();  // [m] this point of the body, from the centre of mass
  LoadAxes axes = LoadAxes::world;
  std::optional<SpanArea> span;  // then the force is one per area [Pa], on that of t_k
};

// Linear drag: the force -linear v and the torque -angular w.
struct Drag {
  double linear = 0.0;   // [N s/m]
  double angular = 0.0;  // [N m s]

  bool acts() const { return linear > 0.0 || angular > 0.0; }
};

// A body with forces of its own, or with locked directions.
struct SteeredBody {
  BodyIndex body = -1;
  std::int32_t load_begin = 0, load_end = 0;  // into Model::loads
  Drag drag;
  Freedom freedom;
};

// Part of the uniform field of acceleration.
struct FieldRecord {
  Record acceleration;  // [m/s2] as bodies feel it
  bool ground = false;  // minus that of the ground, on which the scene's axes are fixed
};

// Velocity that the field gives to every body from t to t + h [m/s]. Exact.
Vector3 field_gain(std::span<const FieldRecord> field, double t, double h);

// How the ground moves: sums over the records that tell of it.
struct GroundMotion {
  Vector3 acceleration = Vector3::Zero();  // [m/s2]
  Vector3 velocity = Vector3::Zero();      // [m/s] since t = 0
  Vector3 displacement = Vector3::Zero();  // [m] since t = 0
};
GroundMotion ground_motion(std::span<const FieldRecord> field, double t);
bool has_ground(std::span<const FieldRecord> field);

// Throws InputError("FIELD: what is wrong").
void check_load(const Load& load, const std::string& field);
void check_drag(const Drag& drag, const std::string& field);

}  // namespace scree
