#include "scenes/raster/raster_store.hpp"

#include <fmt/format.h>

#include "engine/state_hash.hpp"

namespace scree {

std::shared_ptr<const TerrainRaster> RasterStore::ground(const std::string& path,
                                                         const std::string& shown,
                                                         const Vector3& origin, Diagonal diagonal) {
  const std::lock_guard lock(mutex_);
  for (const Entry& entry : entries_) {
    if (entry.path == path && entry.origin == origin && entry.diagonal == diagonal)
      return entry.ground;
  }
  scenes::RasterOptions options;
  for (int axis = 0; axis < 3; ++axis)
    options.origin[static_cast<std::size_t>(axis)] = Decimal::of(origin(axis));
  options.shown = shown;
  Raster raster = scenes::read_raster(path, options);
  raster.diagonal = diagonal;
  std::string hash = sha256(raster.values.data(), raster.values.size() * sizeof(double));
  entries_.push_back({path, origin, diagonal, make_terrain_raster(std::move(raster), hash)});
  return entries_.back().ground;
}

namespace scenes {

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
