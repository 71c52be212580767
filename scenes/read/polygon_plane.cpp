#include "scenes/read/polygon_plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace scree::scenes {
namespace {

// How far from one plane corners may be, how near to each other two edges, and how small the area,
// as a share of the size.
constexpr double flat_tolerance = 1e-6;
constexpr std::size_t most_corners = 1000;  // each pair of edges is looked at
constexpr const char* polygon_expected = "at least 3 points [m] in one plane, around an area";

double distance(const Vector3& x, const Vector3& from, const Vector3& to) {
  const Vector3 along = to - from;
  const double length = along.squaredNorm();
  const double share = length > 0.0 ? std::clamp(along.dot(x - from) / length, 0.0, 1.0) : 0.0;
  return (from + share * along - x).norm();
}

// Whether the plane edges ab and cd meet: one's end lies on the other, or they cross.
bool meet(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d,
          const Vector3& normal, double margin) {
  const double nearest =
      std::min({distance(a, c, d), distance(b, c, d), distance(c, a, b), distance(d, a, b)});
  if (nearest <= margin) return true;
  const auto side = [&](const Vector3& from, const Vector3& to, const Vector3& x) {
    return normal.dot((to - from).cross(x - from)) > 0.0;
  };
  return side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b);
}

// The edges, by their first corners, that meet elsewhere than at the corner that they share.
std::optional<std::pair<std::size_t, std::size_t>> find_meeting_edges(
    const std::vector<Vector3>& corners, const Vector3& normal, double margin) {
  const std::size_t n = corners.size();
  const auto corner = [&](std::size_t i) -> const Vector3& { return corners[i % n]; };
  for (std::size_t i = 0; i < n; ++i) {
    // The next edge may lead back along this one.
    if (distance(corner(i + 2), corner(i), corner(i + 1)) <= margin ||
        distance(corner(i), corner(i + 1), corner(i + 2)) <= margin)
      return std::pair(i, (i + 1) % n);
    for (std::size_t k = i + 2; k < n && (k + 1) % n != i; ++k) {
      if (meet(corner(i), corner(i + 1), corner(k), corner(k + 1), normal, margin))
        return std::pair(i, k);
    }
  }
  return std::nullopt;
}

// Across the two corners that span the most with the middle.
Vector3 steady_normal(const std::vector<Vector3>& corners, const Vector3& middle) {
  const auto length = [&](const Vector3& x) { return (x - middle).squaredNorm(); };
  const Vector3 far = *std::ranges::max_element(corners, {}, length) - middle;
  Vector3 across = Vector3::Zero();
  for (const Vector3& corner : corners) {
    const Vector3 found = far.cross(corner - middle);
    if (found.squaredNorm() > across.squaredNorm()) across = found;
  }
  return across;
}

}  // namespace

PolygonPlane read_polygon_plane(const TableReader& reader, const char* key,
                                const std::vector<Vector3>& corners) {
  const auto count = static_cast<double>(corners.size());
  if (corners.size() < 3 || corners.size() > most_corners)
    reader.fail(key, fmt::format("{} points are not allowed; must be {}, and at most {}",
                                 corners.size(), polygon_expected, most_corners));
  PolygonPlane plane;
  for (const Vector3& corner : corners) plane.point += corner / count;
  double size = 0.0;
  for (const Vector3& corner : corners) size = std::max(size, (corner - plane.point).norm());
  const Vector3 across = steady_normal(corners, plane.point);
  if (!(across.norm() > flat_tolerance * size * size))
    reader.fail(key,
                fmt::format("a polygon without area is not allowed; must be {}", polygon_expected));
  const Vector3 normal = across.normalized();
  for (const Vector3& corner : corners) {
    const double off = std::abs(normal.dot(corner - plane.point));
    if (off > flat_tolerance * size) {
      reader.fail(
          key, fmt::format("a corner lies {:.2g} m beside the plane of the others; must be {}", off,
                           polygon_expected));
    }
  }
  if (const auto edges = find_meeting_edges(corners, normal, flat_tolerance * size)) {
    reader.fail(key,
                fmt::format("the edges from corners {} and {} meet; the border must not cross or "
                            "touch itself",
                            edges->first + 1, edges->second + 1));
  }
  Vector3 area = Vector3::Zero();
  for (std::size_t i = 0; i < corners.size(); ++i)
    area += (corners[i] - plane.point).cross(corners[(i + 1) % corners.size()] - plane.point);
  plane.normal = area.normalized();
  return plane;
}

}  // namespace scree::scenes
