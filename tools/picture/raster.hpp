// Filling convex polygons on a grid of samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "tools/picture/camera.hpp"
#include "tools/picture/picture_scene.hpp"

namespace scree::picture {

// A rectangle of samples: columns [x0, x1), rows [y0, y1). Sample (i, j) lies at (i + 1/2, j +
// 1/2).
struct Window {
  int x0 = 0, x1 = 0, y0 = 0, y1 = 0;
};

// Area [m2] times the outward normal of a face, world axes.
Vector3 area_vector(const Solid& solid, std::span<const std::int32_t> face);

// Columns [first, last) whose sample points in row `y` lie inside the convex polygon `points`
// (either orientation).
struct Span {
  int first = 0, last = 0;
};
Span row_span(std::span<const Eigen::Vector2d> points, int y, const Window& window);

// Calls fill(y, first, last) for every row of the window that the convex polygon touches.
template <class Fill>
void fill_convex(std::span<const Eigen::Vector2d> points, const Window& window, Fill&& fill) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Eigen::Vector2d& point : points) {
    low = std::min(low, point.y());
    high = std::max(high, point.y());
  }
  if (!(low < window.y1 && high > window.y0)) return;
  const int first_row =
      std::max(window.y0, static_cast<int>(std::floor(std::max<double>(low, window.y0))));
  const int last_row =
      std::min(window.y1, static_cast<int>(std::ceil(std::min<double>(high, window.y1))));
  for (int y = first_row; y < last_row; ++y) {
    const Span span = row_span(points, y, window);
    if (span.first < span.last) fill(y, span.first, span.last);
  }
}

// What one sample sees.
constexpr std::int32_t nothing = -1;
struct Sample {
  float inverse_depth = 0.0F;                        // [1/m] 0: infinitely far
  std::int32_t surface = nothing;                    // index of a solid; -2 - i: plane i
  Eigen::Vector3f normal = Eigen::Vector3f::Zero();  // world axes
};

// Sees `scene` through `camera` at the samples of `window`; `samples` is row by row.
void rasterise(const PictureScene& scene, const Camera& camera, const Window& window,
               std::vector<Sample>& samples);

}  // namespace scree::picture
