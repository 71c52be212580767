#include "tools/analyse/coarse_graining.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::analyse {
namespace {

using std::numbers::pi;

// What a point or a cell gathers, over all packings.
struct Sums {
  double mass = 0.0, volume = 0.0;
  Vector3 momentum = Vector3::Zero();
  Matrix3 moment = Matrix3::Zero();
};

FieldPoint point_of(const Sums& sums, const Matrix3& fluctuation, const Vector3& x, double count,
                    double dimensions) {
  FieldPoint point;
  point.x = x;
  point.density = sums.mass / count, point.solid_fraction = sums.volume / count;
  point.stress = measure::symmetric_part(sums.moment / count);
  if (!(sums.mass > 0.0)) return point;
  point.velocity = sums.momentum / sums.mass;
  point.kinetic_stress = measure::symmetric_part(-fluctuation / count);
  point.temperature = fluctuation.trace() / (dimensions * sums.mass);
  return point;
}

// Calls visit(start, arm, force on the body) for each body of a contact that moves.
template <class Visit>
void each_way(const Packing& packing, Visit&& visit) {
  for (const PackedContact& contact : packing.contacts) {
    if (contact.moves_a)
      visit(packing.centre[contact.body_a], contact.arm_a, Vector3(-contact.force));
    if (contact.moves_b) visit(packing.centre[contact.body_b], contact.arm_b, contact.force);
  }
}

double dimensions_of(const std::vector<Packing>& packings) {
  return !packings.empty() && packings.front().plane_normal >= 0 ? 2.0 : 3.0;
}

}  // namespace

Vector3 Kernel::flat(const Vector3& v) const {
  Vector3 in_plane = v;
  if (plane_normal >= 0) in_plane[plane_normal] = 0.0;
  return in_plane;
}

double Kernel::reach() const {
  // exp(-r^2/2): 2e-15 of the peak.
  constexpr double deviations = 8.25;
  return kind == Kind::gaussian ? deviations * width : width;
}

double Kernel::at(const Vector3& x) const {
  const double r2 = flat(x).squaredNorm(), w2 = width * width;
  if (kind == Kind::heaviside) {
    const double volume = dimensions() == 3 ? 4.0 / 3.0 * pi * w2 * width : pi * w2 * depth;
    return r2 < w2 ? 1.0 / volume : 0.0;
  }
  const double whole = dimensions() == 3 ? std::pow(2.0 * pi * w2, 1.5) : 2.0 * pi * w2 * depth;
  return std::exp(-0.5 * r2 / w2) / whole;
}

double Kernel::along(const Vector3& x, const Vector3& way) const {
  const Vector3 from = flat(x), step = flat(way);
  const double length = step.norm();
  if (length == 0.0) return at(x);
  // Nearest to the way's line at s = along / length.
  const double along = from.dot(step) / length,
               away2 = std::max(0.0, from.squaredNorm() - along * along), w2 = width * width;
  if (kind == Kind::heaviside) {
    const double half2 = w2 - away2;
    if (half2 <= 0.0) return 0.0;
    const double half = std::sqrt(half2);
    const double share = std::min(along + half, length) - std::max(along - half, 0.0);
    return std::max(0.0, share) / length * at(Vector3::Zero());
  }
  const double root = std::sqrt(2.0) * width;
  const double mean = std::sqrt(0.5 * pi) * width *
                      (std::erf((length - along) / root) + std::erf(along / root)) / length;
  return at(Vector3::Zero()) * std::exp(-0.5 * away2 / w2) * mean;
}

std::vector<FieldPoint> fields_at(const std::vector<Packing>& packings,
                                  const std::vector<Vector3>& points, const Kernel& kernel) {
  std::vector<FieldPoint> fields;
  const double reach = kernel.reach();
  for (const Vector3& x : points) {
    Sums sums;
    for (const Packing& packing : packings) {
      for (std::size_t i = 0; i < packing.mass.size(); ++i) {
        if (packing.moves[i] == 0) continue;
        const double weight = kernel.at(x - packing.centre[i]);
        if (weight == 0.0) continue;
        const double mass = weight * packing.mass[i];
        sums.mass += mass, sums.volume += weight * packing.volume[i];
        sums.momentum += mass * packing.velocity[i];
      }
      each_way(packing, [&](const Vector3& start, const Vector3& arm, const Vector3& force) {
        Vector3 away = x - start;
        if (kernel.plane_normal >= 0) away[kernel.plane_normal] = 0.0;
        if (away.norm() > reach + arm.norm()) return;
        sums.moment += kernel.along(x - start, arm) * arm * force.transpose();
      });
    }
    Matrix3 fluctuation = Matrix3::Zero();
    const Vector3 mean =
        sums.mass > 0.0 ? Vector3(sums.momentum / sums.mass) : Vector3(Vector3::Zero());
    for (const Packing& packing : packings) {
      for (std::size_t i = 0; i < packing.mass.size(); ++i) {
        if (packing.moves[i] == 0) continue;
        const Vector3 u = packing.velocity[i] - mean;
        fluctuation += kernel.at(x - packing.centre[i]) * packing.mass[i] * u * u.transpose();
      }
    }
    fields.push_back(point_of(sums, fluctuation, x, static_cast<double>(packings.size()),
                              dimensions_of(packings)));
  }
  return fields;
}

std::vector<FieldPoint> cell_means(const std::vector<Packing>& packings,
                                   const measure::CellGrid& grid) {
  std::vector<Sums> sums(grid.count());
  std::vector<Matrix3> fluctuation(grid.count(), Matrix3::Zero());
  const double per_volume = 1.0 / grid.cell_volume();
  const auto each_body = [&](auto&& visit) {
    for (const Packing& packing : packings) {
      for (std::size_t i = 0; i < packing.mass.size(); ++i) {
        const Vector3& x = packing.centre[i];
        if (packing.moves[i] == 0 || !grid.holds(x)) continue;
        visit(packing, i,
              grid.index({grid.cell_of(0, x.x()), grid.cell_of(1, x.y()), grid.cell_of(2, x.z())}));
      }
    }
  };
  each_body([&](const Packing& packing, std::size_t i, std::size_t cell) {
    const double mass = per_volume * packing.mass[i];
    sums[cell].mass += mass, sums[cell].volume += per_volume * packing.volume[i];
    sums[cell].momentum += mass * packing.velocity[i];
  });
  each_body([&](const Packing& packing, std::size_t i, std::size_t cell) {
    const Vector3 u = packing.velocity[i] - sums[cell].momentum / sums[cell].mass;
    fluctuation[cell] += per_volume * packing.mass[i] * u * u.transpose();
  });
  for (const Packing& packing : packings) {
    each_way(packing, [&](const Vector3& start, const Vector3& arm, const Vector3& force) {
      const Matrix3 moment = per_volume * arm * force.transpose();
      measure::for_each_share(grid, start, arm, [&](std::size_t cell, double share) {
        sums[cell].moment += share * moment;
      });
    });
  }
  std::vector<FieldPoint> fields;
  for (std::size_t cell = 0; cell < sums.size(); ++cell) {
    fields.push_back(point_of(sums[cell], fluctuation[cell], grid.middle(cell),
                              static_cast<double>(packings.size()), dimensions_of(packings)));
  }
  return fields;
}

}  // namespace scree::analyse
