#include "scenes/raster/read_raster.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "engine/base/check.hpp"
#include "scenes/raster/read_geotiff.hpp"

namespace scree::scenes {

Raster read_raster(const std::string& path, const RasterOptions& options) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  if (ending == ".asc") return read_asc(path, options);
  if (ending == ".xyz") return read_xyz(path, options);
  if (ending == ".tif" || ending == ".tiff") return read_geotiff(path, options);
  throw InputError((options.shown.empty() ? path : options.shown) +
                   ": unknown kind of raster; the name must end with .asc (ESRI ASCII grid), .xyz "
                   "(points of a regular grid) or .tif (GeoTIFF)");
}

}  // namespace scree::scenes
