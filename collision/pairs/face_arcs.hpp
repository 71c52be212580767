// How far the face of a part goes on about a point of its plane.
#pragma once

#include <numbers>
#include <span>

#include "collision/polyhedra/placed_part.hpp"

namespace scree::collision {

inline constexpr double full_turn = 2.0 * std::numbers::pi;
inline constexpr double same_angle = 1e-6;  // [rad]

// Directions about a point of a face's plane, from one to another counter-clockwise [rad].
struct Arc {
  double begin = 0.0, length = 0.0;
};

// The directions from q (about the part's centre) in which face f goes on; length 0: q is not on
// it, or on a sliver of it.
Arc arc_of(const PlacedPart& part, std::int32_t f, const Vector3& q, double eps, const Vector3& t,
           const Vector3& s);

// The widest turn that arcs make together without a gap [rad].
double widest_turn(std::span<const Arc> arcs);

}  // namespace scree::collision
