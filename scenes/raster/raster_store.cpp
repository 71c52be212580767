#include "scenes/raster/raster_store.hpp"

#include <fmt/format.h>

#include "engine/state_hash.hpp"

namespace scree {
namespace {

scenes::RasterOptions options_about(const Vector3& origin, const std::string& shown) {
  scenes::RasterOptions options;
  for (int axis = 0; axis < 3; ++axis)
    options.origin[static_cast<std::size_t>(axis)] = Decimal::of(origin(axis));
  options.shown = shown;
  return options;
}

}  // namespace

std::shared_ptr<const TerrainRaster> RasterStore::ground(const std::string& path,
                                                         const std::string& shown,
                                                         const Vector3& origin, Diagonal diagonal) {
  const std::lock_guard lock(mutex_);
  for (const Entry& entry : entries_) {
    if (entry.path == path && entry.origin == origin && entry.diagonal == diagonal)
      return entry.ground;
  }
  Raster raster = scenes::read_raster(path, options_about(origin, shown));
  raster.diagonal = diagonal;
  std::string hash = sha256(raster.values.data(), raster.values.size() * sizeof(double));
  entries_.push_back({path, origin, diagonal, make_terrain_raster(std::move(raster), hash)});
  return entries_.back().ground;
}

std::shared_ptr<const Raster> RasterStore::classes(const std::string& path,
                                                   const std::string& shown,
                                                   const Vector3& origin) {
  const std::lock_guard lock(mutex_);
  for (const Classes& entry : classes_) {
    if (entry.path == path && entry.origin == origin) return entry.raster;
  }
  scenes::RasterOptions options = options_about(origin, shown);
  options.heights = false;
  classes_.push_back(
      {path, origin, std::make_shared<const Raster>(scenes::read_raster(path, options))});
  return classes_.back().raster;
}

namespace scenes {

std::string digest_of_classes(const Raster& raster) {
  return fmt::format("classes of {} x {} cells, from ({}, {}) in steps of ({}, {}), sha256 {}\n",
                     raster.columns, raster.rows, raster.x, raster.y, raster.dx, raster.dy,
                     sha256(raster.values.data(), raster.values.size() * sizeof(double)));
}

std::string digest_of(const TerrainRaster& ground) {
  const Raster& raster = ground.raster;
  return fmt::format(
      "raster of {} x {} nodes, from ({}, {}) in steps of ({}, {}), heights {} to {}, {} of {} "
      "cells "
      "without data, sha256 {}\n",
      raster.columns, raster.rows, raster.x, raster.y, raster.dx, raster.dy, ground.lowest,
      ground.highest, ground.holes, ground.holes + ground.cells, ground.sha256);
}

}  // namespace scenes
}  // namespace scree
