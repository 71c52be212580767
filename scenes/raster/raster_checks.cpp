#include "scenes/raster/raster_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "engine/base/check.hpp"

namespace scree::scenes {

void require_size(const std::string& shown, std::int64_t columns, std::int64_t rows) {
  require(columns >= 2 && rows >= 2, shown,
          fmt::format("{} x {} values are not allowed; must be at least 2 x 2", columns, rows));
  require(columns <= most_nodes && rows <= most_nodes && columns * rows <= most_nodes, shown,
          fmt::format("{} x {} values are not allowed; at most {} are", columns, rows, most_nodes));
}

void check_heights(const std::string& shown, const Raster& raster) {
  double sum = 0.0;
  std::int64_t count = 0;
  bool any_cell = false;
  for (std::int32_t row = 0; row + 1 < raster.rows; ++row) {
    for (std::int32_t column = 0; column + 1 < raster.columns; ++column) {
      if (raster.is_hole(column, row)) continue;
      any_cell = true;
      sum += std::abs(raster.at(column + 1, row) - raster.at(column, row)), ++count;
    }
  }
  require(any_cell, shown, "no cell has data at all of its four nodes");
  constexpr double steepest = 100.0;
  const double mean = sum / static_cast<double>(count) / raster.dx;
  require(mean <= steepest, shown,
          fmt::format("heights of neighbours differ by {:.3g} cells on average; cells must be in "
                      "metres like heights (are they in degrees?)",
                      mean));
}

void check_projection(const std::string& shown, const std::string& wkt) {
  std::string text = wkt;
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  });
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return;
  const auto says = [&](const char* word) { return text.find(word) != std::string::npos; };
  const bool degrees = text.compare(first, 6, "GEOGCS") == 0 ||
                       text.compare(first, 7, "GEOGCRS") == 0 ||
                       text.compare(first, 7, "GEODCRS") == 0;
  require(!degrees, shown,
          "coordinates are geographic (degrees); must be metres: project the grid first, for "
          "example with gdalwarp -t_srs EPSG:NUMBER");
  require(!says("FOOT") && !says("FEET"), shown,
          "coordinates are in feet; must be metres, heights too");
}

}  // namespace scree::scenes
