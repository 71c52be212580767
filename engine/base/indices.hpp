// Identity is an index, never a pointer.
#pragma once

#include <cstdint>

namespace scree {

using BodyIndex = std::int32_t;
using ShapeIndex = std::int32_t;
using MaterialIndex = std::int32_t;
using ContactIndex = std::int32_t;

}  // namespace scree
