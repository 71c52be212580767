#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

#include "engine/base/check.hpp"
#include "engine/base/input_file.hpp"
#include "engine/base/limits.hpp"
#include "engine/base/lower_case.hpp"
#include "scenes/raster/raster_checks.hpp"
#include "scenes/raster/raster_text.hpp"
#include "scenes/raster/read_raster.hpp"

namespace scree::scenes {
namespace {

bool is_nan_word(std::string_view word) {
  const std::string text = lower_case(word);
  return text == "nan" || text == "-nan" || text == "+nan" || text.starts_with("nan(");
}

// The lines of keys before the numbers.
class Header {
 public:
  explicit Header(RasterText& text) : text_(text) {
    std::vector<std::string_view> words;
    while (text_.next_line(words)) {
      if (std::isalpha(static_cast<unsigned char>(words[0][0])) == 0 || is_nan_word(words[0])) {
        text_.unread_line();
        return;
      }
      enter(words);
    }
  }

  bool has(const std::string& key) const { return value_.contains(key); }
  std::int64_t count(const std::string& key) const {
    const std::string& word = needed(key);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < 1)
      text_.fail_file(
          fmt::format("{} = '{}' is not allowed; must be an integer of at least 1", key, word));
    return value;
  }
  Decimal decimal(const std::string& key) const {
    const std::string& word = needed(key);
    Decimal value;
    if (!Decimal::read(word, value)) {
      const bool comma = word.find(',') != std::string::npos;
      text_.fail_file(fmt::format("{} = '{}' is not a finite number{}", key, word,
                                  comma ? "; decimals are written with a point" : ""));
    }
    return value;
  }
  double nodata() const {
    constexpr double usual = -9999.0;
    const auto found = value_.find("nodata_value");
    if (found == value_.end()) return usual;
    return is_nan_word(found->second) ? no_number : text_.number_in(found->second);
  }

 private:
  void enter(const std::vector<std::string_view>& words) {
    constexpr std::array known = {"ncols", "nrows",    "xllcorner", "yllcorner", "xllcenter",
                                  "dx",    "cellsize", "dy",        "yllcenter", "nodata_value"};
    std::string key = lower_case(words[0]);
    if (key == "nodata") key = "nodata_value";
    if (key == "xllcentre") key = "xllcenter";
    if (key == "yllcentre") key = "yllcenter";
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      text_.fail(
          fmt::format("unknown key '{}'; the keys of an ESRI ASCII grid are ncols, nrows, "
                      "xllcorner or xllcenter, yllcorner or yllcenter, cellsize or dx and "
                      "dy, nodata_value",
                      std::string(words[0].substr(0, 40))));
    }
    if (words.size() != 2) text_.fail("a key of the header must have one value on its line");
    if (!value_.emplace(key, words[1]).second) text_.fail("there is already a " + key);
  }

  const std::string& needed(const std::string& key) const {
    const auto found = value_.find(key);
    if (found == value_.end()) {
      text_.fail_file("the header has no " + key +
                      "; is it an ESRI ASCII grid with all of its header?");
    }
    return found->second;
  }

  RasterText& text_;
  std::map<std::string, std::string> value_;
};

// The outer corner along an axis, from the corner or the centre of the first cell.
Decimal outer_corner(const RasterText& text, const Header& header, const std::string& axis,
                     const Decimal& cell) {
  const std::string corner = axis + "llcorner", centre = axis + "llcenter";
  if (header.has(corner) && header.has(centre))
    text.fail_file("the header has " + corner + " and " + centre + "; must have one of them");
  return header.has(centre) ? header.decimal(centre) - cell.half() : header.decimal(corner);
}

Decimal cell_size(const RasterText& text, const Header& header, const std::string& axis) {
  const bool both = header.has("cellsize") && (header.has("dx") || header.has("dy"));
  if (both) text.fail_file("the header has cellsize and dx or dy; must have one of the two");
  const std::string key = header.has("dx") || header.has("dy") ? "d" + axis : "cellsize";
  const Decimal cell = header.decimal(key);
  if (!cell.is_positive() || !admitted_length.contains(cell.value()))
    text.fail_file(fmt::format("{} = {} is not allowed; must be a length > 0, {}", key, cell.text(),
                               admitted_length.text));
  return cell;
}

