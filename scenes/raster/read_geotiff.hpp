// GeoTIFF rasters, by GDAL, in programs that were built where CMake found it.
#pragma once

#include <string>

#include "scenes/raster/read_raster.hpp"

namespace scree::scenes {

// One band, north up, in metres, all of it in this one file: files beside it (.tfw, .aux.xml,
// .msk) are not read, other formats and names that GDAL takes for addresses neither. Numbers of 32
// bits and less are exact, those of 64 bits stand for their shortest decimals, so that a grid of
// the same numbers in .asc gives the same bits. Throws InputError "FILE: ...", one line, also where
// there is no GDAL.
Raster read_geotiff(const std::string& path, const RasterOptions& options = {});

}  // namespace scree::scenes
