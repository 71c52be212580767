#include "scenes/blocks/triangulate.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "engine/base/index.hpp"

namespace scree::blocks {
namespace {

constexpr std::size_t most_corners = 80;  // of faces that are triangulated in the best way

bool comes_before(const Vector3& a, const Vector3& b) {
  return std::tuple(a.x(), a.y(), a.z()) < std::tuple(b.x(), b.y(), b.z());
}

// The same loop from its first corner in space, towards the neighbour that comes first.
Face canonical(const std::vector<Vector3>& vertices, Face face, bool& reversed) {
  const auto before = [&](std::int32_t a, std::int32_t b) {
    return comes_before(vertices[index(a)], vertices[index(b)]);
  };
  std::rotate(face.begin(), std::min_element(face.begin(), face.end(), before), face.end());
  reversed = before(face.back(), face[1]);
  if (reversed) std::reverse(face.begin() + 1, face.end());
  return face;
}

Vector3 newell(const std::vector<Vector3>& vertices, const Face& face) {
  Vector3 sum = Vector3::Zero();
  const Vector3& o = vertices[index(face[0])];
  for (std::size_t i = 1; i + 1 < face.size(); ++i)
    sum += (vertices[index(face[i])] - o).cross(vertices[index(face[i + 1])] - o);
  return sum;
}

// Whether a corner may be cut off: it turns to the left, and no other lies in its triangle.
bool is_ear(const std::vector<Vector3>& vertices, const Face& face, std::size_t i,
            const Vector3& normal) {
  const std::size_t n = face.size();
  const Vector3 &a = vertices[index(face[(i + n - 1) % n])], &b = vertices[index(face[i])],
                &c = vertices[index(face[(i + 1) % n])];
  if ((b - a).cross(c - b).dot(normal) <= 0.0) return false;
  return std::none_of(face.begin(), face.end(), [&](std::int32_t v) {
    const Vector3& p = vertices[index(v)];
    if (p == a || p == b || p == c) return false;
    return (b - a).cross(p - a).dot(normal) >= 0.0 && (c - b).cross(p - b).dot(normal) >= 0.0 &&
           (a - c).cross(p - c).dot(normal) >= 0.0;
  });
}

std::vector<Face> fan_of_ears(const std::vector<Vector3>& vertices, Face face,
                              const Vector3& normal) {
  std::vector<Face> triangles;
  // An ear stays one until a neighbour goes, so that this is kept. What is none may become one when
  // another corner goes: that is looked at when no ear is left.
  enum class Ear : std::uint8_t { unknown, no, yes };
  std::vector<Ear> ears(face.size(), Ear::unknown);
  bool again = false;  // all have been looked at once more
  while (face.size() > 3) {
    const std::size_t n = face.size();
    std::size_t best = n;
    double best_diagonal = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i) {
      if (ears[i] == Ear::unknown) ears[i] = is_ear(vertices, face, i, normal) ? Ear::yes : Ear::no;
      if (ears[i] == Ear::no) continue;
      const double diagonal =
          (vertices[index(face[(i + 1) % n])] - vertices[index(face[(i + n - 1) % n])]).norm();
      if (diagonal < best_diagonal) best = i, best_diagonal = diagonal;
    }
    if (best == n && !again) {
      again = true;
      std::ranges::fill(ears, Ear::unknown);
      continue;
    }
    again = best == n;
    if (best == n) best = 0;  // none is left that is no spike: corners in one line
    triangles.push_back({face[(best + n - 1) % n], face[best], face[(best + 1) % n]});
    ears[(best + n - 1) % n] = ears[(best + 1) % n] = Ear::unknown;
    face.erase(face.begin() + static_cast<std::ptrdiff_t>(best));
    ears.erase(ears.begin() + static_cast<std::ptrdiff_t>(best));
  }
  triangles.push_back(face);
  return triangles;
}

}  // namespace

FacePlane plane_of(const std::vector<Vector3>& vertices, const Face& face) {
  FacePlane plane;
  for (const std::int32_t v : face) plane.point += vertices[index(v)];
  plane.point /= static_cast<double>(face.size());
  const Vector3 twice = newell(vertices, face);
  plane.area = 0.5 * twice.norm();
  if (plane.area > 0.0) plane.normal = twice.normalized();
  return plane;
}

double off_plane(const std::vector<Vector3>& vertices, const Face& face) {
  if (face.size() == 3) return 0.0;
  const FacePlane plane = plane_of(vertices, face);
  double most = 0.0;
  for (const std::int32_t v : face)
    most = std::max(most, std::abs(plane.normal.dot(vertices[index(v)] - plane.point)));
  return most;
}

double solid_angle(const Vector3& a, const Vector3& b, const Vector3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2.0 * std::atan2(a.dot(b.cross(c)),
                          la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

bool is_convex_face(const std::vector<Vector3>& vertices, const Face& face) {
  if (face.size() == 3) return true;
  const Vector3 normal = newell(vertices, face).normalized();
  for (std::size_t i = 0; i < face.size(); ++i) {
    const std::size_t n = face.size();
    const Vector3 in = vertices[index(face[i])] - vertices[index(face[(i + n - 1) % n])],
                  out = vertices[index(face[(i + 1) % n])] - vertices[index(face[i])];
    if (in.cross(out).dot(normal) < -1e-9 * in.norm() * out.norm()) return false;
  }
  return true;
}

std::vector<Face> shortest_triangulation(const std::vector<Vector3>& vertices, const Face& face) {
  if (face.size() == 3) return {face};
  bool reversed = false;
  const Face loop = canonical(vertices, face, reversed);
  const std::size_t n = loop.size();
  const Vector3 normal = newell(vertices, loop).normalized();
  std::vector<Face> triangles;
  if (n > most_corners) {
    triangles = fan_of_ears(vertices, loop, normal);
  } else {
    // least[i][j]: of the polygon i, ..., j.
    constexpr double never = std::numeric_limits<double>::infinity();
    std::vector<std::vector<double>> least(n, std::vector<double>(n, never));
    std::vector<std::vector<std::size_t>> apex(n, std::vector<std::size_t>(n, n));
    for (std::size_t i = 0; i + 1 < n; ++i) least[i][i + 1] = 0.0;
    for (std::size_t span = 2; span < n; ++span) {
      for (std::size_t i = 0; i + span < n; ++i) {
        const std::size_t j = i + span;
        const Vector3 &a = vertices[index(loop[i])], &c = vertices[index(loop[j])];
        const double own = i == 0 && j == n - 1 ? 0.0 : (c - a).norm();
        for (std::size_t k = i + 1; k < j; ++k) {
          const Vector3& b = vertices[index(loop[k])];
          if ((b - a).cross(c - a).dot(normal) <= 0.0) continue;
          const double cost = least[i][k] + least[k][j] + own;
          if (cost < least[i][j]) least[i][j] = cost, apex[i][j] = k;
        }
      }
    }
    if (least[0][n - 1] == never) {
      triangles = fan_of_ears(vertices, loop, normal);
    } else {
      std::vector<std::pair<std::size_t, std::size_t>> todo = {{0, n - 1}};
      while (!todo.empty()) {
        const auto [i, j] = todo.back();
        todo.pop_back();
        if (j < i + 2) continue;
        const std::size_t k = apex[i][j];
        triangles.push_back({loop[i], loop[k], loop[j]});
        todo.emplace_back(i, k);
        todo.emplace_back(k, j);
      }
    }
  }
  if (reversed) {
    for (Face& triangle : triangles) std::reverse(triangle.begin(), triangle.end());
  }
  return triangles;
}

}  // namespace scree::blocks
