// Rasters from files: ESRI ASCII grids (.asc), lists of points (.xyz) and GeoTIFF (.tif).
#pragma once

#include <array>
#include <string>

#include "engine/base/raster.hpp"

namespace scree::scenes {

struct RasterOptions {
  // Subtracted from the coordinates and, unless `heights` is false, from the values, in the file's
  // decimals.
  std::array<Decimal, 3> origin;
  bool heights = true;  // the values are heights of ground [m]; else any numbers (classes)
  std::string shown;    // name of the file in messages; empty: its path
};

// By the end of the name: .asc (ESRI ASCII), .xyz (one point a line), .tif or .tiff
// (read_geotiff.hpp). Throws InputError, one line "FILE: ..." or "FILE:LINE: ...".
Raster read_raster(const std::string& path, const RasterOptions& options = {});

Raster read_asc(const std::string& path, const RasterOptions& options = {});
Raster read_xyz(const std::string& path, const RasterOptions& options = {});

}  // namespace scree::scenes
