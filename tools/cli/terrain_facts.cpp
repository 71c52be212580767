#include "tools/cli/terrain_facts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numbers>
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
};

std::vector<TerrainFacts> terrain_facts(const Scene& scene) {
  constexpr double degrees = 180.0 / std::numbers::pi;
  const Model& model = scene.model;
  std::vector<TerrainFacts> list;
  for (const TerrainPart& part : terrains_of(model)) {
    const auto body = static_cast<std::size_t>(part.body);
    const auto& terrain = std::get<Terrain>(model.shapes[static_cast<std::size_t>(part.shape)]);
    const TerrainRaster& ground = *terrain.ground;
    const Vector3 shift = terrain.shift + scene.state.x[body] + model.origin;
    list.push_back({model.name[body], terrain.file, &ground,
                    shift + Vector3(ground.raster.x, ground.raster.y, ground.lowest),
                    shift + Vector3(ground.raster.x_end(), ground.raster.y_end(), ground.highest),
                    degrees * std::atan(ground.steepest)});
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
  }
  return list;
}

}  // namespace scree
