#include "collision/pairs/pair_contacts.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/lanes.hpp"

namespace scree::collision {

namespace {

// Room that a pair of large hulls is given from the start; more of them within reach at once find
// it when they come.
constexpr std::size_t few_contacts = 512, few_sides = 16384, few_touches = 64, few_nodes = 16384;

}  // namespace

void append_contact(const ContactKey& key, const Vector3& x_a, const PairContact& contact,
                    ContactSet& contacts) {
  contacts.key.push_back(key);
  contacts.gap.push_back(contact.gap);
  contacts.normal.push_back(contact.normal);
  contacts.point_a.push_back(x_a + contact.point_a);
  contacts.point_b.push_back(x_a + contact.point_b);
  contacts.touch.push_back(contact.touch);
}

void include_shape(const Shape& shape, LargestShape& largest) {
  largest.has_terrain = largest.has_terrain || std::holds_alternative<Terrain>(shape);
  largest.placed = std::max(largest.placed, placed_size(shape));
  const std::size_t points =
      std::visit([](const auto& s) { return s.placed_points().size(); }, shape);
  largest.points = std::max(largest.points, points);
  const auto* solid = std::get_if<ConvexPolyhedron>(&shape);
  if (solid == nullptr) return;
  largest.faces = std::max(largest.faces, solid->face_normal.size());
  largest.edges = std::max(largest.edges, solid->edges.size());
  largest.directions = std::max(largest.directions, solid->edge_directions.size());
  for (std::int32_t f = 0; f < solid->n_faces(); ++f) {
    largest.corners_of_face = std::max(largest.corners_of_face, solid->face(f).size());
  }
}

void PairWork::reserve(const LargestShape& largest) {
  for (AxisTable* table : {&axes, &axes_ahead}) {
    for (FaceTable* faces : {&table->faces_a, &table->faces_b}) {
      faces->separation.reserve(largest.faces), faces->height.reserve(largest.faces);
      faces->coordinates.reserve(3 * (largest.points + n_lanes));
      faces->most.reserve(largest.points + n_lanes);
    }
  }
  for (EdgeTable* edges : {&axes.edges_a, &axes.edges_b}) {
    edges->edges.reserve(largest.edges), edges->facing.reserve(largest.edges);
    edges->faces.reserve(largest.faces), edges->face.reserve(largest.faces);
    edges->direction.reserve(largest.directions);
    edges->side.reserve(std::min(largest.faces * largest.directions, few_sides));
  }
  const std::size_t corners = largest.corners_of_face;
  overlap.p.reserve(corners);
  overlap.q.reserve(corners);
  overlap.side_p.reserve(corners * corners);
  overlap.side_q.reserve(corners * corners);
  overlap.corners.reserve(4 * corners);
  placed_ahead.reserve(2 * largest.placed);
  rim.reserve(corners);
  near_vertices.reserve(largest.points), near_faces.reserve(std::min(largest.faces, few_contacts));
  contacts.reserve(4 * corners + std::min(largest.points + largest.edges, few_contacts));
  placed_swept.reserve(2 * largest.placed);
  placed_start.reserve(2 * largest.placed);
  kept_contacts.reserve(contacts.capacity());
  if (!largest.has_terrain) return;
  touches.reserve(few_touches), near_ground.reserve(few_nodes);
  near_edges.reserve(largest.edges);
}

void mirror_contact(PairContact& contact, const Vector3& d) {
  std::swap(contact.feature_a, contact.feature_b);
  std::swap(contact.point_a, contact.point_b);
  contact.normal = -contact.normal;
  contact.point_a -= d;
  contact.point_b -= d;
}

void mirror_contacts(std::vector<PairContact>& contacts, const Vector3& d) {
  for (PairContact& contact : contacts) mirror_contact(contact, d);
}

PairQuery place_ahead(const PairQuery& now, const Ahead& ahead, std::vector<Vector3>& memory) {
  const std::size_t size_a = placed_size(*now.a.shape), size_b = placed_size(*now.b.shape);
  if (memory.size() < size_a + size_b) memory.resize(size_a + size_b);
  const std::span<Vector3> all(memory);
  PairQuery query = now;
  query.a = place(*now.a.shape, *now.a.tables, ahead.x_a, ahead.q_a, all.first(size_a));
  query.b = place(*now.b.shape, *now.b.tables, ahead.x_b, ahead.q_b, all.subspan(size_a, size_b));
  return query;
}

}  // namespace scree::collision
