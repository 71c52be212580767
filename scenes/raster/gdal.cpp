#include "scenes/raster/gdal.hpp"

#include <dlfcn.h>

#include "engine/base/check.hpp"

namespace scree::scenes {
namespace {

class Library {
 public:
  Library(const char* name, std::string shown)
      : name_(name), shown_(std::move(shown)), handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) fail();
  }

  template <class Function>
  void find(const char* function, Function*& entry) const {
    entry = reinterpret_cast<Function*>(dlsym(handle_, function));
    if (entry == nullptr) fail();
  }

 private:
  [[noreturn]] void fail() const {
    const char* why = dlerror();
    throw InputError(shown_ + ": cannot be read: the program needs " + name_ +
                     " of the package libgdal-dev (" + (why == nullptr ? "?" : why) + ")");
  }

  std::string name_, shown_;
  void* handle_;
};

Gdal load(const std::string& shown) {
  const Library library(SCREE_GDAL_FILE, shown);
  Gdal g;
  library.find("GDALRegister_GTiff", g.register_gtiff);
  library.find("GDALSetCacheMax64", g.set_cache);
  library.find("GDALOpenEx", g.open);
  library.find("GDALClose", g.close);
  library.find("GDALGetRasterCount", g.bands);
  library.find("GDALGetRasterXSize", g.columns);
  library.find("GDALGetRasterYSize", g.rows);
  library.find("GDALGetRasterBand", g.band);
  library.find("GDALGetGeoTransform", g.geo_transform);
  library.find("GDALGetMetadataItem", g.metadata);
  library.find("GDALGetSpatialRef", g.reference);
  library.find("GDALGetRasterDataType", g.data_type);
  library.find("GDALGetDataTypeName", g.type_name);
  library.find("GDALGetBlockSize", g.block_size);
  library.find("GDALGetRasterNoDataValue", g.nodata);
  library.find("GDALGetRasterScale", g.scale);
  library.find("GDALGetRasterOffset", g.offset);
  library.find("GDALGetRasterUnitType", g.unit);
  library.find("GDALGetMaskFlags", g.mask_flags);
  library.find("GDALGetDataCoverageStatus", g.coverage);
  library.find("GDALRasterIO", g.raster_io);
  library.find("OSRIsGeographic", g.is_geographic);
  library.find("OSRGetLinearUnits", g.linear_units);
  library.find("OSRGetTargetLinearUnits", g.target_units);
  library.find("OSRExportToWkt", g.export_wkt);
  library.find("VSIFree", g.free);
  library.find("CPLPushErrorHandler", g.push_handler);
  library.find("CPLPopErrorHandler", g.pop_handler);
  library.find("CPLErrorReset", g.reset_error);
  library.find("CPLGetLastErrorMsg", g.last_error);
  library.find("CPLSetThreadLocalConfigOption", g.set_option);
  // No other driver: a file never leads to other files or to the network.
  g.register_gtiff();
  return g;
}

}  // namespace

const Gdal& gdal(const std::string& shown) {
  static const Gdal loaded = load(shown);
  return loaded;
}

}  // namespace scree::scenes
