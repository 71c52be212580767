// Positions in files and tables are 32 bits wide and may be -1, "none"; vectors want std::size_t.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scree {

inline std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace scree
