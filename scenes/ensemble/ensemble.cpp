#include "scenes/ensemble/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "engine/base/check.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/version.hpp"
#include "engine/state_hash.hpp"
#include "scenes/arithmetic.hpp"
#include "scenes/ensemble/release_place.hpp"
#include "scenes/read/document.hpp"
#include "scenes/read/scene_file.hpp"

namespace scree::ensemble {
namespace {

constexpr std::int32_t most_cells = 100'000'000;

// Releases take turns: run k of n stands at (k + 1/2) / n, compared without rounding.
std::vector<RunId> interleaved(const site::Site& site) {
  std::vector<RunId> runs;
  for (std::size_t r = 0; r < site.releases.size(); ++r) {
    for (std::int64_t k = 0; k < site.releases[r].n_runs(); ++k)
      runs.push_back({static_cast<std::int32_t>(r), k});
  }
  const auto n = [&](const RunId& id) {
    return site.releases[static_cast<std::size_t>(id.release)].n_runs();
  };
  std::ranges::stable_sort(runs, [&](const RunId& a, const RunId& b) {
    return (2 * a.number + 1) * n(b) < (2 * b.number + 1) * n(a);
  });
  return runs;
}

// ":LINE:COLUMN" of a key in the scene's text; nothing where it is not there, or was set from
// outside. Of a list of tables its first.
std::string place_in_text(const Scene& scene, std::string_view field) {
  const toml::table root = scenes::parse_toml(scene.source, scene.source_name);
  const toml::node* node = &root;
  for (std::size_t begin = 0; begin < field.size();) {
    const std::size_t end = std::min(field.find('.', begin), field.size());
    if (const toml::array* list = node->as_array(); list != nullptr && !list->empty())
      node = list->get(0);
    const toml::table* table = node->as_table();
    const toml::node* next =
        table == nullptr ? nullptr : table->get(field.substr(begin, end - begin));
    if (next == nullptr) break;
    node = next;
    begin = end + 1;
  }
  const toml::source_position at = node->source().begin;
  return node == &root || at.line == 0 ? "" : fmt::format(":{}:{}", at.line, at.column);
}

[[noreturn]] void fail(const Scene& scene, const std::string& field, const std::string& message) {
  throw InputError(
      fmt::format("{}{}: {}: {}", scene.source_name, place_in_text(scene, field), field, message));
}

}  // namespace

Ensemble::Ensemble(Scene scene)
    : scene_(std::move(scene)),
      ground_(scene_.model, scene_.state, scene_.ensemble->ground),
      map_(scene_.ensemble->map),
      runs_(interleaved(*scene_.ensemble)) {
  refuse_off_terrain(scene_);
  refuse_overlaps(scene_, overlaps_at_start(scene_));
  require_finite_energy(scene_);
  scene_.settings.threads = 1;
  scene_.settings.backend = Backend::serial;
  place_map();
  refuse_places_without_ground();
}

// Where the scene says nothing the map is that of the ground.
void Ensemble::place_map() {
  if (map_.columns > 0) return;
  const Vector3 low = ground_.low(), high = ground_.high();
  if (!(std::isfinite(low.x() + low.y()) && std::isfinite(high.x() + high.y()))) {
    fail(scene_, "ensemble.map",
         "low and high are missing; the ground has no end that could bound the map");
  }
  const auto count = [&](int axis) {
    const double n = std::ceil((high[axis] - low[axis]) / map_.cell - 1e-9);
    if (!(n >= 1.0 && n <= most_cells)) fail(scene_, "ensemble.map.cell", "gives no usable map");
    return static_cast<std::int32_t>(n);
  };
  map_.low = Vector3(low.x(), low.y(), 0.0);
  map_.columns = count(0), map_.rows = count(1);
  if (map_.n_cells() > most_cells) {
    fail(scene_, "ensemble.map.cell",
         fmt::format("{:g} m gives a map of {} cells; at most {} are allowed", map_.cell,
                     map_.n_cells(), most_cells));
  }
}

// Every place is known before a run, so none is found at the end of a night.
void Ensemble::refuse_places_without_ground() const {
  for (const RunId& id : runs_) {
    const ReleasePlace place = release_place(site(), id);
    if (std::isfinite(ground_.at(place.x, place.y).height) && cell_of(map_, place.x, place.y) >= 0)
      continue;
    const site::Release& release = site().releases[static_cast<std::size_t>(id.release)];
    const Vector3& origin = scene_.model.origin;
    fail(scene_, "ensemble.release",
         fmt::format("\"{}\": there is no ground under run {} at ({:.10g}, {:.10g}){}",
                     printable(release.name), id.number, place.x + origin.x(), place.y + origin.y(),
                     cell_of(map_, place.x, place.y) < 0 ? ", which is outside the map" : ""));
  }
}

MemberTable Ensemble::table() const {
  MemberTable table;
  std::string edits;
  for (const std::string& edit : scene_.edits) edits += edit + "\n";
  table.identity =
      fmt::format("ensemble 1\n{}\n{}\n{}\n{}\n{}", program_name(), arithmetic_fingerprint(),
                  scene_hash(scene_.source, scene_.files), state_hash(scene_.state), edits);
  for (const RunId& id : runs_) table.key.push_back(fmt::format("{} {}", id.release, id.number));
  table.columns = run_columns();
  return table;
}

}  // namespace scree::ensemble