// One value of the grid; NaN: no data.
class AscValues {
 public:
  AscValues(const RasterText& text, const Decimal& origin, double nodata)
      : text_(text),
        origin_(origin),
        nodata_(nodata),
        has_plain_origin_(read_plain(origin.text(), plain_origin_)) {}

  double read(std::string_view word) const {
    if (std::isnan(nodata_) && is_nan_word(word)) return no_number;
    const double number = text_.number_in(word);
    if (is_nodata(number)) return no_number;
    if (!is_admitted_coordinate(number))
      text_.fail(fmt::format("{} is not allowed; must be {}", number, admitted_coordinate));
    if (origin_.is_zero()) return number;
    PlainNumber plain;
    double difference = 0.0;
    if (has_plain_origin_ && read_plain(word, plain) && plain.less(plain_origin_, difference))
      return difference;
    return (text_.decimal_in(word) - origin_).value();
  }

 private:
  // Huge ones are often written with fewer digits in one of the two places.
  bool is_nodata(double number) const {
    constexpr double huge = 1e30, rounded = 1e-5;
    return number == nodata_ ||
           (std::abs(nodata_) >= huge && std::abs(number - nodata_) <= rounded * std::abs(nodata_));
  }

  const RasterText& text_;
  Decimal origin_;
  double nodata_;
  PlainNumber plain_origin_;
  bool has_plain_origin_;
};

// From the north-western corner, row by row.
void read_values(RasterText& text, const AscValues& values, Raster& raster) {
  raster.values.resize(static_cast<std::size_t>(raster.columns) *
                       static_cast<std::size_t>(raster.rows));
  const auto wanted = static_cast<std::int64_t>(raster.values.size());
  std::string_view word;
  for (std::int32_t i = 0; i < raster.rows; ++i) {
    double* row = raster.values.data() + static_cast<std::ptrdiff_t>(raster.rows - 1 - i) *
                                             static_cast<std::ptrdiff_t>(raster.columns);
    for (std::int32_t j = 0; j < raster.columns; ++j) {
      if (!text.next_word(word)) {
        text.fail_file(fmt::format("ends after {} of ncols x nrows = {} values; is it cut off?",
                                   static_cast<std::int64_t>(i) * raster.columns + j, wanted));
      }
      row[j] = values.read(word);
    }
  }
  if (text.next_word(word))
    text.fail(fmt::format("there are more than ncols x nrows = {} values", wanted));
}

// What a file of the same name and the end .prj says; empty: there is none.
std::string projection_beside(const std::string& path) {
  const std::string beside = std::filesystem::path(path).replace_extension(".prj").string();
  std::error_code error;
  constexpr std::size_t most = 65536;
  return std::filesystem::exists(beside, error) ? read_input_file(beside, most) : "";
}

}  // namespace

Raster read_asc(const std::string& path, const RasterOptions& options) {
  const std::string shown = options.shown.empty() ? path : options.shown;
  RasterText text(path, shown);
  const Header header(text);
  const std::int64_t columns = header.count("ncols"), rows = header.count("nrows");
  require_size(shown, columns, rows);
  Raster raster;
  raster.columns = static_cast<std::int32_t>(columns);
  raster.rows = static_cast<std::int32_t>(rows);
  Raster::MapFrame& map = raster.map;
  map.dx = cell_size(text, header, "x"), map.dy = cell_size(text, header, "y");
  map.west = outer_corner(text, header, "x", map.dx);
  map.south = outer_corner(text, header, "y", map.dy);
  map.nodata = header.nodata();
  map.projection = projection_beside(path);
  check_projection(shown, map.projection);
  raster.dx = map.dx.value(), raster.dy = map.dy.value();
  raster.x = (map.west + map.dx.half() - options.origin[0]).value();
  raster.y = (map.south + map.dy.half() - options.origin[1]).value();
  read_values(text, {text, options.heights ? options.origin[2] : Decimal(), map.nodata}, raster);
  if (options.heights) check_heights(shown, raster);
  return raster;
}

}  // namespace scree::scenes
