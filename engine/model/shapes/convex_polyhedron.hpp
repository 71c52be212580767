// Convex polyhedron with exact topology. Coplanar facets are merged into one polygonal face. A box
// has exactly the size its user gave: no margins, no rounding.
#pragma once

#include <array>
#include <cstdint>

#include "engine/model/shapes/shape.hpp"

namespace scree {

// Faces of a box, counter-clockwise seen from outside: -x, +x, -y, +y, -z, +z. Bit 0 of a corner's
// number says whether it is at the upper end of x, bit 1 of y, bit 2 of z.
inline constexpr std::array<std::array<std::int32_t, 4>, 6> box_faces = {
    {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};

// What was done to given points to make a polyhedron with flat faces of them.
struct HullChange {
  double moved = 0.0;   // [m] farthest that a vertex was moved so that merged faces are flat
  double volume = 0.0;  // [-] relative change of the volume
};

struct ConvexPolyhedron {
  struct Edge {
    std::int32_t vertex_0 = 0, vertex_1 = 0;  // vertex_0 < vertex_1
    std::int32_t face_0 = 0, face_1 = 0;      // the two faces that share it
  };

  std::vector<Vector3> vertices;            // [m]
  std::vector<std::int32_t> face_begin;     // [n_faces + 1] into face_vertices
  std::vector<std::int32_t> face_vertices;  // loops, counter-clockwise seen from outside
  std::vector<Vector3> face_normal;         // [n_faces] unit, outward
  std::vector<double> face_offset;          // [m] face plane: normal . x = offset
  std::vector<double> face_area;            // [m2]
  std::vector<Edge> edges;
  std::vector<Vector3> edge_directions;  // distinct unit edge directions (parallel edges once)
  double size = 0.0;                     // [m] largest distance between two vertices
  bool is_box = false;  // made from three side lengths; faces stay axis-aligned in user axes
  Vector3 origin =
      Vector3::Zero();  // [m] of the coordinates above in the axes of the drawing: not zero for a
                        // hull drawn far from its origin, until in_axes has taken it up
  HullChange change;    // against the hull of the points that were given

  std::int32_t n_faces() const { return static_cast<std::int32_t>(face_normal.size()); }
  std::span<const std::int32_t> face(std::int32_t f) const {
    const auto begin = static_cast<std::size_t>(face_begin[static_cast<std::size_t>(f)]);
    const auto end = static_cast<std::size_t>(face_begin[static_cast<std::size_t>(f) + 1]);
    return {face_vertices.data() + begin, end - begin};
  }

  static constexpr bool wall = false;

  const char* kind() const { return is_box ? "box" : "polyhedron"; }
  std::span<const Vector3> placed_points() const { return vertices; }
  std::span<const Vector3> placed_normals() const { return face_normal; }
  std::span<const Vector3> placed_directions() const { return edge_directions; }
  double rounding() const { return 0.0; }
  double diameter() const { return size; }
  double bounding_radius() const { return largest_norm(vertices); }
  double thinnest() const;
  ConvexPolyhedron in_axes(const AxesChange& axes) const;
  bool same(const ConvexPolyhedron& other) const {
    return is_box == other.is_box && vertices == other.vertices && face_begin == other.face_begin &&
           face_vertices == other.face_vertices;
  }
  void check(const std::string& field) const;
  MassProperties integrals() const;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(ShapeField{"vertices", "m", "points in the user's axes, from the centre of mass"},
          self.vertices);
    visit(ShapeField{"faces", "", "vertex indices of all faces, counter-clockwise from outside"},
          self.face_vertices);
    visit(ShapeField{"face_begin", "",
                     "face i has the entries [face_begin[i], face_begin[i+1]) of faces"},
          self.face_begin);
  }
};

}  // namespace scree
