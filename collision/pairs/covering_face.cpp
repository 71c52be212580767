#include "collision/pairs/covering_face.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/polyhedra/tolerances.hpp"

namespace scree::collision {
namespace {

// A toucher that is sunk deeper than this share of its size does not lie on a face.
constexpr double deep_share = 0.05;

// Whether a face of outward normal m, `height` [m] of q above it, goes on with the surface on which
// the touch is.
bool goes_on_with(const TouchedPlace& place, const Vector3& m, double height) {
  constexpr double nearly = 1e-3;  // [rad]
  return m.dot(place.n) > 0.0 && m.cross(place.n).norm() < nearly &&
         std::abs(height) <= place.tolerance;
}

// How far `part` reaches above the plane of outward normal m through q (world axes, [m]).
double risen_above(const PlacedPart& part, const Vector3& m, const Vector3& q) {
  return sunk_below(part, -m, q);
}

// Whether the toucher lies on the face of outward normal m, `height` [m] of q above it, and the
// owner is below it. Where an impact carried the toucher into the face, q may be as deep. `beyond`
// [m]: how far the face's part reaches farther along n than the place.
bool lies_on(const TouchedPlace& place, const Vector3& m, double height, double beyond) {
  constexpr double level = -same_place;  // n may lie in the plane of the face
  if (height > place.tolerance || m.dot(place.n) < level) return false;
  const double sunk = sunk_below(place.toucher, m, place.q) - height;
  // What is far above the face was not carried into it: it passes above, and the contact is one
  // with what lies behind the surface.
  const double deep = deep_share * place.toucher.size();
  if (sunk > place.tolerance && place.gap * m.dot(place.n) > deep) return false;
  if (sunk > deep || height < -std::max(sunk, 0.0) - place.tolerance) return false;
  // What stands on the rim of both with a narrow bearing, tilted by next to nothing, is no deeper
  // in their sides than it stands on them.
  const bool is_side = m.dot(place.n) < same_direction;
  if (is_side && sunk > place.tolerance && beyond < sunk) return false;
  // A plate beside the owner, flush with it, is sunk by all of its thickness.
  if (sunk > place.tolerance && risen_above(place.toucher, m, place.q - height * m) < sunk)
    return false;
  return lies_below(place.owner, m, place.q - height * m, place.tolerance);
}

}  // namespace

bool lies_below(const PlacedPart& part, const Vector3& m, const Vector3& q, double tolerance) {
  const double limit = m.dot(q - part.x) + tolerance;
  return std::none_of(part.points.begin(), part.points.end(),
                      [&](const Vector3& point) { return m.dot(point) > limit; });
}

bool has_place(const PlacedPart& part, const Vector3& q, double tolerance) {
  return is_within(part, q - part.x, tolerance);
}

double sunk_below(const PlacedPart& part, const Vector3& m, const Vector3& q) {
  double low = std::numeric_limits<double>::infinity();
  for (const Vector3& point : part.points) low = std::min(low, m.dot(point));
  low -= part.rounding();
  return m.dot(q - part.x) - low;
}

bool can_cover(const PlacedPart& part) {
  return part.kind() == PartKind::polyhedron || part.kind() == PartKind::half_space;
}

bool is_on_face(const PlacedPart& part, std::size_t f, const TouchedPlace& place) {
  return std::abs(height_over(part, f, place.q - part.x)) <= place.tolerance;
}

bool hides(const PlacedPart& neighbour, const Vector3& m, const TouchedPlace& place) {
  constexpr double opposite = 1e-6;  // [rad]
  if (!has_place(neighbour, place.q, place.tolerance)) return false;
  bool lies_on_it = false;
  for (std::size_t f = 0; f < neighbour.normals.size(); ++f) {
    const Vector3& other = neighbour.normals[f];
    if (!is_on_face(neighbour, f, place)) continue;
    if ((other + m).norm() <= opposite) {
      lies_on_it = true;
    } else if (!lies_below(place.owner, other, place.q, place.tolerance)) {
      return false;
    }
  }
  return lies_on_it;
}

std::int32_t covering_face(const PlacedPart& neighbour, const TouchedPlace& place,
                           std::int32_t first) {
  const Vector3 at = place.q - neighbour.x;
  if (neighbour.kind() == PartKind::half_space) {
    const Vector3& m = neighbour.normals[0];
    if (place.keep_flush && goes_on_with(place, m, m.dot(at) - neighbour.offset())) return -1;
    const bool covers =
        m.cross(place.n).norm() > same_place &&
        lies_on(place, m, m.dot(at) - neighbour.offset(), std::numeric_limits<double>::infinity());
    return covers && first == 0 ? 0 : -1;
  }
  const double size = neighbour.size();
  const std::vector<double>& offset = neighbour.solid().face_offset;
  double highest = -size;
  for (std::size_t f = 0; f < neighbour.normals.size(); ++f) {
    highest = std::max(highest, neighbour.normals[f].dot(at) - offset[f]);
    if (highest > place.tolerance) return -1;
  }
  for (std::size_t f = 0; place.keep_flush && f < neighbour.normals.size(); ++f) {
    const Vector3& m = neighbour.normals[f];
    if (goes_on_with(place, m, m.dot(at) - offset[f])) return -1;
  }
  // How far it reaches along n, but for the step between the two.
  const double step = std::min(std::abs(highest), place.tolerance);
  double beyond = -std::numeric_limits<double>::infinity();
  for (const Vector3& point : neighbour.points)
    beyond = std::max(beyond, place.n.dot(point) - place.n.dot(at));
  if (beyond <= 2.0 * step + same_place * std::min(size, place.owner.size())) return -1;
  for (auto f = static_cast<std::size_t>(first); f < neighbour.normals.size(); ++f) {
    if (lies_on(place, neighbour.normals[f], neighbour.normals[f].dot(at) - offset[f], beyond))
      return static_cast<std::int32_t>(f);
  }
  return -1;
}

}  // namespace scree::collision
