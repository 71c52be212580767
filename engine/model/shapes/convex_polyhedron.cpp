#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "engine/base/check.hpp"
#include "engine/base/direction_index.hpp"
#include "engine/base/limits.hpp"
#include "engine/model/shapes/convex_hull.hpp"
#include "engine/model/shapes/flat_faces.hpp"
#include "engine/model/shapes/shapes.hpp"
#include "engine/model/shapes/volume_integrals.hpp"

namespace scree {
namespace {

constexpr double least_thickness =
    1e-10;  // [-] of the size: flatter sets of points lie in one plane
constexpr double dense_tolerance =
    1e-7;  // [-] of the size: coplanar, in hulls of more than 10,000 corners
constexpr double far_away =
    64.0;  // [-] of the size: farther from the origin, coordinates have one of their own
// Products of faces and vertices looked at; hulls with more have no face that is much thinner than
// their box.
constexpr std::size_t most_products = 4'000'000;
constexpr double parallel_tolerance = 1e-12;  // [rad] edges of one direction: round-off only

// Edges from the loops. face_0 is the face that runs along the edge from vertex_0 to vertex_1, so
// that normal_0 x normal_1 points along the edge.
void find_edges(ConvexPolyhedron& solid) {
  struct Side {
    std::int32_t low, high, face;
    bool upward;  // the face runs along the edge from the lower to the higher vertex
  };
  std::vector<Side> sides;
  for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
    const auto loop = solid.face(f);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const std::int32_t u = loop[i], v = loop[(i + 1) % loop.size()];
      sides.push_back({std::min(u, v), std::max(u, v), f, u < v});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& one, const Side& other) {
    return std::tuple(one.low, one.high, other.upward) <
           std::tuple(other.low, other.high, one.upward);
  });
  for (std::size_t i = 0; i < sides.size(); i += 2) {
    const bool paired = i + 1 < sides.size() && sides[i].low == sides[i + 1].low &&
                        sides[i].high == sides[i + 1].high && sides[i].upward &&
                        !sides[i + 1].upward;
    require(paired, "vertices", "the convex hull does not close");
    solid.edges.push_back({sides[i].low, sides[i].high, sides[i].face, sides[i + 1].face});
  }
  const auto euler = static_cast<std::ptrdiff_t>(solid.vertices.size()) -
                     static_cast<std::ptrdiff_t>(solid.edges.size()) + solid.n_faces();
  require(euler == 2, "vertices", "the convex hull does not close");
}

void find_edge_directions(ConvexPolyhedron& solid) {
  DirectionIndex known;
  for (const ConvexPolyhedron::Edge& edge : solid.edges) {
    const Vector3 direction = (solid.vertices[static_cast<std::size_t>(edge.vertex_1)] -
                               solid.vertices[static_cast<std::size_t>(edge.vertex_0)])
                                  .normalized();
    if (known.find(direction, parallel_tolerance) >= 0) continue;
    known.add(direction);
    solid.edge_directions.push_back(direction);
  }
}

// Planes, areas, edges and size of a polyhedron whose vertices and loops are set.
void complete(ConvexPolyhedron& solid) {
  for (std::size_t f = 0; f + 1 < solid.face_begin.size(); ++f) {
    const std::span<const std::int32_t> loop(
        solid.face_vertices.data() + solid.face_begin[f],
        static_cast<std::size_t>(solid.face_begin[f + 1] - solid.face_begin[f]));
    const Vector3 twice_area = newell_vector(solid.vertices, loop);
    const Vector3 normal = twice_area.normalized();
    double offset = 0.0;
    for (const std::int32_t v : loop)
      offset += normal.dot(solid.vertices[static_cast<std::size_t>(v)]);
    solid.face_normal.push_back(normal);
    solid.face_offset.push_back(offset / static_cast<double>(loop.size()));
    solid.face_area.push_back(0.5 * twice_area.norm());
  }
  find_edges(solid);
  find_edge_directions(solid);
  solid.size = point_set_diameter(solid.vertices);
}

void check_points(std::span<const Vector3> points) {
  require(points.size() >= 4, "vertices", "a polyhedron needs at least 4 points");
  double size = 0.0;
  for (const Vector3& p : points) {
    for (int i = 0; i < 3; ++i) {
      require(is_admitted_coordinate(p(i)), "vertices",
              std::string("coordinates must be numbers ") + admitted_coordinate);
    }
    size = std::max(size, (p - points[0]).norm());
  }
  require_within(admitted_length, size, "vertices", "a size of");
}

// Points about one of them and about as large as 1, for which nothing overflows and nothing is lost
// far from the origin.
struct LocalPoints {
  Vector3 origin;
  double unit = 1.0;  // [m] a power of two
  std::vector<Vector3> points;
};

