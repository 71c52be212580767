#include "tools/joints/contact_face.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {
namespace {

using Flat = blocks::JointBody::Flat;
using polygons::Polygon;

constexpr double facing = 0.1;      // cosine: faces that look at each other less make no joint
constexpr double one_face = 0.999;  // cosine: pieces of one face turn by less than 2.6 degrees

// Those that hold a point.
std::vector<const Flat*> faces_at(const blocks::JointBody& body, const Vector3& point,
                                  double near) {
  std::vector<const Flat*> faces;
  for (const Flat& face : body.faces) {
    if (std::abs(face.normal.dot(point - face.corners[0])) > near) continue;
    if (polygons::distance_to(point, face.corners) <= near) faces.push_back(&face);
  }
  return faces;
}

// All pieces of one face: of the same plane and side.
std::vector<const Flat*> whole_face(const blocks::JointBody& body, const Flat& piece, double near) {
  std::vector<const Flat*> faces;
  for (const Flat& face : body.faces) {
    const bool same = face.normal.dot(piece.normal) > one_face &&
                      std::all_of(face.corners.begin(), face.corners.end(), [&](const Vector3& p) {
                        return std::abs(piece.normal.dot(p - piece.corners[0])) <= near;
                      });
    if (&face == &piece || same) faces.push_back(&face);
  }
  return faces;
}

// The face of a body nearest to a point among those that look along a direction.
const Flat* face_along(const blocks::JointBody& body, const Vector3& point,
                       const Vector3& direction) {
  const Flat* best = nullptr;
  double nearest = std::numeric_limits<double>::infinity();
  for (const Flat& face : body.faces) {
    if (face.normal.dot(direction) < one_face) continue;
    const double distance = polygons::distance_to(point, face.corners);
    if (distance < nearest) nearest = distance, best = &face;
  }
  return best;
}

}  // namespace

blocks::JointBody plane_around(const Vector3& point, const Vector3& normal, double half_width) {
  const Vector3 t = half_width * normal.unitOrthogonal(), s = normal.cross(t);
  blocks::JointBody body;
  body.fixed = true;
  add_face(body, {point + t, point + s, point - t, point - s});
  return body;
}

std::optional<ContactFace> contact_face(const blocks::JointBody& a, const blocks::JointBody& b,
                                        const Vector3& point, double near) {
  const Flat *of_a = nullptr, *of_b = nullptr;
  double most = facing;
  const std::vector<const Flat*> others = faces_at(b, point, near);
  for (const Flat* const f : faces_at(a, point, near)) {
    for (const Flat* const g : others) {
      const double opposed = -f->normal.dot(g->normal);
      if (opposed > most + 1e-9) most = opposed, of_a = f, of_b = g;
    }
  }
  if (of_a == nullptr) return std::nullopt;
  const double from_edge_a = polygons::distance_to_boundary(point, of_a->corners),
               from_edge_b = polygons::distance_to_boundary(point, of_b->corners);
  const bool on_a = from_edge_a < from_edge_b - near;
  const Flat &own = on_a ? *of_a : *of_b, &other = on_a ? *of_b : *of_a;
  const std::vector<const Flat*> pieces = whole_face(on_a ? a : b, own, near),
                                 over = whole_face(on_a ? b : a, other, near);
  ContactFace face;
  face.normal = on_a ? own.normal : Vector3(-own.normal);
  for (const Flat* const piece : pieces) {
    for (const Flat* const above : over) {
      Polygon part = polygons::part_within(piece->corners, above->corners);
      if (part.size() >= 3 && polygons::area(part) > 1e-4 * std::min(piece->area, above->area))
        face.polygons.push_back(std::move(part));
    }
  }
  if (face.polygons.empty()) {
    for (const Flat* const piece : pieces) face.polygons.push_back(piece->corners);
  }
  double area = 0.0;
  face.closed = true;
  for (const Polygon& polygon : face.polygons) {
    const double part = polygons::area(polygon);
    face.centre += part * polygons::centre(polygon);
    area += part;
    for (const Vector3& p : polygon)
      face.closed = face.closed && std::abs(other.normal.dot(p - other.corners[0])) <= near;
  }
  face.centre /= area;
  return face;
}

std::vector<Polygon> closed_parts(const blocks::Joint& joint, const blocks::JointBody& a,
                                  const blocks::JointBody& b, double reach) {
  std::vector<Polygon> closed;
  for (const Polygon& polygon : joint.polygons) {
    Vector3 normal = polygons::area_vector(polygon).normalized();
    if (normal.dot(joint.normal) < 0.0) normal = -normal;
    const Vector3 centre = polygons::centre(polygon);
    const Flat *const f = face_along(a, centre, normal), *const g = face_along(b, centre, -normal);
    if (f == nullptr || g == nullptr) {
      closed.push_back(polygon);
      continue;
    }
    std::vector<double> height;
    for (const Vector3& p : polygon) {
      const double to_b = g->normal.dot(g->corners[0] - p) / g->normal.dot(normal),
                   to_a = f->normal.dot(f->corners[0] - p) / f->normal.dot(normal);
      height.push_back(to_b - to_a - reach);
    }
    Polygon part = polygons::part_below(polygon, height);
    if (!part.empty()) closed.push_back(std::move(part));
  }
  return closed;
}

}  // namespace scree
