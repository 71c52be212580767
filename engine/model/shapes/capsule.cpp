#include "engine/model/shapes/capsule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/limits.hpp"

namespace scree {

void Capsule::check(const std::string& field) const {
  require_within(admitted_length, radius, field, "radius");
  require_within(admitted_length, length(), field, "length");
  for (const Vector3& end : ends) require_near(end, field, "the ends of the capsule");
}

// A cylinder of mass m_c and length L, and a ball of mass m_b cut in two. Half a ball has its
// centre of mass 3 r / 8 from its flat side, and 83 / 320 m r^2 about it.
MassProperties Capsule::integrals() const {
  const double r = radius, L = length();
  const double cylinder = std::numbers::pi * r * r * L;
  const double ball = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const Vector3 u = (ends[1] - ends[0]) / L;
  const double arm = 0.5 * L + 0.375 * r;
  const double along = 0.5 * cylinder * r * r + 0.4 * ball * r * r;
  const double across =
      cylinder * (0.25 * r * r + L * L / 12.0) + ball * (83.0 / 320.0 * r * r + arm * arm);
  MassProperties result;
  result.volume = cylinder + ball;
  result.centre = 0.5 * (ends[0] + ends[1]);
  result.inertia = across * Matrix3::Identity() + (along - across) * u * u.transpose();
  return result;
}

Vector3 Capsule::core(const Vector3& x) const {
  const Vector3 d = ends[1] - ends[0];
  return ends[0] + std::clamp(d.dot(x - ends[0]) / d.squaredNorm(), 0.0, 1.0) * d;
}

// Rings around the segment: half a ball, the mantle, half a ball.
Surface Capsule::surface() const {
  constexpr int sides = 24, rings = 6;  // a half ball has so many rings besides its pole
  const Vector3 w = (ends[1] - ends[0]).normalized();
  const Vector3 u =
      (std::abs(w.x()) < 0.9 ? Vector3::UnitX() : Vector3::UnitY()).cross(w).normalized();
  const Vector3 v = w.cross(u);
  Surface surface;
  surface.vertices.push_back(ends[0] - radius * w);
  for (int ring = 0; ring < 2 * rings; ++ring) {
    const bool upper = ring >= rings;
    const double latitude = 0.5 * std::numbers::pi *
                            (upper ? (ring - rings) / static_cast<double>(rings)
                                   : (ring + 1 - rings) / static_cast<double>(rings));
    for (int side = 0; side < sides; ++side) {
      const double angle = 2.0 * std::numbers::pi * side / sides;
      surface.vertices.push_back(ends[upper ? 1 : 0] + radius * std::sin(latitude) * w +
                                 radius * std::cos(latitude) *
                                     (std::cos(angle) * u + std::sin(angle) * v));
    }
  }
  surface.vertices.push_back(ends[1] + radius * w);
  const auto at = [](int ring, int side) { return 1 + ring * sides + side % sides; };
  const int last = static_cast<int>(surface.vertices.size()) - 1;
  for (int side = 0; side < sides; ++side) {
    surface.triangles.push_back({0, at(0, side + 1), at(0, side)});
    for (int ring = 0; ring + 1 < 2 * rings; ++ring) {
      surface.triangles.push_back({at(ring, side), at(ring, side + 1), at(ring + 1, side + 1)});
      surface.triangles.push_back({at(ring, side), at(ring + 1, side + 1), at(ring + 1, side)});
    }
    surface.triangles.push_back({last, at(2 * rings - 1, side), at(2 * rings - 1, side + 1)});
  }
  return surface;
}

}  // namespace scree
