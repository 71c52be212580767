#include "engine/model/shapes/sphere.hpp"

#include <numbers>

#include "engine/base/limits.hpp"

namespace scree {

void Sphere::check(const std::string& field) const {
  require_within(admitted_length, radius, field, "radius");
  require_near(centre, field, "the sphere's centre");
}

MassProperties Sphere::integrals() const {
  const double r = radius;
  MassProperties result;
  result.volume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  result.centre = centre;
  result.inertia = 0.4 * result.volume * r * r * Matrix3::Identity();
  return result;
}

}  // namespace scree
