#pragma once

#include <limits>

namespace scree::study {

// What a column holds where a member has no such number.
inline constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace scree::study
