#include "scenes/read/scene_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "engine/base/check.hpp"
#include "engine/base/input_file.hpp"
#include "engine/base/printable.hpp"
#include "engine/departures.hpp"
#include "engine/observe.hpp"
#include "engine/periodic_cell.hpp"
#include "scenes/read/initial_state.hpp"
#include "scenes/read/scene_edits.hpp"

namespace scree {

Scene read_scene_file(const std::string& path, const SceneChange& change) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string text = read_input_file(path);
  require(text.compare(0, 4, "\x89HDF") != 0, path,
          "is an HDF5 file, as results are; must be a scene, a text file in TOML");
  Scene scene = parse_scene(
      text, path,
      [&](const std::string& name) { return read_input_file((folder / name).string()); }, change);
  take_initial_state(scene);
  return scene;
}

void take_initial_state(Scene& scene) {
  if (scene.initial_from.empty()) return;
  const std::filesystem::path path =
      std::filesystem::path(scene.source_name).parent_path() / scene.initial_from;
  std::optional<ResultReader> results;
  try {
    results.emplace(path.string());
  } catch (const InputError& error) {
    fail_at(scene, scene.initial_place, "initial.from", error.what());
  }
  start_from(*results, scene.initial_from, scene);
  enter_cell(scene.model, scene.state);
}

std::vector<collision::Overlap> overlaps_at_start(const Scene& scene) {
  return collision::find_overlaps(scene.model,
                                  {scene.state.x, scene.state.q, scene.state.image_shift},
                                  scene.state.active, scene.settings.overlap_tolerance);
}

void require_finite_energy(const Scene& scene) {
  State state = scene.state;
  const LedgerRow row = first_record(scene.model, state).ledger;
  if (std::isfinite(row.kinetic) && std::isfinite(row.potential)) return;
  fail_at(scene, scene.initial_from.empty() ? Place{} : scene.initial_place,
          scene.initial_from.empty() ? "body" : "initial.from",
          "the energy at the start is not finite; speeds, heights or masses are too large");
}

std::string describe(const Model& model, const collision::Overlap& overlap) {
  return fmt::format("'{}' and '{}' by {:.3g} m",
                     model.name[static_cast<std::size_t>(overlap.body_a)],
                     model.name[static_cast<std::size_t>(overlap.body_b)], overlap.depth);
}

namespace {

// Where a terrain has nodes, seen from above, grown by a cell [m].
struct Plan {
  Vector3 low = Vector3::Zero(), high = Vector3::Zero();
};

Plan plan_of(const Scene& scene, const TerrainPart& part) {
  const auto& terrain = std::get<Terrain>(scene.model.shapes[static_cast<std::size_t>(part.shape)]);
  const Raster& raster = terrain.raster();
  const Vector3 shift = terrain.shift + scene.state.x[static_cast<std::size_t>(part.body)];
  const Vector3 cell(raster.dx, raster.dy, 0.0);
  return {shift + Vector3(raster.x, raster.y, 0.0) - cell,
          shift + Vector3(raster.x_end(), raster.y_end(), 0.0) + cell};
}

// Between two rasters that meet or overlap nobody knows the ground: a rim has neither edges nor
// sides.
void refuse_seams(const Scene& scene, const std::vector<TerrainPart>& terrains) {
  const Model& model = scene.model;
  for (std::size_t b = 1; b < terrains.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const auto one = static_cast<std::size_t>(terrains[a].body),
                 other = static_cast<std::size_t>(terrains[b].body);
      const Plan plan_a = plan_of(scene, terrains[a]), plan_b = plan_of(scene, terrains[b]);
      const bool apart = (plan_a.low.array() > plan_b.high.array()).any() ||
                         (plan_b.low.array() > plan_a.high.array()).any();
      if (apart || model.vanishes_at[one] <= model.appears_at[other] ||
          model.vanishes_at[other] <= model.appears_at[one])
        continue;
      const Place place = scene.body_place[other];
      throw InputError(printable(fmt::format(
          "{}{}:{}:{}: the rasters of \"{}\" and \"{}\" meet or overlap; make one of them (for "
          "example gdal_merge.py -o both.tif a.tif b.tif), as there is no ground across a seam",
          scenes::edits_prefix(scene.edits), scene.source_name, place.line, place.column,
          model.name[one], model.name[other])));
    }
  }
}

}  // namespace

void refuse_off_terrain(const Scene& scene) {
  const Model& model = scene.model;
  const std::vector<TerrainPart> terrains = terrains_of(model);
  refuse_seams(scene, terrains);
  for (BodyIndex body = 0; body < model.n_bodies() && !terrains.empty(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    if (!model.is_dynamic(body) || is_on_terrain(model, scene.state, terrains, i)) continue;
    const Vector3 x = scene.state.x[i] + model.origin;
    const Place place = scene.body_place[i];
    throw InputError(printable(fmt::format(
        "{}{}:{}:{}: the body \"{}\" starts off the terrain: at ({:.10g}, {:.10g}) it is beyond "
        "the "
        "rim or over cells without data, or its box reaches there at the height of the ground; "
        "let it start farther inside, or take a larger raster",
        scenes::edits_prefix(scene.edits), scene.source_name, place.line, place.column,
        model.name[i], x.x(), x.y())));
  }
}

void refuse_overlaps(const Scene& scene, const std::vector<collision::Overlap>& overlaps) {
  if (overlaps.empty() || scene.settings.allow_initial_overlap) return;
  const Place place = scene.body_place[static_cast<std::size_t>(overlaps.front().body_b)];
  const std::size_t more = overlaps.size() - 1;
  throw InputError(fmt::format(
      "{}{}:{}:{}: overlap at the start: {}{}; more than {:g} of the smaller body's size is not "
      "allowed; move them apart or set "
      "allow_initial_overlap = true",
      scenes::edits_prefix(scene.edits), scene.source_name, place.line, place.column,
      describe(scene.model, overlaps.front()),
      more == 0 ? "" : fmt::format(", the deepest, and {} more pair{}", more, more == 1 ? "" : "s"),
      scene.settings.overlap_tolerance));
}

}  // namespace scree
