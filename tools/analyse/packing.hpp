// A frame of a result file as mechanics sees it: bodies, and contacts with their arms and forces,
// all of the step that ended at the frame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/files/result_reader.hpp"
#include "engine/measure/stress_tensor.hpp"

namespace scree::analyse {

// A contact that carries a force. Arms go from each mass centre to the body's own point of contact.
struct PackedContact {
  std::size_t body_a = 0, body_b = 0;
  bool moves_a = false, moves_b = false;                     // moves freely and counts; else a wall
  Vector3 point = Vector3::Zero();                           // [m] map coordinates
  Vector3 normal = Vector3::UnitX();                         // from a to b
  Vector3 arm_a = Vector3::Zero(), arm_b = Vector3::Zero();  // [m]
  Vector3 force = Vector3::Zero();                           // [N] on b, mean over the step
  // [m] from `point` to the image of it that lies at the body; 0 unless the world is periodic.
  Vector3 to_a = Vector3::Zero(), to_b = Vector3::Zero();
  bool slips = false;

  bool inner() const { return moves_a && moves_b; }
  double normal_force() const { return force.dot(normal); }
  Vector3 tangential_force() const { return force - normal_force() * normal; }
  // From the mass centre of a to that of b, through the point of contact.
  Vector3 branch() const { return arm_a - arm_b; }
};

struct Packing {
  std::int64_t frame = 0;
  double time = 0.0;                 // [s]
  std::vector<Vector3> centre;       // [m, n_bodies] where contacts were found, map coordinates
  std::vector<Vector3> velocity;     // [m/s]
  std::vector<double> mass, volume;  // [kg], [m3]
  std::vector<std::uint8_t> moves;   // 1: moves freely, takes part and counts
  std::vector<PackedContact> contacts;
  int plane_normal = -1;     // axis across a plane problem; -1: none
  scree::Cell world;         // periodic directions, corner in map coordinates
  double image_shift = 0.0;  // [m] of the images above, when contacts were found
};

// Reads packings of a file. Poses in a file are those of the end of a step, its contacts those of
// its start: centres go back by what the step moved them, which follows from the velocity at its
// end and what gravity, loads and contacts gave.
class PackingReader {
 public:
  // Throws InputError where the file keeps no contacts.
  explicit PackingReader(const ResultReader& results);

  // The bodies whose names are in the list count, those with the names before a * likewise; all
  // others are walls. Throws InputError for a name that there is not.
  void count_only(const std::vector<std::string>& names);

  Packing read(std::int64_t frame) const;
  int plane_normal() const { return plane_normal_; }

 private:
  Vector3 way_in_step(std::size_t body, const Vector3& velocity, const Vector3& impulse) const;

  const ResultReader& results_;
  ResultBodies bodies_;
  std::vector<double> volume_;
  std::vector<std::uint8_t> counted_;  // [n_bodies]
  std::vector<ResultLoad> loads_;
  ResultGround ground_;
  Vector3 gravity_ = Vector3::Zero();
  double h_ = 0.0, theta_ = 0.5;
  bool middle_ = false;
  int plane_normal_ = -1;
};

// V sigma of each body [N m], of contacts alone; zero of walls.
std::vector<Matrix3> moments_of(const Packing& packing);

}  // namespace scree::analyse
