// In place of read_geotiff.cpp in programs without GDAL.
#include "engine/base/check.hpp"
#include "scenes/raster/read_geotiff.hpp"

namespace scree::scenes {

Raster read_geotiff(const std::string& path, const RasterOptions& options) {
  throw InputError(
      (options.shown.empty() ? path : options.shown) +
      ": this program was built without GDAL and reads no GeoTIFF; install the "
      "package libgdal-dev, configure and build again, or make a grid of the file with "
      "gdal_translate -of AAIGrid FILE.tif FILE.asc");
}

}  // namespace scree::scenes
