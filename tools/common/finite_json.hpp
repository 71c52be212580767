// Numbers of JSON, which knows neither infinities nor NaN.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace scree {

// null of what is not finite.
inline nlohmann::ordered_json finite_json(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

}  // namespace scree
