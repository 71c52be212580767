// What lies over a face within reach besides the one face of the other body that looks at it.
#pragma once

#include "collision/pairs/face_view.hpp"

namespace scree::collision {

// Appends to work.contacts (named and turned as the pair's contacts are: a first, normals from a to
// b) what of the incident body's lower side comes within the reach of the view's face, and is not
// part of the facing face: corners over the face, edges where they cross its rim, and the face's
// own corners under other faces. `from_a`: the reference is body a. So a contact has all its ends
// at any tilt, with the gaps that they have, and none appears when a face takes over from another.
// `lowest` [m]: the incident body's lowest point over the face's plane.
void add_further_contacts(const PairQuery& query, const FaceView& view, bool from_a, double lowest,
                          PairWork& work);

}  // namespace scree::collision
