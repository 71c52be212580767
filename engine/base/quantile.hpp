// The one definition of a quantile in this program.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace scree {

// Nearest rank: the smallest of the values that at least `share` (in (0, 1]) of them do not exceed;
// the median of an even number of values is the lower of the two in the middle. NaN when there are
// none.
template <class Value>
double quantile(std::vector<Value> values, double share) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  // Round-off of share * n must not reach the next rank.
  const auto rank =
      static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()) - 1e-9));
  const auto at = static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(rank, 1, values.size()) - 1);
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return static_cast<double>(values[static_cast<std::size_t>(at)]);
}

}  // namespace scree
