// Every length below which collision treats two things as one, with its reason. Relative to the
// size of the smaller body.
#pragma once

#include <algorithm>
#include <limits>

#include "engine/base/math.hpp"

namespace scree::collision {

// Of gaps and separations that stay: no limit.
constexpr double never = std::numeric_limits<double>::infinity();

// Same place: classification of polygon vertices, ties between axes. 1e7 times round-off, 1e-3 of
// the smallest motion that matters.
constexpr double same_place = 1e-9;
// Positions far from the origin are rounded by half a unit in the last place (2^-53 relative), so
// the difference of two is off by up to 2^-52; this is twice that.
constexpr double position_rounding = 4.4408920985006262e-16;
// Corners of faces that look at each other count as flush when they differ sideways by less than
// same_place over the tilt between the faces, so that gaps change by less than same_place; at most
// this. A wall whose blocks drift by micrometres keeps the names of its contacts.
constexpr double flush_corners = 1e-5;
// Overlap polygons narrower than this are edge or corner contacts, which carry nothing while
// another axis touches.
constexpr double narrow_polygon = 1e-6;
// Steps between neighbouring surfaces lower than this are passed over by a body that slides across
// them.
constexpr double shallow_step = 1e-4;
// Edges closer to parallel than this have no usable common normal [rad].
constexpr double parallel_edges = 1e-5;
// A face takes the place of a pair of edges when its normal is within this angle [rad] and its gap
// is the same.
constexpr double face_for_edges = 2e-3;
// [steps] How far the present motion is extended to see which of two axes a sliding body is going
// to lie on.
constexpr double horizon = 100.0;
// Normals with a larger cosine than this count as the same direction.
constexpr double same_direction = 0.98;
// Candidates are culled only beyond reach plus this, so that culling never decides on round-off.
constexpr double culling_margin = 1e-11;

// [m] "same place" for two bodies: of the smaller size, or the rounding of positions up to
// `largest_coordinate` where that is larger. The larger of the two and not their sum: metre blocks
// at 2.6e6 m then decide their ties by the same number as at the origin.
inline double pair_tolerance(double smaller_size, double largest_coordinate) {
  return std::max(same_place * smaller_size, position_rounding * largest_coordinate);
}

}  // namespace scree::collision
