// Polygons that a scene gives by their corners.
#pragma once

#include <string>
#include <vector>

#include "scenes/read/table_reader.hpp"

namespace scree::scenes {

struct PolygonPlane {
  Vector3 point = Vector3::Zero();   // [m] middle of the corners
  Vector3 normal = Vector3::Zero();  // that the corners turn about
};

// The plane of a polygon, the value of `key`. Throws InputError when there are fewer than three
// corners, when they lie in no one plane, and when the border has no inside: it crosses or touches
// itself, or goes around no area.
PolygonPlane read_polygon_plane(const TableReader& reader, const char* key,
                                const std::vector<Vector3>& corners);

}  // namespace scree::scenes
