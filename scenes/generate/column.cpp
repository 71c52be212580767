#include "scenes/generate/column.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree {

ColumnLayout column_layout(bool round, double aspect, double width, double volume, double packing) {
  ColumnLayout column{round, aspect, 0.0, width, 0.0};
  // volume / packing = pi a R^3, or a L^2 W.
  column.length = round ? cube_root(volume / (packing * std::numbers::pi * aspect))
                        : std::sqrt(volume / (packing * aspect * width));
  column.height = aspect * column.length;
  return column;
}

double column_grains(bool round, double aspect, double length, double width, double mean_volume,
                     double packing) {
  const double base = round ? std::numbers::pi * length * length : length * width;
  return std::max(1.0, std::round(packing * base * aspect * length / mean_volume));
}

}  // namespace scree
