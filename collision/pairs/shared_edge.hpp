// Two bodies that meet where an edge of one lies along an edge of the other.
//
// There every normal between those of the two faces that bound what both edges admit is a normal of
// the touch, and lines that are nearly parallel have no usable cross product. Perfectly sharp edges
// would slide off each other at the slightest offset; edges here are blunt by `flush_corners` of
// the size: as long as they spread sideways by less than twice that over all of their common
// length, they bear on each other at both ends of it. The normal is the direction of their nearest
// distance; nearer than they are blunt it turns to the middle between the two faces, or to the
// normal of their crossing as they come to cross by more.
#pragma once

#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

// Fills work.contacts if the two meet so, from the separations in work.axes; else leaves them and
// returns false.
bool shared_edge_contacts(const PairQuery& query, PairWork& work);

// Blocks that lie in a pattern, corner to corner: each face that parts them by at least `limit` [m]
// has one of the other body in its plane. Where they share an edge only, others carry them.
bool are_flush_neighbours(const PairQuery& query, const AxisTable& table, double limit);

}  // namespace scree::collision
