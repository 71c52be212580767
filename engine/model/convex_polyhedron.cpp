#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "engine/model/check.hpp"
#include "engine/model/convex_hull.hpp"
#include "engine/model/limits.hpp"
#include "engine/model/shapes.hpp"

namespace scree {
namespace {

constexpr double coplanar_tolerance = 1e-10;  // [-] of the diameter: far above round-off, far below a real step
constexpr double parallel_tolerance = 1e-12;  // [rad] edges of one direction: round-off only

// Edges from the loops. face_0 is the face that runs along the edge from vertex_0 to vertex_1, so that
// normal_0 x normal_1 points along the edge.
void find_edges(ConvexPolyhedron& solid) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> face_of_edge;
  for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
    const auto loop = solid.face(f);
    for (std::size_t i = 0; i < loop.size(); ++i) face_of_edge[{loop[i], loop[(i + 1) % loop.size()]}] = f;
  }
  for (const auto& entry : face_of_edge) {
    const std::int32_t u = entry.first.first, v = entry.first.second;
    const auto twin = face_of_edge.find({v, u});
    require(twin != face_of_edge.end(), "vertices", "the convex hull does not close");
    if (u < v) solid.edges.push_back({u, v, entry.second, twin->second});
  }
  const auto euler = static_cast<std::ptrdiff_t>(solid.vertices.size()) -
                     static_cast<std::ptrdiff_t>(solid.edges.size()) + solid.n_faces();
  require(euler == 2, "vertices", "the convex hull does not close");
}

void find_edge_directions(ConvexPolyhedron& solid) {
  for (const ConvexPolyhedron::Edge& edge : solid.edges) {
    const Vector3 direction = (solid.vertices[static_cast<std::size_t>(edge.vertex_1)] -
                               solid.vertices[static_cast<std::size_t>(edge.vertex_0)]).normalized();
    const bool known = std::any_of(solid.edge_directions.begin(), solid.edge_directions.end(),
                                   [&](const Vector3& d) { return d.cross(direction).norm() < parallel_tolerance; });
    if (!known) solid.edge_directions.push_back(direction);
  }
}

// Planes, areas, edges and size of a polyhedron whose vertices and loops are set.
void complete(ConvexPolyhedron& solid) {
  for (std::size_t f = 0; f + 1 < solid.face_begin.size(); ++f) {
    const std::span<const std::int32_t> loop(solid.face_vertices.data() + solid.face_begin[f],
                                             static_cast<std::size_t>(solid.face_begin[f + 1] - solid.face_begin[f]));
    const Vector3 twice_area = newell_vector(solid.vertices, loop);
    const Vector3 normal = twice_area.normalized();
    double offset = 0.0;
    for (const std::int32_t v : loop) offset += normal.dot(solid.vertices[static_cast<std::size_t>(v)]);
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
      require(is_admitted_coordinate(p(i)), "vertices", std::string("coordinates must be numbers ") + admitted_coordinate);
    }
    size = std::max(size, (p - points[0]).norm());
  }
  require_within(admitted_length, size, "vertices", "a size of");
}

void check_distinct(std::span<const Vector3> points, double tolerance) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      require((points[i] - points[j]).norm() > tolerance, "vertices",
              "points " + std::to_string(j) + " and " + std::to_string(i) + " coincide; must be more than 1e-10 of the size apart");
    }
  }
}

}  // namespace

ConvexPolyhedron make_box(const Vector3& sides) {
  for (int i = 0; i < 3; ++i) require_within(admitted_length, sides(i), "sides", "a side of");
  ConvexPolyhedron box;
  box.is_box = true;
  const Vector3 half = 0.5 * sides;
  for (int i = 0; i < 8; ++i) {
    box.vertices.emplace_back((i & 1) != 0 ? half.x() : -half.x(), (i & 2) != 0 ? half.y() : -half.y(),
                              (i & 4) != 0 ? half.z() : -half.z());
  }
  box.face_begin = {0, 4, 8, 12, 16, 20, 24};
  box.face_vertices = {0, 4, 6, 2,   // -x
                       1, 3, 7, 5,   // +x
                       0, 1, 5, 4,   // -y
                       2, 6, 7, 3,   // +y
                       0, 2, 3, 1,   // -z
                       4, 5, 7, 6};  // +z
  complete(box);
  return box;
}

ConvexPolyhedron make_convex_polyhedron(std::span<const Vector3> points) {
  check_points(points);
  std::vector<Vector3> local(points.begin(), points.end());  // about the first point: no loss far from the origin
  for (Vector3& p : local) p -= points[0];
  const double tolerance = coplanar_tolerance * point_set_diameter(local);
  check_distinct(local, tolerance);
  const std::vector<HullLoop> faces = convex_hull_faces(local, tolerance);

  std::vector<std::int32_t> new_index(points.size(), -1);
  for (const HullLoop& loop : faces) {
    for (const std::int32_t i : loop) new_index[static_cast<std::size_t>(i)] = 0;
  }
  ConvexPolyhedron solid;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (new_index[i] < 0) continue;
    new_index[i] = static_cast<std::int32_t>(solid.vertices.size());
    solid.vertices.push_back(points[i]);
  }
  solid.face_begin.push_back(0);
  for (const HullLoop& loop : faces) {
    for (const std::int32_t i : loop) solid.face_vertices.push_back(new_index[static_cast<std::size_t>(i)]);
    solid.face_begin.push_back(static_cast<std::int32_t>(solid.face_vertices.size()));
  }
  complete(solid);
  return solid;
}

}  // namespace scree
