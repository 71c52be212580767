// Which of its six motions a body is free to make. What is locked has no inverse mass and no
// inverse inertia: no force and no contact moves it, and nothing works there.
//
// Translations are free or locked along each of the world's axes. Rotations are
//   3   all free
//   2   free but about `axis`: a principal axis of the body, or any axis of a body whose moments
//   are
//       all equal. The body does not spin about it, wherever it has turned to
//   1   about `axis` only: it stays where it is in the world and in the body, which turns like a
//       wheel on a shaft, whatever its principal axes are
//   0   all locked
// The gyroscopic term w x (J w) does nothing along free axes when some are locked.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/base/math.hpp"

namespace scree {

struct Freedom {
  Vector3 directions = Vector3::Ones();  // along x, y, z of the world: 1 free, 0 locked
  int rotations = 3;
  Vector3 axis = Vector3::Zero();  // unit, axes B; with 1 or 2 rotations

  bool moves_all() const { return directions == Vector3::Ones(); }
  bool is_whole() const { return moves_all() && rotations == 3; }

  // What of a velocity [world axes] or a spin [axes B] is free.
  Vector3 of_velocity(const Vector3& v) const { return directions.cwiseProduct(v); }
  Vector3 of_spin(const Vector3& w_B) const;

  // Change of the spin by an angular impulse, axes B, and the matrix that gives it. `inertia` are
  // principal moments.
  Vector3 turned(const Vector3& inertia, const Vector3& impulse_B) const;
  Matrix3 inverse_inertia(const Vector3& inertia) const;
};

// "x", "y", "z": translations; "rx", "ry", "rz": rotations about the axes of the world as the body
// lies at the start.
inline constexpr std::array<const char*, 6> freedom_names = {"x", "y", "z", "rx", "ry", "rz"};

// The freedom of a body of these moments that lies at q_WB. Throws InputError("free: what is
// wrong"): a name that there is not or twice, nothing free, one rotation locked that no principal
// axis allows.
Freedom freedom_of(const std::vector<std::string>& names, const Vector3& inertia,
                   const Quaternion& q_WB);

// What is free, for people: "x, z, 1 rotation about (0, 1, 0)"; the axis is in the user's axes.
std::string describe(const Freedom& freedom, const Quaternion& q_BU);

}  // namespace scree
