// The outer surface of a body that is made of convex parts.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/files/result_reader.hpp"

namespace scree {

struct OuterSurface {
  std::vector<Vector3> vertices;                 // [m]
  std::vector<std::vector<std::int32_t>> faces;  // counter-clockwise from outside, not all convex
  std::size_t shells = 1;                        // closed surfaces that share no edge
  bool closed = true;                            // every edge belongs to two faces, one each way
};

// Faces within other parts, and where parts lie on each other, are left out; pieces of one flat
// face are one, and vertices that only split straight edges are gone. Parts that miss each other or
// overlap by up to 1e-5 of the size, as rounding leaves them, touch. Where parts only touch at
// edges, or lie apart, it is the surface of all. Not closed: the parts as they are, when what they
// have in common can't be told within that.
OuterSurface outer_surface(const ResultShape& shape);

}  // namespace scree
