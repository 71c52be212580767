#include "engine/model/extent.hpp"

#include <algorithm>
#include <limits>

namespace scree {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Products of faces and vertices looked at; hulls with more have no face that is much thinner than
// their box.
constexpr std::size_t most_products = 4'000'000;

double width(const ConvexPolyhedron& solid) {
  Vector3 low = solid.vertices.front(), high = low;
  for (const Vector3& vertex : solid.vertices) {
    low = low.cwiseMin(vertex);
    high = high.cwiseMax(vertex);
  }
  double least = (high - low).minCoeff();
  if (solid.is_box || solid.face_normal.size() * solid.vertices.size() > most_products)
    return least;
  for (std::size_t f = 0; f < solid.face_normal.size(); ++f) {
    double depth = 0.0;
    for (const Vector3& vertex : solid.vertices) {
      depth = std::max(depth, solid.face_offset[f] - solid.face_normal[f].dot(vertex));
    }
    least = std::min(least, depth);
  }
  return least;
}

}  // namespace

double thinnest_extent(const Shape& shape) {
  if (is_wall(shape)) return infinity;
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return 2.0 * sphere->radius;
  if (const auto* solid = std::get_if<ConvexPolyhedron>(&shape)) return width(*solid);
  return 2.0 * bounding_radius(shape);
}

std::vector<double> thinnest_extents(const Model& model) {
  std::vector<double> of_shape(model.shapes.size());
  std::transform(model.shapes.begin(), model.shapes.end(), of_shape.begin(), thinnest_extent);
  std::vector<double> extents(model.name.size(), infinity);
  for (std::size_t i = 0; i < extents.size(); ++i) {
    for (std::int32_t part = model.part_begin[i]; part < model.part_begin[i + 1]; ++part) {
      const auto shape = static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(part)]);
      extents[i] = std::min(extents[i], of_shape[shape]);
    }
  }
  return extents;
}

double smallest_thickness(const Model& model) {
  const std::vector<double> extents = thinnest_extents(model);
  double least = infinity;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (model.kind[i] == BodyKind::dynamic) least = std::min(least, extents[i]);
  }
  return least;
}

}  // namespace scree
