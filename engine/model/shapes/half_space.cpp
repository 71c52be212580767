#include "engine/model/shapes/half_space.hpp"

#include <cmath>

#include "engine/base/check.hpp"
#include "engine/base/limits.hpp"

namespace scree {

void HalfSpace::check(const std::string& field) const {
  require(is_admitted_coordinate(offset), field,
          std::string("the offset must be a number ") + admitted_coordinate);
  require(normal.allFinite(), field, "the normal must be finite");
  require(std::abs(normal.norm() - 1.0) < 1e-9, field, "the normal must have length 1");
}

}  // namespace scree
