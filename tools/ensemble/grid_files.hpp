// Grids of numbers as files that geographic information systems open: ESRI ASCII and GeoTIFF.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "scenes/site/site.hpp"

namespace scree::ensemble {

// What a file says of where its cells are.
struct MapFrame {
  double west = 0.0, south = 0.0, cell = 0.0;  // [m] outer corner in map coordinates; side
  std::int32_t columns = 0, rows = 0;
  std::int64_t epsg = 0;  // 0: not said
};
MapFrame map_frame(const site::MapGrid& grid, const Vector3& origin, std::int64_t epsg);

// `values` row by row from the south-west; NaN is no data.
// Rows from the north, as the format has it, shortest digits of single precision, no data -9999.
std::string esri_ascii(const MapFrame& frame, std::span<const float> values);

// The bytes of a GeoTIFF 1.1: one uncompressed strip of 32-bit floats, pixel is area, no data
// -9999, coordinate system by its EPSG number where that is known. Written without a library, so
// every build makes the same bytes. Throws std::runtime_error beyond the 4 GB of the format.
std::string geotiff(const MapFrame& frame, std::span<const float> values,
                    const std::string& description);

}  // namespace scree::ensemble
