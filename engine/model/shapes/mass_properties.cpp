#include <cmath>
#include <numbers>

#include "engine/base/check.hpp"
#include "engine/model/shapes/shapes.hpp"

namespace scree {
namespace {

MassProperties ball(const Sphere& sphere) {
  const double r = sphere.radius;
  MassProperties result;
  result.volume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  result.centre = sphere.centre;
  result.inertia = 0.4 * result.volume * r * r * Matrix3::Identity();
  return result;
}

// Sums over tetrahedra with one corner in an inner point o. With the edges a, b, c from o and det =
// a . (b x c):
//   volume det/6;  int r = det/24 (a+b+c);  int r r^T = det/120 [(a+b+c)(a+b+c)^T + aa^T + bb^T +
//   cc^T].
MassProperties polyhedron(const ConvexPolyhedron& solid) {
  Vector3 o = Vector3::Zero();
  for (const Vector3& v : solid.vertices) o += v / static_cast<double>(solid.vertices.size());

  double volume = 0.0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  for (std::int32_t f = 0; f < solid.n_faces(); ++f) {
    const auto loop = solid.face(f);
    const Vector3 a = solid.vertices[static_cast<std::size_t>(loop[0])] - o;
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
      const Vector3 b = solid.vertices[static_cast<std::size_t>(loop[i])] - o;
      const Vector3 c = solid.vertices[static_cast<std::size_t>(loop[i + 1])] - o;
      const double det = a.dot(b.cross(c));
      const Vector3 sum = a + b + c;
      volume += det / 6.0;
      first += det / 24.0 * sum;
      second += det / 120.0 *
                (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    }
  }
  const Vector3 r = first / volume;
  second -= volume * r * r.transpose();
  MassProperties result;
  result.volume = volume;
  result.centre = o + r + solid.origin;
  result.inertia = second.trace() * Matrix3::Identity() - second;
  return result;
}

}  // namespace

MassProperties mass_properties(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return ball(*sphere);
  if (const auto* solid = std::get_if<ConvexPolyhedron>(&shape)) return polyhedron(*solid);
  throw InputError(std::string("shape: a shape of kind ") + shape_kind(shape) +
                   " has no volume; give mass and inertia");
}

MassProperties mass_properties(std::span<const Shape> parts) {
  std::vector<MassProperties> all;
  MassProperties sum;
  for (const Shape& part : parts) {
    all.push_back(mass_properties(part));
    sum.volume += all.back().volume;
    sum.centre += all.back().volume * all.back().centre;
  }
  if (all.size() == 1) return all[0];  // nothing rounded
  sum.centre /= sum.volume;
  for (const MassProperties& part : all) {
    const Vector3 r = part.centre - sum.centre;
    sum.inertia +=
        part.inertia + part.volume * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
  }
  return sum;
}

}  // namespace scree
