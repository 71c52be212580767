// Contacts of a face of one polyhedron with the face of the other that looks at it.
#pragma once

#include "collision/pairs/face_view.hpp"

namespace scree::collision {

// What became of an overlap polygon, before points beyond the reach were dropped.
struct ManifoldSummary {
  double width = 0.0;         // [m] of the overlap polygon; 0: no overlap
  double smallest_gap = 0.0;  // [m] over all its corners
  double flush = 0.0;         // [m] sideways distance below which corners counted as flush
};

// Replaces work.contacts by the corners of the overlap polygon of the view's face and the facing
// face of the other body, each lifted to both faces along the normal; corners with a gap above the
// reach are left out.
ManifoldSummary face_manifold(const PairQuery& query, const FaceView& view, bool from_a,
                              PairWork& work);

// Replaces work.contacts by one contact of the deepest vertex below the view's face.
void deepest_vertex_contact(const FaceView& view, bool from_a, PairWork& work);

}  // namespace scree::collision
