#include "engine/base/limits.hpp"

#include <array>
#include <cstdio>

namespace scree {

void require_within(const AdmittedRange& range, double value, const std::string& field,
                    const std::string& what) {
  if (range.contains(value)) return;
  std::array<char, 32> number{};
  std::snprintf(number.data(), number.size(), "%g", value);
  throw InputError(field + ": " + what + " " + number.data() + " is not allowed; must be " +
                   range.text);
}

}  // namespace scree
