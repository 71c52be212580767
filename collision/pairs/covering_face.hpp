// Whether what touches a part at a place lies on a face of a neighbour there, so that the place is
// none of the surface of the two together.
#pragma once

#include <cstdint>

#include "collision/polyhedra/placed_part.hpp"

namespace scree::collision {

// A place on the surface of `owner` where `toucher` touches it along the outward normal n.
struct TouchedPlace {
  const PlacedPart& owner;
  const PlacedPart& toucher;
  Vector3 q, n;
  double gap;               // [m] of the contact there
  double tolerance;         // [m] of steps
  bool keep_flush = false;  // a neighbour whose face goes on with that of normal n does not cover
};

bool can_cover(const PlacedPart& part);

// The first face of `neighbour` from number `first` on (0: a half-space) that `place.toucher` lies
// on and that has the owner below it, where the neighbour has the place on its surface and reaches
// farther along n than the place does; -1: there is none. See covered_contacts.hpp.
std::int32_t covering_face(const PlacedPart& neighbour, const TouchedPlace& place,
                           std::int32_t first = 0);

// Whether the touched place is in the plane of face f of a part there.
bool is_on_face(const PlacedPart& part, std::size_t f, const TouchedPlace& place);

// Whether a neighbour takes up what is before the owner's face of normal m at the touched place:
// one of its faces lies on that face, and its others about the place leave none of it open.
bool hides(const PlacedPart& neighbour, const Vector3& m, const TouchedPlace& place);

// Whether q (world axes) is no farther than `tolerance` [m] outside of every face of a polyhedron.
bool has_place(const PlacedPart& part, const Vector3& q, double tolerance);

// Whether all of `part` is below the plane of outward normal m through q, but for `tolerance`.
bool lies_below(const PlacedPart& part, const Vector3& m, const Vector3& q, double tolerance);

// How far `part` reaches below the plane of outward normal m through q (world axes, [m]).
double sunk_below(const PlacedPart& part, const Vector3& m, const Vector3& q);

}  // namespace scree::collision
