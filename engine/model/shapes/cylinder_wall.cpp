#include "engine/model/shapes/cylinder_wall.hpp"

#include <cmath>

#include "engine/base/check.hpp"
#include "engine/base/limits.hpp"

namespace scree {

void CylinderWall::check(const std::string& field) const {
  require_within(admitted_length, radius, field, "radius");
  require_near(point, field, "the point on the axis");
  require(std::abs(axis.norm() - 1.0) < 1e-9, field, "the axis must have length 1");
  require(bottom < top, field, "bottom must be below top [m]");
}

}  // namespace scree
