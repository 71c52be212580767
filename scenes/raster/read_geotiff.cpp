#include "scenes/raster/read_geotiff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "engine/base/check.hpp"
#include "engine/base/input_file.hpp"
#include "engine/base/limits.hpp"
#include "engine/base/printable.hpp"
#include "scenes/raster/gdal.hpp"
#include "scenes/raster/raster_checks.hpp"
#include "scenes/raster/raster_text.hpp"

namespace scree::scenes {
namespace {

void CPL_STDCALL say_nothing(CPLErr, CPLErrorNum, const char*) {}

// GDAL's own words go into the message of what is thrown, not to standard error; it looks for no
// files beside the one that it opens, and leaves the tie point of a file where the file has it.
class Quiet {
 public:
  explicit Quiet(const Gdal& gdal) : gdal_(gdal) {
    gdal_.push_handler(say_nothing), gdal_.reset_error();
    for (const auto& [option, value] : options_) gdal_.set_option(option, value);
  }
  ~Quiet() {
    for (const auto& [option, value] : options_) gdal_.set_option(option, nullptr);
    gdal_.pop_handler();
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

  std::string words() const {
    const std::string text = gdal_.last_error();
    return text.empty() ? "GDAL does not say why" : printable(text);
  }

 private:
  static constexpr std::array<std::pair<const char*, const char*>, 4> options_ = {
      {{"GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR"},
       {"GDAL_PAM_ENABLED", "NO"},
       {"GTIFF_POINT_GEO_IGNORE", "YES"},
       {"GTIFF_REPORT_COMPD_CS", "YES"}}};
  const Gdal& gdal_;
};

struct Close {
  const Gdal* gdal = nullptr;
  void operator()(void* dataset) const { gdal->close(dataset); }
};
using Dataset = std::unique_ptr<void, Close>;

// One file that is open, and what is asked of it.
class File {
 public:
  File(const Gdal& gdal, const Quiet& quiet, const std::string& path, std::string shown)
      : gdal_(gdal), quiet_(quiet), shown_(std::move(shown)), dataset_(opened(path)) {
    const int n = gdal_.bands(dataset_.get());
    require(n == 1, shown_,
            fmt::format("has {} bands; must have one, gdal_translate -b takes it out", n));
    band_ = gdal_.band(dataset_.get(), 1);
    require_size(shown_, columns(), rows());
    check_type();
  }

  int columns() const { return gdal_.columns(dataset_.get()); }
  int rows() const { return gdal_.rows(dataset_.get()); }
  const std::string& shown() const { return shown_; }

  // The outer corner of the south-western cell, the cells, and what the file says of its map.
  Raster::MapFrame frame(bool heights) const {
    const std::array<double, 6> g = grid();
    Raster::MapFrame map;
    map.dx = Decimal::of(g[1]), map.dy = Decimal::of(-g[5]);
    Decimal west = Decimal::of(g[0]), north = Decimal::of(g[3]);
    const char* place = gdal_.metadata(dataset_.get(), GDALMD_AREA_OR_POINT, nullptr);
    // Of a point the file gives the centre of the first cell, else its outer corner.
    if (place != nullptr && std::string_view(place) == GDALMD_AOP_POINT)
      west = west - map.dx.half(), north = north + map.dy.half();
    map.west = west, map.south = north - map.dy.times(rows());
    map.projection = checked_reference(heights);
    if (heights) check_unit();
    int given = 0;
    const double nodata = gdal_.nodata(band_, &given);
    map.nodata = given != 0 ? nodata : no_number;
    return map;
  }

  // All values, row by row from the north.
  void read(double* values) const {
    int across = 0, down = 0;
    gdal_.block_size(band_, &across, &down);
    // All blocks of a row of blocks stay until they have been read to their last line.
    constexpr std::int64_t least = 32'000'000;
    gdal_.set_cache(std::max(least, std::int64_t{2} * 8 * (columns() + across) * down));
    require_all_blocks();
    if (gdal_.raster_io(band_, GF_Read, 0, 0, columns(), rows(), values, columns(), rows(),
                        GDT_Float64, 0, 0) != CE_None)
      throw InputError(shown_ + ": cannot be read to its end; is it cut off? (" + quiet_.words() +
                       ")");
  }

  bool has_nodata() const {
    int given = 0;
    gdal_.nodata(band_, &given);
    return given != 0;
  }
  bool is_wide() const { return gdal_.data_type(band_) == GDT_Float64; }
  bool is_narrow_float() const { return gdal_.data_type(band_) == GDT_Float32; }
  double scale() const {
    int given = 0;
    const double scale = gdal_.scale(band_, &given);
    return given != 0 ? scale : 1.0;
  }
  double offset() const {
    int given = 0;
    const double offset = gdal_.offset(band_, &given);
    return given != 0 ? offset : 0.0;
  }

