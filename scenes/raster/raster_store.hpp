// Rasters that scenes name, each read once however many scenes are made of it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/model/shapes/terrain.hpp"
#include "scenes/raster/read_raster.hpp"

namespace scree {

// Safe to be shared by threads.
class RasterStore {
 public:
  // The ground of a file, about `origin` (map coordinates). Throws InputError as read_raster does.
  std::shared_ptr<const TerrainRaster> ground(const std::string& path, const std::string& shown,
                                              const Vector3& origin, Diagonal diagonal);
  // Classes of a file, which are no heights.
  std::shared_ptr<const Raster> classes(const std::string& path, const std::string& shown,
                                        const Vector3& origin);

 private:
  struct Entry {
    std::string path;
    Vector3 origin = Vector3::Zero();
    Diagonal diagonal = Diagonal::smaller_step;
    std::shared_ptr<const TerrainRaster> ground;
  };
  struct Classes {
    std::string path;
    Vector3 origin = Vector3::Zero();
    std::shared_ptr<const Raster> raster;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;
  std::vector<Classes> classes_;
};

namespace scenes {

// One line that tells a raster from others, whatever file it comes from: what a run keeps of it.
std::string digest_of(const TerrainRaster& ground);
std::string digest_of_classes(const Raster& raster);

}  // namespace scenes
}  // namespace scree
