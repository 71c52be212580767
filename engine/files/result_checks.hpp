// What must hold in a result file before others follow its indices: numbers have no checksum there.
// Private to the result reader.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "engine/base/hdf5_file.hpp"
#include "engine/files/result_reader.hpp"
#include "engine/model/shapes/shapes.hpp"

namespace scree {

inline void check(bool right, const std::string& name, const char* what) {
  if (!right) throw h5::Error(name + ": " + what);
}

// Indices that others are found by: a file that was changed must not lead out of them.
inline void check_indices(const std::vector<std::int32_t>& indices, std::size_t count,
                          const std::string& name) {
  const auto inside = [count](std::int32_t i) {
    return i >= 0 && static_cast<std::size_t>(i) < count;
  };
  check(std::all_of(indices.begin(), indices.end(), inside), name, "an index that there is not");
}

// Begins of stretches of `count` entries, and their end.
inline void check_begins(const std::vector<std::int32_t>& begins, std::size_t count,
                         const std::string& name) {
  const bool whole =
      !begins.empty() && begins.front() == 0 && static_cast<std::size_t>(begins.back()) == count;
  check(whole && std::is_sorted(begins.begin(), begins.end()), name,
        "not stretches one after the other");
}

inline bool is_solid(const ResultShape& shape) {
  return shape.kind == "box" || shape.kind == "polyhedron" || shape.kind == "compound";
}

inline void check_shape(const ResultShape& shape, const std::string& group) {
  const auto is_kind = [&](std::initializer_list<const char*> kinds) {
    return std::find(kinds.begin(), kinds.end(), shape.kind) != kinds.end();
  };
  check(is_kind({"box", "polyhedron", "compound"}) ||
            shape.kind == shape_kind(shape_named(shape.kind)),
        group + "/kind", "a kind of shape that this program does not know");
  check(
      !is_kind({"sphere", "cylinder_wall"}) || (std::isfinite(shape.radius) && shape.radius > 0.0),
      group + "/radius", "must be a finite number > 0");
  check(!is_kind({"half_space", "cylinder_wall"}) ||
            (shape.normal.allFinite() && !shape.normal.isZero(0.0)),
        group + "/normal", "must be a direction");
  check(shape.centre.allFinite() && std::isfinite(shape.offset), group,
        "holds a number that is not finite");
  check(std::all_of(shape.vertices.begin(), shape.vertices.end(),
                    [](const Vector3& v) { return v.allFinite(); }),
        group + "/vertices", "holds a number that is not finite");
  check(!is_solid(shape) || (shape.vertices.size() >= 4 && shape.face_begin.size() > 4),
        group + "/vertices", "not those of a solid");
  check(shape.kind != "points" || !shape.vertices.empty(), group + "/vertices", "there are none");
  check(shape.kind != "compound" || !shape.part_face_begin.empty(), group + "/part_face_begin",
        "there is none");
  check_indices(shape.faces, shape.vertices.size(), group + "/faces");
  if (!shape.faces.empty() || !shape.face_begin.empty())
    check_begins(shape.face_begin, shape.faces.size(), group + "/face_begin");
  if (!shape.part_face_begin.empty())
    check_begins(shape.part_face_begin, shape.face_begin.size() - 1, group + "/part_face_begin");
}

}  // namespace scree