 private:
  Dataset opened(const std::string& path) const {
    check_input_file(path);
    // What begins with /vsi or GTIFF_ is an address to GDAL; a path that begins so is written
    // differently.
    const std::string name = "/./" + std::filesystem::absolute(path).relative_path().string();
    const std::array<const char*, 2> drivers = {"GTiff", nullptr};
    Dataset dataset(gdal_.open(name.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY, drivers.data(),
                               nullptr, nullptr),
                    Close{&gdal_});
    if (!dataset) throw InputError(shown_ + ": is no GeoTIFF (" + quiet_.words() + ")");
    return dataset;
  }

  void check_type() const {
    const GDALDataType type = gdal_.data_type(band_);
    const bool known = type == GDT_Byte || type == GDT_UInt16 || type == GDT_Int16 ||
                       type == GDT_UInt32 || type == GDT_Int32 || type == GDT_Float32 ||
                       type == GDT_Float64;
    require(known, shown_,
            fmt::format("values are of the type {}; must be integers of up to 32 bits, or floating "
                        "point numbers of 32 or 64",
                        gdal_.type_name(type)));
    require((gdal_.mask_flags(band_) & GMF_PER_DATASET) == 0, shown_,
            "has a mask beside its values, which is not read; give what it hides a nodata value");
  }

  std::array<double, 6> grid() const {
    std::array<double, 6> g{};
    require(gdal_.geo_transform(dataset_.get(), g.data()) == CE_None, shown_,
            "does not say where it lies (it has no GeoTIFF tags; files beside it are not read); "
            "gdal_translate writes them");
    require(g[2] == 0.0 && g[4] == 0.0, shown_,
            "its grid is turned against the axes; must be north up, gdalwarp makes it so");
    require(g[1] > 0.0 && g[5] < 0.0, shown_,
            "must go from west to east and from north to south, gdalwarp makes it so");
    for (const double cell : {g[1], -g[5]}) {
      require(admitted_length.contains(cell), shown_,
              fmt::format("cells of {} m are not allowed; must be {}", cell, admitted_length.text));
    }
    for (const double corner : {g[0], g[3]}) {
      require(is_admitted_coordinate(corner), shown_,
              fmt::format("lies at {}; must be {}", corner, admitted_coordinate));
    }
    return g;
  }

  // WKT, or empty: the file does not say.
  std::string checked_reference(bool heights) const {
    OGRSpatialReferenceH system = gdal_.reference(dataset_.get());
    if (system == nullptr) return "";
    require(gdal_.is_geographic(system) == 0, shown_,
            "coordinates are geographic (degrees); must be metres: project the grid first, for "
            "example with gdalwarp -t_srs EPSG:NUMBER");
    constexpr double same = 1e-9;
    const double metres = gdal_.linear_units(system, nullptr);
    require(std::abs(metres - 1.0) <= same, shown_,
            fmt::format("coordinates are in units of {:.7g} m (feet?); must be metres, heights too",
                        metres));
    const double upward = gdal_.target_units(system, "VERT_CS", nullptr);
    require(!heights || std::abs(upward - 1.0) <= same, shown_,
            fmt::format("heights are in units of {:.7g} m (feet?); must be metres", upward));
    char* wkt = nullptr;
    const bool written = gdal_.export_wkt(system, &wkt) == OGRERR_NONE && wkt != nullptr;
    std::string text = written ? wkt : "";
    gdal_.free(wkt);
    return text;
  }

  void check_unit() const {
    const char* word = gdal_.unit(band_);
    const std::string unit = word == nullptr ? "" : word;
    constexpr std::array metres = {"", "m", "metre", "metres", "meter", "meters"};
    require(std::find(metres.begin(), metres.end(), unit) != metres.end(), shown_,
            fmt::format("heights are in '{}'; must be metres", printable(unit)));
  }

  // What a sparse file leaves out would read as 0.
  void require_all_blocks() const {
    if (has_nodata()) return;
    double percent = 100.0;
    const int status = gdal_.coverage(band_, 0, 0, columns(), rows(), 0, &percent);
    require((status & GDAL_DATA_COVERAGE_STATUS_EMPTY) == 0, shown_,
            "leaves out parts of its values and names no nodata value");
  }

