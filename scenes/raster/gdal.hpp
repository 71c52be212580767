// What is used of GDAL. It is loaded when the first GeoTIFF is read: linked, it and the hundred
// libraries behind it would make every start of the program four times as long.
#pragma once

#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal.h>
#include <gdal_frmts.h>
#include <ogr_srs_api.h>

#include <string>

namespace scree::scenes {

struct Gdal {
  decltype(&::GDALRegister_GTiff) register_gtiff = nullptr;
  decltype(&::GDALSetCacheMax64) set_cache = nullptr;
  decltype(&::GDALOpenEx) open = nullptr;
  decltype(&::GDALClose) close = nullptr;
  decltype(&::GDALGetRasterCount) bands = nullptr;
  decltype(&::GDALGetRasterXSize) columns = nullptr;
  decltype(&::GDALGetRasterYSize) rows = nullptr;
  decltype(&::GDALGetRasterBand) band = nullptr;
  decltype(&::GDALGetGeoTransform) geo_transform = nullptr;
  decltype(&::GDALGetMetadataItem) metadata = nullptr;
  decltype(&::GDALGetSpatialRef) reference = nullptr;
  decltype(&::GDALGetRasterDataType) data_type = nullptr;
  decltype(&::GDALGetDataTypeName) type_name = nullptr;
  decltype(&::GDALGetBlockSize) block_size = nullptr;
  decltype(&::GDALGetRasterNoDataValue) nodata = nullptr;
  decltype(&::GDALGetRasterScale) scale = nullptr;
  decltype(&::GDALGetRasterOffset) offset = nullptr;
  decltype(&::GDALGetRasterUnitType) unit = nullptr;
  decltype(&::GDALGetMaskFlags) mask_flags = nullptr;
  decltype(&::GDALGetDataCoverageStatus) coverage = nullptr;
  decltype(&::GDALRasterIO) raster_io = nullptr;
  decltype(&::OSRIsGeographic) is_geographic = nullptr;
  decltype(&::OSRGetLinearUnits) linear_units = nullptr;
  decltype(&::OSRGetTargetLinearUnits) target_units = nullptr;
  decltype(&::OSRExportToWkt) export_wkt = nullptr;
  decltype(&::VSIFree) free = nullptr;
  decltype(&::CPLPushErrorHandler) push_handler = nullptr;
  decltype(&::CPLPopErrorHandler) pop_handler = nullptr;
  decltype(&::CPLErrorReset) reset_error = nullptr;
  decltype(&::CPLGetLastErrorMsg) last_error = nullptr;
  decltype(&::CPLSetThreadLocalConfigOption) set_option = nullptr;
};

// Loaded at the first call; throws InputError "SHOWN: ..." when it is not there any more.
const Gdal& gdal(const std::string& shown);

}  // namespace scree::scenes
