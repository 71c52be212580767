// What the narrow phase is asked about a pair, and what it answers.
#pragma once

#include <vector>

#include "collision/pairs/ground_touches.hpp"
#include "collision/polyhedra/overlap_polygon.hpp"
#include "collision/polyhedra/placed_part.hpp"
#include "collision/polyhedra/separating_axis.hpp"
#include "engine/model/contact_set.hpp"

namespace scree::collision {

// A pair now and one step ahead. The two are given in world axes.
struct PairQuery {
  PlacedPart a, b;
  double reach = 0.0;         // [m] points farther apart make no candidate
  double eps = 0.0;           // [m] "same place" of this pair
  double smaller_size = 0.0;  // [m]

  Vector3 d() const { return b.x - a.x; }
};

// Contact of a pair. Witness points are relative to the centre of a (finer than world coordinates
// far from the origin).
struct PairContact {
  Feature feature_a = 0, feature_b = 0;
  double gap = 0.0;                                              // [m]
  Vector3 normal = Vector3::Zero();                              // from a to b
  Vector3 point_a = Vector3::Zero(), point_b = Vector3::Zero();  // [m]
  double touch = 1.0;                                            // [-] as in ContactSet
};

// Adds a pair's contact to a set; x_a [m] is the centre of its body a.
void append_contact(const ContactKey& key, const Vector3& x_a, const PairContact& contact,
                    ContactSet& contacts);

// Largest numbers over the shapes of a model: what scratch memory must hold.
struct LargestShape {
  std::size_t points = 1, faces = 1, directions = 1, edges = 1, corners_of_face = 3, placed = 1;
  bool has_terrain = false;
};
void include_shape(const Shape& shape, LargestShape& largest);

// What is remembered of a pair from one detection to the next. It decides which way the same answer
// is found.
struct CullingHint {
  Vector3 axis = Vector3::Zero();  // unit vector that separated the pair when last seen, or zero
  bool in_contact =
      false;  // when last seen: then it is not worth while to look for an axis that separates it
};

// Scratch memory of one thread's pair.
struct PairWork {
  AxisTable axes, axes_ahead;
  OverlapPolygon overlap;
  std::vector<Vector3> placed_ahead;  // geometry of both parts one step ahead
  std::vector<std::int32_t> near_vertices,
      near_faces;                          // of one body within reach of a face of the other
  std::vector<Vector2> rim;                // [m] corners of that face in its plane
  std::vector<Vector3> placed_swept;       // and on the way there
  std::vector<Vector3> placed_start;       // and where the step begins
  std::vector<PairContact> contacts;       // the answer
  std::vector<PairContact> kept_contacts;  // one that a better one may replace
  std::vector<GroundTouch> touches;        // of one point and a terrain
  std::vector<std::uint8_t> near_ground;   // nodes of a window that come near a body
  std::vector<std::int32_t> near_edges;    // of a body, that come near the ground

  void reserve(const LargestShape& largest);  // so that no pair of the model allocates
};

inline Feature surface_feature() { return make_feature(FeatureKind::surface, 0); }
inline Feature vertex_feature(std::int32_t i) { return make_feature(FeatureKind::vertex, i); }
inline Feature edge_feature(std::int32_t i) { return make_feature(FeatureKind::edge, i); }
inline Feature face_feature(std::int32_t i) { return make_feature(FeatureKind::face, i); }

// Bodies a and b exchanged, for contacts [first, end): witness points become relative to the other
// centre. d = x_b - x_a of the pair the contacts were made for.
void mirror_contacts(std::vector<PairContact>& contacts, const Vector3& d);

void mirror_contact(PairContact& contact, const Vector3& d);

// Poses of the two bodies one step ahead at their present velocities.
struct Ahead {
  Vector3 x_a = Vector3::Zero(), x_b = Vector3::Zero();
  Quaternion q_a = Quaternion::Identity(), q_b = Quaternion::Identity();
};

// The pair as it is one step ahead.
PairQuery place_ahead(const PairQuery& now, const Ahead& ahead, std::vector<Vector3>& memory);

}  // namespace scree::collision
