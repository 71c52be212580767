#include "scenes/raster/read_raster.hpp"

#include <filesystem>

#include "engine/base/check.hpp"
#include "engine/base/lower_case.hpp"
#include "scenes/raster/read_geotiff.hpp"

namespace scree::scenes {

Raster read_raster(const std::string& path, const RasterOptions& options) {
  const std::string ending = lower_case(std::filesystem::path(path).extension().string());
  if (ending == ".asc") return read_asc(path, options);
  if (ending == ".xyz") return read_xyz(path, options);
  if (ending == ".tif" || ending == ".tiff") return read_geotiff(path, options);
  throw InputError((options.shown.empty() ? path : options.shown) +
                   ": unknown kind of raster; the name must end with .asc (ESRI ASCII grid), .xyz "
                   "(points of a regular grid) or .tif (GeoTIFF)");
}

}  // namespace scree::scenes
