#pragma once

#include <limits>

namespace scree {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace scree
