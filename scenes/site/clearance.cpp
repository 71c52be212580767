#include "scenes/site/clearance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::site {
namespace {

// A rock has one part.
const Shape& shape_of(const Model& model, BodyIndex rock) {
  const auto part = static_cast<std::size_t>(model.part_begin[static_cast<std::size_t>(rock)]);
  return model.shapes[static_cast<std::size_t>(model.part_shape[part])];
}

}  // namespace

double rock_clearance(const Model& model, const State& state, BodyIndex rock,
                      const GroundSurface& ground) {
  const auto i = static_cast<std::size_t>(rock);
  const Vector3& x = state.x[i];
  const Shape& shape = shape_of(model, rock);
  if (const auto* ball = std::get_if<Sphere>(&shape)) {
    const GroundSurface::Point below = ground.at(x.x(), x.y());
    return x.z() - below.height - ball->radius / below.normal.z();
  }
  const Matrix3 R = state.q[i].toRotationMatrix();
  double least = std::numeric_limits<double>::quiet_NaN();
  for (const Vector3& vertex : std::get<ConvexPolyhedron>(shape).vertices) {
    const Vector3 corner = R * vertex + x;
    const double clearance = corner.z() - ground.height(corner.x(), corner.y());
    if (!(least <= clearance) && !std::isnan(clearance)) least = clearance;
  }
  return least;
}

double rock_top(const Model& model, const State& state, BodyIndex rock) {
  const auto i = static_cast<std::size_t>(rock);
  const Shape& shape = shape_of(model, rock);
  if (const auto* ball = std::get_if<Sphere>(&shape)) return ball->radius;
  const Matrix3 R = state.q[i].toRotationMatrix();
  double top = 0.0;
  for (const Vector3& vertex : std::get<ConvexPolyhedron>(shape).vertices)
    top = std::max(top, R.row(2).dot(vertex));
  return top;
}

}  // namespace scree::site
