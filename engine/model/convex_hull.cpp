// Gift wrapping by whole faces: start with one supporting plane, then turn the plane about every open edge until
// it meets the next points. Each plane gathers all its points before its polygon is made, so coplanar facets never
// exist apart and need no merging afterwards.
#include "engine/model/convex_hull.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "engine/model/check.hpp"

namespace scree {
namespace {

using Points = std::span<const Vector3>;
using Indices = std::vector<std::int32_t>;
using DirectedEdge = std::pair<std::int32_t, std::int32_t>;

const Vector3& at(Points points, std::int32_t i) { return points[static_cast<std::size_t>(i)]; }

// Points of the supporting plane with the outward normal n.
Indices points_on_plane(Points points, const Vector3& n, double tolerance) {
  double top = n.dot(points[0]);
  for (const Vector3& p : points) top = std::max(top, n.dot(p));
  Indices found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (n.dot(points[i]) >= top - tolerance) found.push_back(static_cast<std::int32_t>(i));
  }
  return found;
}

// Turns the supporting plane with normal n about the line (u, direction e) until it meets a point more than
// `tolerance` below it. Seen along e the plane extends towards e x n; the first point met has the largest
// ratio of that coordinate to its depth.
std::optional<Vector3> turn_plane(Points points, const Vector3& u, const Vector3& e, const Vector3& n,
                                  double tolerance) {
  const Vector3 outward = e.cross(n);
  std::optional<Vector3> met;
  double best = 0.0;
  for (const Vector3& p : points) {
    const Vector3 r = p - u;
    const double depth = -r.dot(n);
    if (depth <= tolerance) continue;
    const double ratio = r.dot(outward) / depth;
    if (met && ratio <= best) continue;
    best = ratio;
    met = p;
  }
  if (!met) return std::nullopt;
  const Vector3 in_plane = (outward * best - n).normalized();
  return in_plane.cross(e).normalized();
}

// Drops vertices that lie within the tolerance of the chord of their neighbours.
void drop_collinear(Points points, Indices& loop, double tolerance) {
  for (std::size_t i = 0; i < loop.size() && loop.size() > 2;) {
    const Vector3& before = at(points, loop[(i + loop.size() - 1) % loop.size()]);
    const Vector3& after = at(points, loop[(i + 1) % loop.size()]);
    const Vector3 chord = after - before;
    const double distance = chord.cross(at(points, loop[i]) - before).norm() / chord.norm();
    if (distance > tolerance) {
      ++i;
      continue;
    }
    loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(i));
    i = i > 0 ? i - 1 : 0;
  }
}

// Convex polygon of coplanar points, counter-clockwise about n (monotone chain); two indices when they are collinear.
Indices polygon_of(Points points, const Indices& members, const Vector3& n, double tolerance) {
  const Vector3 t = n.unitOrthogonal();
  const Vector3 s = n.cross(t);
  struct Item {
    double x, y;
    std::int32_t index;
  };
  std::vector<Item> items;
  for (const std::int32_t i : members) items.push_back({t.dot(at(points, i)), s.dot(at(points, i)), i});
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.index < b.index;
  });
  const auto turns_right = [](const Item& a, const Item& b, const Item& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) <= 0.0;
  };
  std::vector<Item> chain;
  const auto extend = [&](const Item& item, std::size_t keep) {
    while (chain.size() > keep && turns_right(chain[chain.size() - 2], chain.back(), item)) chain.pop_back();
    chain.push_back(item);
  };
  for (const Item& item : items) extend(item, 1);
  const std::size_t lower = chain.size();
  for (std::size_t i = items.size() - 1; i-- > 0;) extend(items[i], lower);
  chain.pop_back();
  Indices loop;
  for (const Item& item : chain) loop.push_back(item.index);
  drop_collinear(points, loop, tolerance);
  return loop;
}

// Polygon of the plane nearest to normal n; the normal is refined once from the polygon itself.
Indices face_of(Points points, Vector3 n, double tolerance) {
  Indices loop;
  for (int pass = 0; pass < 2; ++pass) {
    loop = polygon_of(points, points_on_plane(points, n, tolerance), n, tolerance);
    if (loop.size() < 3) return loop;
    n = newell_vector(points, loop).normalized();
  }
  return loop;
}

// First face: turns a plane until its points span two dimensions.
Indices first_face(Points points, double tolerance) {
  Vector3 n = -Vector3::UnitX();
  for (int turn = 0; turn < 4; ++turn) {
    const Indices members = points_on_plane(points, n, tolerance);
    if (members.size() >= 3) {
      const Indices loop = face_of(points, n, tolerance);
      if (loop.size() >= 3) return loop;
    }
    const Vector3& u = at(points, members.front());
    Vector3 e = n.unitOrthogonal();
    double longest = tolerance;
    for (const std::int32_t i : members) {
      const Vector3 r = at(points, i) - u;
      if (r.norm() > longest) longest = r.norm(), e = r.normalized();
    }
    e = (e - n * n.dot(e)).normalized();
    const std::optional<Vector3> next = turn_plane(points, u, e, n, tolerance);
    require(next.has_value(), "vertices", "all points lie in one plane; a polyhedron needs a volume");
    n = *next;
  }
  require(false, "vertices", "the convex hull is not well defined (points are nearly coplanar)");
  return {};
}

}  // namespace

double point_set_diameter(Points points) {
  double largest = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) largest = std::max(largest, (points[i] - points[j]).squaredNorm());
  }
  return std::sqrt(largest);
}

Vector3 newell_vector(Points points, std::span<const std::int32_t> loop) {
  Vector3 sum = Vector3::Zero();
  const Vector3& first = at(points, loop[0]);
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
    sum += (at(points, loop[i]) - first).cross(at(points, loop[i + 1]) - first);
  }
  return sum;
}

std::vector<HullLoop> convex_hull_faces(Points points, double tolerance) {
  const std::string unclear = "the convex hull is not well defined (points are nearly coplanar)";
  std::vector<HullLoop> faces;
  std::map<DirectedEdge, std::size_t> face_of_edge;
  const auto add = [&](HullLoop loop) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const bool is_new = face_of_edge.emplace(DirectedEdge{loop[i], loop[(i + 1) % loop.size()]}, faces.size()).second;
      require(is_new, "vertices", unclear);
    }
    faces.push_back(std::move(loop));
  };
  add(first_face(points, tolerance));
  require(points_on_plane(points, newell_vector(points, faces[0]).normalized(), tolerance).size() < points.size(),
          "vertices", "all points lie in one plane; a polyhedron needs a volume");
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const HullLoop loop = faces[f];
    const Vector3 n = newell_vector(points, loop).normalized();
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const std::int32_t u = loop[i], v = loop[(i + 1) % loop.size()];
      if (face_of_edge.contains({v, u})) continue;
      const Vector3 e = (at(points, v) - at(points, u)).normalized();
      const std::optional<Vector3> next = turn_plane(points, at(points, u), e, n, tolerance);
      require(next.has_value() && faces.size() < 2 * points.size(), "vertices", unclear);
      HullLoop neighbour = face_of(points, *next, tolerance);
      require(neighbour.size() >= 3, "vertices", unclear);
      add(std::move(neighbour));
      require(face_of_edge.contains({v, u}), "vertices", unclear);
    }
  }
  return faces;
}

}  // namespace scree
