// Continuum fields of a packing by coarse graining (engine/method/stress.md): with a kernel phi,
//
//   rho = sum m phi(x - x_b)     rho u = sum m v phi     nu = sum V_b phi
//   sigma = sum over contacts and bodies  arm (x) f  integral_0^1 phi(x - x_b - s arm) ds
//   kinetic = -sum m u' (x) u' phi
//
// Each contact is two ways, from the mass centre of each body to its point of contact; of contacts
// with walls the way of the body that moves. So over all space sigma adds up to the bodies' own
// stresses, V_b sigma_b, and its divergence is the weight.
#pragma once

#include <optional>
#include <vector>

#include "engine/measure/segment_share.hpp"
#include "tools/analyse/packing.hpp"

namespace scree::analyse {

// gaussian: of standard deviation `width`; heaviside: one inside the radius `width`. In plane
// problems both are of the plane, over `depth`.
struct Kernel {
  enum class Kind { gaussian, heaviside };

  Kind kind = Kind::gaussian;
  double width = 0.0;     // [m]
  int plane_normal = -1;  // axis across the plane; -1: space
  double depth = 1.0;     // [m] of a plane problem

  double at(const Vector3& x) const;  // [1/m3]
  // Integral of phi(x - s way) over s from 0 to 1.
  double along(const Vector3& x, const Vector3& way) const;
  // Beyond this it is nothing [m].
  double reach() const;

 private:
  Vector3 flat(const Vector3& v) const;
  int dimensions() const { return plane_normal < 0 ? 3 : 2; }
};

struct FieldPoint {
  Vector3 x = Vector3::Zero();  // [m]
  double density = 0.0, solid_fraction = 0.0;
  Vector3 velocity = Vector3::Zero();
  double temperature = 0.0;  // [m2/s2] granular
  measure::StressTensor stress = {}, kinetic_stress = {};
};

// Fields at points, mean of several packings.
std::vector<FieldPoint> fields_at(const std::vector<Packing>& packings,
                                  const std::vector<Vector3>& points, const Kernel& kernel);

// Means over the cells of a grid, by the share that lies in each: the kernel is the cell.
std::vector<FieldPoint> cell_means(const std::vector<Packing>& packings,
                                   const measure::CellGrid& grid);

}  // namespace scree::analyse
