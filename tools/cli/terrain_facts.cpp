#include "tools/cli/terrain_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>
#include <vector>

#include "engine/base/printable.hpp"
#include "engine/departures.hpp"

namespace scree {
namespace {

// A terrain in its place, map coordinates [m].
struct TerrainFacts {
  std::string name, file;
  const TerrainRaster* ground = nullptr;
  Vector3 low = Vector3::Zero(), high = Vector3::Zero();
  double steepest_deg = 0.0;
  const GroundZones* zones = nullptr;
  std::vector<std::pair<std::string, double>> shares;  // [-] of the area, by material
};

// Seen from above, by the materials at the middles of cells: all, or every n-th row and column.
std::vector<std::pair<std::string, double>> shares_of(const TerrainRaster& ground,
                                                      const GroundZones& zones,
                                                      const MaterialTable& materials) {
  constexpr std::int32_t most = 2000;  // along an axis
  const Raster& raster = ground.raster;
  const std::int32_t by_row = raster.rows / most + 1, by_column = raster.columns / most + 1;
  std::vector<std::int64_t> count(materials.name.size(), 0);
  std::int64_t all = 0;
  for (std::int32_t row = by_row / 2; row < raster.rows - 1; row += by_row) {
    for (std::int32_t column = by_column / 2; column < raster.columns - 1; column += by_column) {
      if (raster.is_hole(column, row)) continue;
      const MaterialIndex material =
          zones.at(raster.x_of(column) + 0.5 * raster.dx, raster.y_of(row) + 0.5 * raster.dy);
      ++count[static_cast<std::size_t>(material)], ++all;
    }
  }
  std::vector<std::pair<std::string, double>> shares;
  for (const MaterialIndex material : zones.materials()) {
    const auto m = static_cast<std::size_t>(material);
    shares.emplace_back(materials.name[m], static_cast<double>(count[m]) /
                                               static_cast<double>(std::max<std::int64_t>(all, 1)));
  }
  return shares;
}

std::vector<TerrainFacts> terrain_facts(const Scene& scene) {
  constexpr double degrees = 180.0 / std::numbers::pi;
  const Model& model = scene.model;
  std::vector<TerrainFacts> list;
  for (const TerrainPart& part : terrains_of(model)) {
    const auto body = static_cast<std::size_t>(part.body);
    const auto& terrain = std::get<Terrain>(model.shapes[static_cast<std::size_t>(part.shape)]);
    const TerrainRaster& ground = *terrain.ground;
    const Vector3 shift = terrain.shift + scene.state.x[body] + model.origin;
    list.push_back({model.name[body],
                    terrain.file,
                    &ground,
                    shift + Vector3(ground.raster.x, ground.raster.y, ground.lowest),
                    shift + Vector3(ground.raster.x_end(), ground.raster.y_end(), ground.highest),
                    degrees * std::atan(ground.steepest),
                    nullptr,
                    {}});
    for (const ZonedBody& zoned : model.zoned) {
      if (zoned.body != part.body) continue;
      list.back().zones = zoned.zones.get();
      list.back().shares = shares_of(ground, *zoned.zones, model.materials);
    }
  }
  return list;
}

}  // namespace

std::string terrain_lines(const Scene& scene) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const TerrainFacts& t : terrain_facts(scene)) {
    const Raster& raster = t.ground->raster;
    fmt::format_to(out, "terrain      {}: {} x {} nodes of {}, {:g} x {:g} m apart, {} cells\n",
                   printable(t.name), raster.columns, raster.rows, printable(t.file), raster.dx,
                   raster.dy, t.ground->cells);
    fmt::format_to(out,
                   "             from ({:.10g}, {:.10g}) to ({:.10g}, {:.10g}), heights {:.10g} to "
                   "{:.10g} m\n",
                   t.low.x(), t.low.y(), t.high.x(), t.high.y(), t.low.z(), t.high.z());
    fmt::format_to(out, "             steepest {:.1f} degrees; {:.1f} % steeper than 45 degrees\n",
                   t.steepest_deg, 100.0 * t.ground->steep);
    if (t.ground->holes > 0)
      fmt::format_to(out, "             {} cells without data: bodies that come there leave\n",
                     t.ground->holes);
    if (t.zones == nullptr) continue;
    text += fmt::format("             material by zones of {}:", printable(t.zones->file));
    for (const auto& [name, share] : t.shares)
      text += fmt::format("{} {} {:.1f} %", &share == &t.shares[0].second ? "" : ",",
                          printable(name), 100.0 * share);
    text += " of the area\n";
  }
  return text;
}

nlohmann::ordered_json terrain_json(const Scene& scene) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const TerrainFacts& t : terrain_facts(scene)) {
    const Raster& raster = t.ground->raster;
    list.push_back({{"body", t.name},
                    {"file", t.file},
                    {"nodes", {raster.columns, raster.rows}},
                    {"spacing", {raster.dx, raster.dy}},
                    {"low", {t.low.x(), t.low.y(), t.low.z()}},
                    {"high", {t.high.x(), t.high.y(), t.high.z()}},
                    {"cells", t.ground->cells},
                    {"cells_without_data", t.ground->holes},
                    {"steepest_deg", t.steepest_deg},
                    {"share_steeper_than_45", t.ground->steep}});
    if (t.zones == nullptr) continue;
    nlohmann::ordered_json shares;
    for (const auto& [name, share] : t.shares) shares[name] = share;
    list.back()["zones"] = {{"file", t.zones->file}, {"share_of_area", shares}};
  }
  return list;
}

}  // namespace scree