LocalPoints localised(std::span<const Vector3> points) {
  LocalPoints local{points[0], 1.0, {points.begin(), points.end()}};
  double largest = 0.0;
  for (Vector3& p : local.points) {
    p -= local.origin;
    largest = std::max(largest, p.cwiseAbs().maxCoeff());
  }
  local.unit = std::exp2(std::ceil(std::log2(largest)));
  for (Vector3& p : local.points) p /= local.unit;
  return local;
}

// Leaves the corners of the triangles alone, numbered in the order of the points they are among;
// `given`: those points.
void keep_corners(std::span<const Vector3> points, std::vector<HullTriangle>& triangles,
                  std::vector<std::int32_t>& given, std::vector<Vector3>& corners) {
  std::vector<std::int32_t> number(points.size(), -1);
  for (const HullTriangle& triangle : triangles) {
    for (const std::int32_t v : triangle.corner) number[static_cast<std::size_t>(v)] = 0;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = static_cast<std::int32_t>(given.size());
    given.push_back(static_cast<std::int32_t>(i));
    corners.push_back(points[i]);
  }
  for (HullTriangle& triangle : triangles) {
    for (std::int32_t& v : triangle.corner) v = number[static_cast<std::size_t>(v)];
  }
}

std::vector<HullLoop> as_loops(std::span<const HullTriangle> triangles) {
  std::vector<HullLoop> loops;
  for (const HullTriangle& triangle : triangles)
    loops.emplace_back(triangle.corner.begin(), triangle.corner.end());
  return loops;
}

double volume_of(std::span<const Vector3> points, std::span<const HullLoop> faces) {
  double volume = 0.0;
  for (const HullLoop& face : faces) {
    volume +=
        newell_vector(points, face).dot(points[static_cast<std::size_t>(face[0])] - points[0]) /
        6.0;
  }
  return volume;
}

// Depth of the points below the largest of the triangles.
double thickness(std::span<const Vector3> points, std::span<const HullTriangle> triangles) {
  Vector3 largest = Vector3::Zero(), on_plane = Vector3::Zero();
  for (const HullTriangle& triangle : triangles) {
    const Vector3 area = newell_vector(points, triangle.corner);
    if (area.squaredNorm() <= largest.squaredNorm()) continue;
    largest = area;
    on_plane = points[static_cast<std::size_t>(triangle.corner[0])];
  }
  double depth = 0.0;
  for (const Vector3& p : points) depth = std::max(depth, largest.normalized().dot(on_plane - p));
  return depth;
}

std::size_t corners_to_flatten(std::span<const HullLoop> faces) {
  std::size_t n = 0;
  for (const HullLoop& face : faces) n += face.size() > 3 ? face.size() : 0;
  return n;
}

struct Hull {
  std::vector<Vector3> points;  // all; corners that were moved are
  std::vector<HullLoop> faces;
  double moved = 0.0;
};

// Faces merged and flat. A tolerance that is too large for the shape gives no polyhedron or one
// that is not convex; then smaller ones are tried, and at last the triangles stand as they are.
Hull flat_hull(const std::vector<Vector3>& points, std::span<const HullTriangle> triangles,
               double size) {
  constexpr double least_tolerance = 1e-10;
  // The facets of a dense scan are smaller than the tolerance is meant for: on a ball, those of
  // 10,000 corners turn by so little that most of them would merge.
  constexpr std::size_t dense = 10000, most_corners = 20000;
  const bool is_dense = points.size() > dense;
  const double first = is_dense ? dense_tolerance : coplanar_tolerance,
               ratio = is_dense ? 100.0 : 10.0;
  for (double tolerance = first; tolerance >= 0.5 * least_tolerance; tolerance /= ratio) {
    Hull hull{points, merged_faces(points, triangles, tolerance * size), 0.0};
    if (hull.faces.empty() || corners_to_flatten(hull.faces) > most_corners) continue;
    hull.moved = make_flat(hull.faces, hull.points);
    if (hull.moved <= 4.0 * tolerance * size && is_convex(hull.faces, hull.points)) return hull;
  }
  return {points, as_loops(triangles), 0.0};
}

// The points that are corners of a face, in their order, and the faces in terms of them.
ConvexPolyhedron corners_and_loops(std::span<const Vector3> points,
                                   std::span<const HullLoop> faces) {
  std::vector<std::int32_t> number(points.size(), -1);
  for (const HullLoop& loop : faces) {
    for (const std::int32_t i : loop) number[static_cast<std::size_t>(i)] = 0;
  }
  ConvexPolyhedron solid;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = static_cast<std::int32_t>(solid.vertices.size());
    solid.vertices.push_back(points[i]);
  }
  solid.face_begin.push_back(0);
  for (const HullLoop& loop : faces) {
    for (const std::int32_t i : loop)
      solid.face_vertices.push_back(number[static_cast<std::size_t>(i)]);
    solid.face_begin.push_back(static_cast<std::int32_t>(solid.face_vertices.size()));
  }
  return solid;
}

}  // namespace

