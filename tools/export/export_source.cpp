#include "tools/export/export_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tools/export/wall_mesh.hpp"

namespace scree {
namespace {

// The directions of a sphere's mesh: rings between two poles.
Mesh sphere_mesh(double radius, const Vector3& centre) {
  constexpr std::int32_t rings = 11, sectors = 24;
  Mesh mesh;
  mesh.points.push_back(centre - radius * Vector3::UnitZ());
  for (std::int32_t r = 1; r <= rings; ++r) {
    const double latitude = std::numbers::pi * (static_cast<double>(r) / (rings + 1) - 0.5);
    for (std::int32_t s = 0; s < sectors; ++s) {
      const double angle = 2.0 * std::numbers::pi * s / sectors;
      mesh.points.push_back(centre + radius * Vector3(std::cos(latitude) * std::cos(angle),
                                                      std::cos(latitude) * std::sin(angle),
                                                      std::sin(latitude)));
    }
  }
  mesh.points.push_back(centre + radius * Vector3::UnitZ());
  const auto at = [](std::int32_t ring, std::int32_t sector) {
    return 1 + (ring - 1) * sectors + sector % sectors;
  };
  const std::int32_t top = 1 + rings * sectors;
  for (std::int32_t s = 0; s < sectors; ++s) {
    mesh.faces.push_back({0, at(1, s + 1), at(1, s)});
    for (std::int32_t r = 1; r < rings; ++r)
      mesh.faces.push_back({at(r, s), at(r, s + 1), at(r + 1, s + 1), at(r + 1, s)});
    mesh.faces.push_back({at(rings, s), at(rings, s + 1), top});
  }
  return mesh;
}

Mesh square_mesh(const Vector3& normal, double offset, double half_side) {
  const Vector3 n = normal.normalized();
  const Vector3 helper = std::abs(n.x()) < 0.9 ? Vector3::UnitX() : Vector3::UnitY();
  const Vector3 s = half_side * n.cross(helper).normalized(),
                t = half_side * s.normalized().cross(n);
  const Vector3 middle = offset * n;
  Mesh mesh;
  mesh.points = {middle - s - t, middle - s + t, middle + s + t, middle + s - t};
  mesh.faces = {{0, 1, 2, 3}};
  if ((mesh.points[1] - mesh.points[0]).cross(mesh.points[2] - mesh.points[1]).dot(n) < 0.0)
    mesh.faces = {{3, 2, 1, 0}};
  return mesh;
}

// Points have no surface: an octahedron at each.
Mesh points_mesh(const std::vector<Vector3>& points) {
  double size = 0.0;
  for (const Vector3& point : points) size = std::max(size, point.norm());
  const double r = size > 0.0 ? 0.06 * size : 0.01;
  Mesh mesh;
  for (const Vector3& point : points) {
    const auto b = static_cast<std::int32_t>(mesh.points.size());
    for (int axis = 0; axis < 3; ++axis) {
      for (const double sign : {1.0, -1.0})
        mesh.points.push_back(point + sign * r * Vector3::Unit(axis));
    }
    for (const auto& [x, y, z, even] :
         {std::array{0, 2, 4, 1}, std::array{1, 2, 4, 0}, std::array{0, 3, 4, 0},
          std::array{0, 2, 5, 0}, std::array{1, 3, 4, 1}, std::array{1, 2, 5, 1},
          std::array{0, 3, 5, 1}, std::array{1, 3, 5, 0}}) {
      if (even == 1)
        mesh.faces.push_back({b + x, b + y, b + z});
      else
        mesh.faces.push_back({b + y, b + x, b + z});
    }
  }
  return mesh;
}

Mesh wall_mesh(const ResultShape& shape, double scene_size) {
  const WallMesh wall = cylinder_wall_mesh(shape, scene_size);
  Mesh mesh{wall.points, {}};
  for (const auto& face : wall.faces) mesh.faces.emplace_back(face.begin(), face.end());
  return mesh;
}

Mesh shape_mesh(const ResultShape& shape, double scene_size) {
  if (shape.kind == "sphere") return sphere_mesh(shape.radius, shape.centre);
  if (shape.kind == "half_space") return square_mesh(shape.normal, shape.offset, scene_size);
  if (shape.kind == "cylinder_wall") return wall_mesh(shape, scene_size);
  if (shape.kind == "points") return points_mesh(shape.vertices);
  Mesh mesh{shape.vertices, {}};
  for (std::size_t f = 0; f + 1 < shape.face_begin.size(); ++f) {
    mesh.faces.emplace_back(shape.faces.begin() + shape.face_begin[f],
                            shape.faces.begin() + shape.face_begin[f + 1]);
  }
  return mesh;
}

// Farthest that a body is from any fixed body's origin, at both ends of the run: a square of this
// half side lies under all.
double scene_size(const ResultReader& results, const ResultBodies& bodies) {
  double size = 1.0;
  if (results.n_frames() == 0) return size;
  for (const std::int64_t index : {std::int64_t{0}, results.n_frames() - 1}) {
    const ResultFrame frame = results.frame(index);
    for (std::size_t f = 0; f < bodies.fixed.size(); ++f) {
      if (bodies.fixed[f] == 0) continue;
      for (const Vector3& x : frame.position)
        size = std::max(size, 1.2 * (x - frame.position[f]).norm());
    }
  }
  return size;
}

}  // namespace

std::size_t Mesh::corners() const {
  std::size_t count = 0;
  for (const auto& face : faces) count += face.size();
  return count;
}

ExportSource make_source(const ResultReader& results, std::vector<std::int64_t> frames) {
  ExportSource source{results, std::move(frames), results.bodies(), {}, results.dt(), {}};
  const double size = scene_size(results, source.bodies);
  for (const ResultShape& shape : results.shapes())
    source.meshes.push_back(shape_mesh(shape, size));
  const std::vector<double> times = results.frame_times();
  for (const std::int64_t frame : source.frames)
    source.times.push_back(times.at(static_cast<std::size_t>(frame)));
  return source;
}

Vector3 place(const ResultFrame& frame, std::size_t body, const Vector3& point) {
  return frame.orientation[body] * point + frame.position[body];
}

}  // namespace scree
