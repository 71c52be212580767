// Where bodies of a periodic world would be, had they gone on from the start without leaving the
// cell. Frames hold their places in the cell and the periods gone (engine/RESULTS.md).
#pragma once

#include "engine/files/result_reader.hpp"
#include "engine/model/cell.hpp"

namespace scree {

// [m] map coordinates; the position itself where the world is not periodic.
inline Vector3 path_of(const Cell& cell, const ResultFrame& frame, std::size_t body) {
  if (frame.image.empty()) return frame.position[body];
  return frame.position[body] + cell.offset(frame.image[body], frame.image_shift);
}

}  // namespace scree
