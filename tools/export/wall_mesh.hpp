// A cylinder wall as faces that look inwards: renderers that leave out what is seen from behind
// show its far side and let one look in.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "engine/files/result_reader.hpp"

namespace scree {

struct WallMesh {
  std::vector<Vector3> points;                     // [m] user axes of the body
  std::vector<std::array<std::int32_t, 4>> faces;  // counter-clockwise seen from the axis
};

// Without an end the wall is cut `size` [m] from its own point.
inline WallMesh cylinder_wall_mesh(const ResultShape& wall, double size) {
  constexpr std::int32_t sectors = 96;
  const Vector3 axis = wall.normal.normalized();
  const Vector3 helper = std::abs(axis.x()) < 0.9 ? Vector3::UnitX() : Vector3::UnitY();
  const Vector3 s = axis.cross(helper).normalized(), t = axis.cross(s);
  WallMesh mesh;
  const double low = std::isfinite(wall.bottom) ? wall.bottom : -size,
               high = std::isfinite(wall.top) ? wall.top : size;
  for (const double height : {low, high}) {
    for (std::int32_t i = 0; i < sectors; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / sectors;
      mesh.points.push_back(wall.centre + height * axis +
                            wall.radius * (std::cos(angle) * s + std::sin(angle) * t));
    }
  }
  for (std::int32_t i = 0; i < sectors; ++i) {
    const std::int32_t next = (i + 1) % sectors;
    mesh.faces.push_back({next, i, sectors + i, sectors + next});
  }
  return mesh;
}

}  // namespace scree
