// What lies in a round vessel, seen from its axis: for the pairs of a cylinder wall. Seen from the
// inside the wall is concave, so a polyhedron touches it with vertices only.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

// A point about the centre of body a, split along and across the axis.
struct AboutAxis {
  double height = 0.0;    // [m]
  double distance = 0.0;  // [m] from the axis
  Vector3 outward =
      Vector3::UnitX();  // unit, from the axis; any normal to it for a point on the axis
};

// `point` is about the centre of body a; body b is the wall.
AboutAxis about_axis(const PairQuery& query, const Vector3& point);

// A shell with ends keeps in only what is inside of it.
bool keeps_in(const PairQuery& query);

// Adds the contact of a ball about `centre` with the wall or a rim of it, if it is within reach. In
// the plane through the axis and the centre the wall is a segment: its nearest point is on the wall
// or on a rim.
void ball_in_wall(const PairQuery& query, const Vector3& centre, double radius, Feature feature,
                  PairWork& work);

}  // namespace scree::collision
