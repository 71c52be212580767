#include "engine/model/extent.hpp"

#include <algorithm>

#include "engine/base/infinity.hpp"

namespace scree {
namespace {

// [-] Parts thinner than this share of their body are slivers that a decomposition leaves: what is
// that uneven counts as flush.
constexpr double sliver = 1e-4;

}  // namespace

double thinnest_extent(const Shape& shape) {
  return std::visit([](const auto& s) { return s.thinnest(); }, shape);
}

std::vector<double> thinnest_extents(const Model& model) {
  std::vector<double> of_shape(model.shapes.size());
  std::transform(model.shapes.begin(), model.shapes.end(), of_shape.begin(), thinnest_extent);
  std::vector<double> extents(model.name.size(), infinity);
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const bool one_part = model.part_begin[i] + 1 == model.part_begin[i + 1];
    double thinnest = infinity;
    for (std::int32_t part = model.part_begin[i]; part < model.part_begin[i + 1]; ++part) {
      const auto shape = static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(part)]);
      thinnest = std::min(thinnest, of_shape[shape]);
      if (one_part || of_shape[shape] > sliver * model.radius[i])
        extents[i] = std::min(extents[i], of_shape[shape]);
    }
    if (extents[i] == infinity) extents[i] = thinnest;
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
