#include "scenes/read/read_zones.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/base/check.hpp"
#include "engine/base/lower_case.hpp"
#include "engine/base/printable.hpp"
#include "scenes/blocks/json_text.hpp"

namespace scree::scenes {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t most_code = 1'000'000'000;

std::string ending_of(const std::string& name) {
  return lower_case(std::filesystem::path(name).extension().string());
}

// What the file calls a zone, by the name or the code: its material.
struct Classes {
  std::map<std::string, MaterialIndex> by_name;
  std::map<std::int64_t, MaterialIndex> by_code;
};

Classes read_classes(TableReader& zones, const MaterialNames& materials) {
  Classes classes;
  for (TableReader& entry : zones.tables("classes")) {
    entry.exclude("code", "name");
    const std::optional<std::int64_t> code = entry.integer("code", -most_code, most_code);
    const std::optional<std::string> name = entry.text("name");
    const MaterialIndex material = read_material(entry, materials);
    if (!code && !name)
      entry.fail_missing("code", "the integer of a class of the file, or its name");
    const bool is_new = code ? classes.by_code.emplace(*code, material).second
                             : classes.by_name.emplace(*name, material).second;
    if (!is_new) entry.fail(code ? "code" : "name", "this class is given twice");
    entry.finish();
  }
  return classes;
}

template <class Key>
std::string list_of(const std::map<Key, MaterialIndex>& classes) {
  constexpr std::size_t most = 12;
  std::string text;
  std::size_t n = 0;
  for (const auto& entry : classes) {
    if (++n > most) return text + ", ...";
    text += fmt::format("{}{}", text.empty() ? "" : ", ", entry.first);
  }
  return text.empty() ? "none" : text;
}

// The zones of a raster, whose cells must lie below all nodes of the terrain.
class RasterZones {
 public:
  RasterZones(const Raster& raster, const Classes& classes, MaterialIndex elsewhere,
              const Vector3& origin)
      : raster_(raster),
        classes_(classes),
        elsewhere_(elsewhere),
        origin_(origin),
        west_((raster.map.west - Decimal::of(origin.x())).value()),
        south_((raster.map.south - Decimal::of(origin.y())).value()) {}

  // What is wrong; empty: nothing.
  std::string fault(const Raster& ground) const {
    const double east = west_ + raster_.columns * raster_.dx,
                 north = south_ + raster_.rows * raster_.dy;
    if (west_ <= ground.x && south_ <= ground.y && east >= ground.x_end() &&
        north >= ground.y_end())
      return "";
    return fmt::format(
        "does not cover the terrain: its cells go from ({:.10g}, {:.10g}) to ({:.10g}, {:.10g}), "
        "the nodes of the terrain from ({:.10g}, {:.10g}) to ({:.10g}, {:.10g})",
        west_ + origin_.x(), south_ + origin_.y(), east + origin_.x(), north + origin_.y(),
        ground.x + origin_.x(), ground.y + origin_.y(), ground.x_end() + origin_.x(),
        ground.y_end() + origin_.y());
  }

  // Throws InputError: a code without a class.
  GroundZones zones() {
    GroundZones::Cells cells{west_,           south_,       raster_.dx, raster_.dy,
                             raster_.columns, raster_.rows, {}};
    cells.zone.reserve(raster_.values.size());
    double last = 0.5;  // no code
    std::uint8_t zone = 0;
    for (std::size_t i = 0; i < raster_.values.size(); ++i) {
      const double code = raster_.values[i];
      if (code != last) zone = zone_of(code, i), last = code;
      cells.zone.push_back(zone);
    }
    return {std::move(cells), std::move(materials_), elsewhere_};
  }

 private:
  std::uint8_t zone_of(double code, std::size_t i) {
    return number_of(std::isnan(code) ? elsewhere_ : material_of(code, i));
  }

  MaterialIndex material_of(double code, std::size_t i) const {
    const auto columns = static_cast<std::size_t>(raster_.columns);
    const auto where = [&] {
      const auto column = static_cast<std::int32_t>(i % columns),
                 row = static_cast<std::int32_t>(i / columns);
      return fmt::format("at ({:.10g}, {:.10g})", raster_.x_of(column) + origin_.x(),
                         raster_.y_of(row) + origin_.y());
    };
    if (code != std::floor(code) || std::abs(code) > static_cast<double>(most_code))
      throw InputError(fmt::format("{} {} is no code; must be an integer", code, where()));
    const auto found = classes_.by_code.find(static_cast<std::int64_t>(code));
    if (found == classes_.by_code.end()) {
      throw InputError(fmt::format("the code {} {} has no class; `classes` has {}", code, where(),
                                   list_of(classes_.by_code)));
    }
    return found->second;
  }

