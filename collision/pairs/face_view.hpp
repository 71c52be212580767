// A pair of polyhedra seen from one face of one of them.
#pragma once

#include "collision/pairs/pair_contacts.hpp"
#include "engine/base/index.hpp"

namespace scree::collision {

// The body that owns the face is the reference, the other one is incident.
struct FaceView {
  const PlacedPart& reference;
  const PlacedPart& incident;
  Vector3 d;                 // x_incident - x_reference
  std::int32_t face;         // of the reference
  Vector3 n;                 // its outward normal
  Vector3 t, s;              // basis of its plane
  std::int32_t facing = -1;  // face of the incident body that looks at it
};

namespace face_view {

FaceView from_axis(const PairQuery& query, const Axis& axis);

// The same from the other side: the face that looks at this view's face becomes the reference.
FaceView exchanged(const FaceView& view);

std::int32_t deepest_vertex(const PlacedPart& part, const Vector3& n);

// [m] Sideways tolerance of an overlap: what leaves the gaps alone at the tilt between the two
// faces.
double flush_distance(const PairQuery& query, const FaceView& view);

}  // namespace face_view
}  // namespace scree::collision
