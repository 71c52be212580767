// A block broken into the cells of a random Voronoi tessellation.
#pragma once

#include <cstdint>
#include <vector>

#include "scenes/generate/grain_shapes.hpp"

namespace scree {

// Corners of `count` >= 1 cells [m] that fill the block [0, sides], each the points nearest to one
// of `count` random points.
std::vector<Corners> voronoi_fragments(const Vector3& sides, int count, std::uint64_t seed);

}  // namespace scree