  std::uint8_t number_of(MaterialIndex material) {
    constexpr std::size_t most = 256;
    const auto found = std::find(materials_.begin(), materials_.end(), material);
    if (found != materials_.end()) return static_cast<std::uint8_t>(found - materials_.begin());
    if (materials_.size() == most) throw InputError("more than 256 materials are not allowed");
    materials_.push_back(material);
    return static_cast<std::uint8_t>(materials_.size() - 1);
  }

  const Raster& raster_;
  const Classes& classes_;
  MaterialIndex elsewhere_;
  Vector3 origin_;
  double west_, south_;
  std::vector<MaterialIndex> materials_;
};

// Polygons of a GeoJSON text, about the origin. What it throws begins with the feature.
class PolygonReader {
 public:
  PolygonReader(const Classes& classes, const MaterialNames& materials, std::string property,
                const Vector3& origin)
      : classes_(classes),
        materials_(materials),
        property_(std::move(property)),
        x_(Decimal::of(origin.x())),
        y_(Decimal::of(origin.y())) {}

  std::vector<GroundZones::Polygon> read(const std::string& text) {
    std::optional<JsonFault> fault;
    const Json root = parse_json(text, fault);
    if (fault) {
      throw InputError(fmt::format("is no sound JSON: line {}, column {}: {}", fault->line,
                                   fault->column, fault->what));
    }
    if (word(root, "type") != "FeatureCollection")
      throw InputError("must be a GeoJSON FeatureCollection");
    refuse_degrees(root);
    const Json& features = at(root, "features");
    if (!features.is_array() || features.empty()) throw InputError("has no features");
    for (const Json& feature : features) {
      ++number_;
      read_feature(feature);
    }
    return std::move(polygons_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(fmt::format("feature {}: {}", number_, message));
  }
  static const Json& at(const Json& object, const char* key) {
    static const Json null;
    if (!object.is_object()) return null;
    const auto found = object.find(key);
    return found == object.end() ? null : *found;
  }
  static std::string word(const Json& object, const char* key) {
    const Json& value = at(object, key);
    return value.is_string() ? value.get<std::string>() : "";
  }

  static void refuse_degrees(const Json& root) {
    const std::string name = word(at(at(root, "crs"), "properties"), "name");
    if (name.ends_with("CRS84") || name.ends_with(":4326"))
      throw InputError(
          "coordinates are geographic (degrees); must be metres as those of the terrain, for "
          "example by ogr2ogr -t_srs EPSG:NUMBER");
  }

  void read_feature(const Json& feature) {
    const Json& geometry = at(feature, "geometry");
    const std::string type = word(geometry, "type");
    const Json& coordinates = at(geometry, "coordinates");
    const MaterialIndex material = material_of(feature);
    if (type == "Polygon") {
      read_polygon(coordinates, material);
    } else if (type == "MultiPolygon") {
      if (!coordinates.is_array() || coordinates.empty()) fail("has no coordinates");
      for (const Json& polygon : coordinates) read_polygon(polygon, material);
    } else {
      fail(type.empty()
               ? "has no geometry; must be a Polygon or MultiPolygon"
               : "is a " + printable(shortened(type)) + "; must be a Polygon or MultiPolygon");
    }
  }

  MaterialIndex material_of(const Json& feature) const {
    const Json& value = at(at(feature, "properties"), property_.c_str());
    if (value.is_number_integer()) {
      const auto found = classes_.by_code.find(value.get<std::int64_t>());
      if (found != classes_.by_code.end()) return found->second;
      fail(fmt::format("the code {} has no class; `classes` has {}", value.get<std::int64_t>(),
                       list_of(classes_.by_code)));
    }
    if (!value.is_string()) {
      fail(
          fmt::format("has no property \"{}\" that is a text or an integer", printable(property_)));
    }
    const auto name = value.get<std::string>();
    const auto found = classes_.by_name.find(name);
    if (found != classes_.by_name.end()) return found->second;
    const auto material = materials_.index.find(name);
    if (material != materials_.index.end()) return material->second;
    fail(fmt::format("\"{}\" is neither a material nor a name in `classes`, which has {}",
                     printable(shortened(name)), list_of(classes_.by_name)));
  }

  void read_polygon(const Json& rings, MaterialIndex material) {
    if (!rings.is_array() || rings.empty()) fail("has a polygon without rings");
    GroundZones::Polygon polygon;
    polygon.material = material;
    for (const Json& ring : rings) polygon.rings.push_back(read_ring(ring));
    polygons_.push_back(std::move(polygon));
  }

  std::vector<Vector3> read_ring(const Json& ring) const {
    constexpr std::size_t least = 4;  // the last is the first
    if (!ring.is_array() || ring.size() < least) fail("has a ring of less than four positions");
    std::vector<Vector3> corners;
    for (const Json& position : ring) {
      if (!position.is_array() || position.size() < 2 || !position[0].is_number() ||
          !position[1].is_number())
        fail("has a position that is no two numbers");
      corners.emplace_back(coordinate(position[0], x_), coordinate(position[1], y_), 0.0);
    }
    if (corners.front() != corners.back()) fail("has a ring whose last position is not its first");
    corners.pop_back();
    return corners;
  }

  double coordinate(const Json& number, const Decimal& origin) const {
    const auto value = number.get<double>();
    if (!is_admitted_coordinate(value))
      fail(fmt::format("{} is not allowed; must be {}", value, admitted_coordinate));
    return (Decimal::of(value) - origin).value();
  }

  const Classes& classes_;
  const MaterialNames& materials_;
  std::string property_;
  Decimal x_, y_;
  std::size_t number_ = 0;
  std::vector<GroundZones::Polygon> polygons_;
};

// Whether any of them lies over the raster.
bool reach(const std::vector<GroundZones::Polygon>& polygons, const Raster& ground) {
  return std::ranges::any_of(polygons, [&](const GroundZones::Polygon& polygon) {
    Vector3 low = polygon.rings[0][0], high = low;
    for (const Vector3& corner : polygon.rings[0])
      low = low.cwiseMin(corner), high = high.cwiseMax(corner);
    return low.x() <= ground.x_end() && high.x() >= ground.x && low.y() <= ground.y_end() &&
           high.y() >= ground.y;
  });
}

}  // namespace

std::shared_ptr<const GroundZones> read_zones(TableReader& body, const MaterialNames& materials,
                                              const Shape& shape, MaterialIndex elsewhere) {
  // Other kinds of bodies do not offer the key.
  if (!std::holds_alternative<Terrain>(shape) && !body.has("zones")) return nullptr;
  std::optional<TableReader> table = body.table("zones");
  if (!table) return nullptr;
  const auto* terrain = std::get_if<Terrain>(&shape);
  if (terrain == nullptr)
    body.fail("zones", "only a terrain has zones; leave it out, or take kind = \"terrain\"");
  const char* expected =
      "the name of a raster of classes (.asc, .xyz, .tif) or of polygons "
      "(.geojson, .json)";
  const std::string file = table->need(table->text("file"), "file", expected);
  const std::string property = table->text("property").value_or("material");
  const Classes classes = read_classes(*table, materials);
  table->finish();
  Document& document = table->document();
  const Place place = table->place("file");
  const std::string field = table->field("file"), ending = ending_of(file);
  const auto made = [&](auto&& make) {
    try {
      return std::make_shared<GroundZones>(make());
    } catch (const InputError& error) {
      document.fail(place, field, document.path_of(file) + ": " + error.what());
    }
  };
  const Raster& ground = terrain->raster();
  std::shared_ptr<GroundZones> zones;
  if (ending == ".geojson" || ending == ".json") {
    const std::string& text = document.read_file(place, field, file);
    zones = made([&] {
      const std::vector<GroundZones::Polygon> polygons =
          PolygonReader(classes, materials, property, document.origin()).read(text);
      if (!reach(polygons, ground))
        throw InputError(
            "none of its polygons lies over the terrain; are its coordinates degrees?");
      return GroundZones(polygons, elsewhere);
    });
  } else {
    if (table->has("property")) table->fail("property", "a raster has no properties; leave it out");
    const std::shared_ptr<const Raster> raster = document.read_classes(place, field, file);
    if (raster == nullptr) return nullptr;
    zones = made([&] {
      RasterZones cells(*raster, classes, elsewhere, document.origin());
      if (const std::string fault = cells.fault(ground); !fault.empty()) throw InputError(fault);
      return cells.zones();
    });
  }
  zones->file = file;
  return zones;
}

}  // namespace scree::scenes