ConvexPolyhedron make_box(const Vector3& sides) {
  for (int i = 0; i < 3; ++i) require_within(admitted_length, sides(i), "sides", "a side of");
  ConvexPolyhedron box;
  box.is_box = true;
  const Vector3 half = 0.5 * sides;
  for (int i = 0; i < 8; ++i) {
    box.vertices.emplace_back((i & 1) != 0 ? half.x() : -half.x(),
                              (i & 2) != 0 ? half.y() : -half.y(),
                              (i & 4) != 0 ? half.z() : -half.z());
  }
  box.face_begin = {0, 4, 8, 12, 16, 20, 24};
  for (const auto& face : box_faces)
    box.face_vertices.insert(box.face_vertices.end(), face.begin(), face.end());
  complete(box);
  return box;
}

ConvexPolyhedron make_convex_polyhedron(std::span<const Vector3> points) {
  check_points(points);
  const LocalPoints local = localised(points);
  // Only corners of the exact hull matter from here on.
  std::vector<std::int32_t> given;
  std::vector<Vector3> corners;
  std::vector<HullTriangle> triangles = hull_triangles(local.points);
  const std::string flat = "all points lie in one plane; a polyhedron needs a volume";
  require(!triangles.empty(), "vertices", flat);
  keep_corners(local.points, triangles, given, corners);
  const double size = point_set_diameter(corners);
  require(thickness(corners, triangles) > least_thickness * size, "vertices", flat);

  const double volume = volume_of(corners, as_loops(triangles));
  Hull hull = flat_hull(corners, triangles, size);
  const double change = volume_of(hull.points, hull.faces) / volume - 1.0;
  const bool is_far = local.origin.cwiseAbs().maxCoeff() > far_away * size * local.unit;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector3& at_start = points[static_cast<std::size_t>(given[i])];
    const bool stays = hull.points[i] == corners[i];
    hull.points[i] *= local.unit;
    if (!is_far) hull.points[i] = stays ? at_start : Vector3(hull.points[i] + local.origin);
  }
  ConvexPolyhedron solid = corners_and_loops(hull.points, hull.faces);
  if (is_far) solid.origin = local.origin;
  solid.change = {hull.moved * local.unit, change};
  complete(solid);
  return solid;
}

ConvexPolyhedron ConvexPolyhedron::in_axes(const AxesChange& axes) const {
  ConvexPolyhedron moved = *this;
  // Far from the drawing's origin the corners are small numbers about one of their own, and stay
  // so.
  const Vector3 shift = origin - axes.origin();
  for (Vector3& v : moved.vertices) v = axes.direction(v + shift);
  moved.origin.setZero();
  for (Vector3& d : moved.edge_directions) d = axes.direction(d);
  for (std::int32_t f = 0; f < moved.n_faces(); ++f) {
    const auto face = static_cast<std::size_t>(f);
    moved.face_normal[face] = axes.direction(moved.face_normal[face]);
    double offset = 0.0;
    for (const std::int32_t v : moved.face(f)) {
      offset += moved.face_normal[face].dot(moved.vertices[static_cast<std::size_t>(v)]);
    }
    moved.face_offset[face] = offset / static_cast<double>(moved.face(f).size());
  }
  return moved;
}

void ConvexPolyhedron::check(const std::string& field) const {
  require(!vertices.empty(), field, "the polyhedron is empty");
}

double ConvexPolyhedron::thinnest() const {
  const ConvexPolyhedron& solid = *this;
  Vector3 low = solid.vertices.front(), high = low;
  for (const Vector3& vertex : solid.vertices) {
    low = low.cwiseMin(vertex);
    high = high.cwiseMax(vertex);
  }
  double least = (high - low).minCoeff();
  if (solid.is_box || solid.face_normal.size() * solid.vertices.size() > most_products)
    return least;
  for (std::size_t f = 0; f < solid.face_normal.size(); ++f) {
    double depth = 0.0;
    for (const Vector3& vertex : solid.vertices) {
      depth = std::max(depth, solid.face_offset[f] - solid.face_normal[f].dot(vertex));
    }
    least = std::min(least, depth);
  }
  return least;
}

// Of tetrahedra about an inner point.
MassProperties ConvexPolyhedron::integrals() const {
  const ConvexPolyhedron& solid = *this;
  Vector3 o = Vector3::Zero();
  for (const Vector3& v : solid.vertices) o += v / static_cast<double>(solid.vertices.size());
  VolumeIntegrals sums;
  for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
    const auto loop = solid.face(f);
    const auto corner = [&](std::size_t i) -> Vector3 {
      return solid.vertices[static_cast<std::size_t>(loop[i])] - o;
    };
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) sums.add(corner(0), corner(i), corner(i + 1));
  }
  MassProperties result = sums.about(o);
  result.centre += solid.origin;
  return result;
}

}  // namespace scree
