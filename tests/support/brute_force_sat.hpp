// Reference for the collision tests: separating axes by brute force, written without any of the
// collision code. Every face normal and every cross product of two edges, both ways, by projection
// of all vertices.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/model/shapes/shapes.hpp"

namespace scree::test {

struct Solid {
  std::vector<Vector3> vertices, normals, edges;
};

inline Solid moved_solid(const ConvexPolyhedron& shape, const Pose& pose) {
  Solid solid;
  for (const Vector3& v : shape.vertices) solid.vertices.push_back(pose * v);
  for (std::int32_t f = 0; f < shape.n_faces(); ++f) {
    const auto loop = shape.face(f);
    Vector3 n = Vector3::Zero();
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vector3& v = solid.vertices[static_cast<std::size_t>(loop[i])];
      const Vector3& w = solid.vertices[static_cast<std::size_t>(loop[(i + 1) % loop.size()])];
      n += (v - pose.x).cross(w - pose.x);
    }
    solid.normals.push_back(n.normalized());
  }
  for (const auto& e : shape.edges) {
    solid.edges.push_back(solid.vertices[static_cast<std::size_t>(e.vertex_1)] -
                          solid.vertices[static_cast<std::size_t>(e.vertex_0)]);
  }
  return solid;
}

// Separation along n, from a to b (negative: overlap).
inline double projected_separation(const Solid& a, const Solid& b, const Vector3& n) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vector3& v : b.vertices) low = std::min(low, n.dot(v));
  for (const Vector3& v : a.vertices) high = std::max(high, n.dot(v));
  return low - high;
}

// Largest separation over all axes. Nearly parallel edges have no axis.
inline double brute_force_separation(const Solid& a, const Solid& b) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Vector3& n : a.normals) best = std::max(best, projected_separation(a, b, n));
  for (const Vector3& n : b.normals) best = std::max(best, projected_separation(a, b, -n));
  for (const Vector3& e : a.edges) {
    for (const Vector3& g : b.edges) {
      const Vector3 cross = e.cross(g);
      if (cross.norm() < 1e-5 * e.norm() * g.norm()) continue;
      const Vector3 n = cross.normalized();
      best = std::max({best, projected_separation(a, b, n), projected_separation(a, b, -n)});
    }
  }
  return best;
}

// Largest height of a point over the face planes: 0 on the surface, negative inside.
inline double height_over_surface(const ConvexPolyhedron& shape, const Pose& pose,
                                  const Vector3& point) {
  const Vector3 local = pose.q.conjugate() * (point - pose.x);
  double height = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < shape.face_normal.size(); ++f) {
    height = std::max(height, shape.face_normal[f].dot(local) - shape.face_offset[f]);
  }
  return height;
}

}  // namespace scree::test
