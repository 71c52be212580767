// Fabric of a packing: how contacts and forces are distributed over directions (engine/method/
// stress.md). Contacts are those that carry a force between two bodies that move freely; contacts
// with walls are counted apart.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/analyse/packing.hpp"

namespace scree::analyse {

// A box [m]; contacts in it are those whose point lies there, bodies those whose centre does.
struct SampleBox {
  Vector3 low = Vector3::Zero(), high = Vector3::Zero();

  bool holds(const Vector3& x) const {
    return (x.array() >= low.array()).all() && (x.array() < high.array()).all();
  }
  double volume() const { return (high - low).prod(); }
};

// E(theta) = (1 + a_c cos 2 (theta - theta_c)) / (2 pi) in the plane, and the same of forces and
// branches. Anisotropies are along the direction of the larger compression: negative where contacts
// avoid it.
struct PlaneFabric {
  double a_c = 0.0, theta_c = 0.0;         // [-], [rad] from the first axis of the plane
  double a_n = 0.0, a_t = 0.0, a_l = 0.0;  // [-] of normal and tangential forces, of branches
  double theta_stress = 0.0;               // [rad] of the larger compression
  double q_over_p = 0.0;                   // [-] of sum f (x) l
  double predicted = 0.0;                  // [-] (a_c + a_n + a_t + a_l) / 2
};

// Contacts above or below the mean force.
struct Network {
  std::int64_t contacts = 0;
  Matrix3 fabric = Matrix3::Zero();  // of these alone
  double pressure_share = 0.0;       // [-] of the trace of sum l (x) f
};

struct Fabric {
  std::int64_t frame = 0;
  double time = 0.0;
  std::int64_t bodies = 0, contacts = 0, wall_contacts = 0, slipping = 0;
  std::int64_t rattlers = 0;          // bodies of fewer than two contacts
  double coordination = 0.0;          // [-] 2 contacts / bodies, one for each with a wall
  double coordination_without = 0.0;  // [-] the same without rattlers and their contacts
  double neighbours = 0.0;            // [-] bodies, and walls, that a body shares a force with
  Matrix3 fabric = Matrix3::Zero();   // H = <n (x) n>
  double anisotropy = 0.0;            // [-] of H in space: 15/2 sqrt(3/2) |H - I/3|
  double mean_force = 0.0, mean_normal_force = 0.0;  // [N]
  Matrix3 moment = Matrix3::Zero();                  // [N m] sum of arms (x) f, also those of walls
  double solid_volume = 0.0;                         // [m3] of the bodies
  Network strong, weak;
  std::optional<PlaneFabric> plane;
};

Fabric fabric_of(const Packing& packing, const std::optional<SampleBox>& cell);

// Axes of the plane of a plane problem, in the order of the world.
std::vector<int> plane_axes(int plane_normal);

// Directions of normals and sizes of forces of several packings together.
struct Distributions {
  // E(theta) [1/rad] in each plane of two axes, over bins of equal width about theta = -pi + 2 pi
  // k/n: every normal counts in both directions. Also the mean normal and tangential force [N] of
  // each bin.
  struct Rose {
    int first = 0, second = 2;  // axes of the world
    std::vector<double> density, normal_force, tangential_force;
    double a_c = 0.0, theta_c = 0.0;
  };
  std::vector<Rose> roses;
  // P(f/<f>) over bins of f/<f>; the last has all above.
  double bin = 0.0;  // [-] width
  std::vector<double> normal, tangential;
  std::int64_t contacts = 0;
};

Distributions distributions_of(const std::vector<Packing>& packings,
                               const std::optional<SampleBox>& cell, int rose_bins, int force_bins);

}  // namespace scree::analyse