  const Gdal& gdal_;
  const Quiet& quiet_;
  std::string shown_;
  Dataset dataset_;
  GDALRasterBandH band_ = nullptr;
};

// A decimal of at most 15 digits, six of them after the point; there is one such at most.
bool plain_of(double value, PlainNumber& number) {
  constexpr std::array<double, 7> power = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
  constexpr double most = 1e15;
  for (std::size_t decimals = 0; decimals < power.size(); ++decimals) {
    const double units = std::nearbyint(value * power[decimals]);
    if (!(std::abs(units) < most)) return false;
    if (units / power[decimals] != value) continue;
    number = {static_cast<std::int64_t>(units), decimals};
    return true;
  }
  return false;
}

// All digits of a number but those below 1e-24.
Decimal exact_decimal(double value) {
  Decimal decimal;
  Decimal::read(fmt::format("{:.24f}", value), decimal);
  return decimal;
}

// A file's numbers as heights about the origin, or as they are.
class BandValues {
 public:
  BandValues(const File& file, double nodata, const Decimal& origin)
      : shown_(file.shown()),
        columns_(file.columns()),
        has_nodata_(file.has_nodata()),
        nodata_(file.is_narrow_float() ? static_cast<double>(static_cast<float>(nodata)) : nodata),
        scale_(file.scale()),
        offset_(file.offset()),
        scaled_(scale_ != 1.0 || offset_ != 0.0),
        decimal_scale_(Decimal::of(scale_)),
        decimal_offset_(Decimal::of(offset_)),
        exact_(!file.is_wide()),
        whole_(exact_ && !file.is_narrow_float()),
        origin_(origin),
        near_origin_(origin.value()),
        origin_is_near_(exact_decimal(near_origin_) == origin),
        has_plain_origin_(read_plain(origin.text(), plain_origin_)) {
    require(std::isfinite(scale_) && std::isfinite(offset_) && std::abs(scale_) < 1e6 &&
                is_admitted_coordinate(offset_),
            shown_, fmt::format("its scale {} or offset {} is not allowed", scale_, offset_));
  }

  double read(double value, std::int64_t at) const {
    if (has_nodata_ && (value == nodata_ || (std::isnan(value) && std::isnan(nodata_))))
      return no_number;
    if (!std::isfinite(value)) {
      fail(at, fmt::format("is not a finite number, and the nodata value of the file is {}",
                           has_nodata_ ? fmt::format("{}", nodata_) : "not given"));
    }
    const double number = scaled_ ? scaled(value) : value;
    if (!is_admitted_coordinate(number))
      fail(at, fmt::format("{} is not allowed; must be {}", number, admitted_coordinate));
    return origin_.is_zero() ? number : about_origin(value, number);
  }

 private:
  [[noreturn]] void fail(std::int64_t at, const std::string& message) const {
    throw InputError(fmt::format("{}: row {}, column {}: {}", shown_, at / columns_ + 1,
                                 at % columns_ + 1, message));
  }

  // Integers are scaled in decimals.
  Decimal scaled_decimal(double value) const {
    return decimal_scale_.times(static_cast<std::int64_t>(value)) + decimal_offset_;
  }
  double scaled(double value) const {
    return whole_ ? scaled_decimal(value).value() : value * scale_ + offset_;
  }

  // Both rounded once.
  double about_origin(double value, double number) const {
    if (scaled_ && whole_) return (scaled_decimal(value) - origin_).value();
    if (exact_ && !scaled_)
      return origin_is_near_ ? number - near_origin_ : (exact_decimal(number) - origin_).value();
    PlainNumber plain;
    double difference = 0.0;
    if (has_plain_origin_ && plain_of(number, plain) && plain.less(plain_origin_, difference))
      return difference;
    return (Decimal::of(number) - origin_).value();
  }

  const std::string& shown_;
  std::int64_t columns_;
  bool has_nodata_;
  double nodata_, scale_, offset_;
  bool scaled_;
  Decimal decimal_scale_, decimal_offset_;
  bool exact_, whole_;
  Decimal origin_;
  double near_origin_;
  bool origin_is_near_;
  PlainNumber plain_origin_;
  bool has_plain_origin_;
};

// Rows from the north become rows from the south.
void turn_over(Raster& raster) {
  const auto columns = static_cast<std::ptrdiff_t>(raster.columns);
  for (std::ptrdiff_t low = 0, high = raster.rows - 1; low < high; ++low, --high) {
    const auto row = raster.values.begin() + low * columns;
    std::swap_ranges(row, row + columns, raster.values.begin() + high * columns);
  }
}

}  // namespace

Raster read_geotiff(const std::string& path, const RasterOptions& options) {
  const std::string shown = options.shown.empty() ? path : options.shown;
  const Gdal& library = gdal(shown);
  const Quiet quiet(library);
  const File file(library, quiet, path, shown);
  Raster raster;
  raster.columns = file.columns(), raster.rows = file.rows();
  raster.map = file.frame(options.heights);
  raster.dx = raster.map.dx.value(), raster.dy = raster.map.dy.value();
  raster.x = (raster.map.west + raster.map.dx.half() - options.origin[0]).value();
  raster.y = (raster.map.south + raster.map.dy.half() - options.origin[1]).value();
  raster.values.resize(static_cast<std::size_t>(raster.columns) *
                       static_cast<std::size_t>(raster.rows));
  file.read(raster.values.data());
  const BandValues values(file, raster.map.nodata, options.heights ? options.origin[2] : Decimal());
  std::int64_t at = 0;
  for (double& value : raster.values) value = values.read(value, at++);
  turn_over(raster);
  if (options.heights) check_heights(shown, raster);
  return raster;
}

}  // namespace scree::scenes
