// `zones` of a terrain: a raster of classes, or polygons in GeoJSON.
#pragma once

#include <memory>

#include "engine/model/bodies.hpp"
#include "scenes/read/read_body.hpp"
#include "scenes/read/table_reader.hpp"

namespace scree::scenes {

// Null without the key. `elsewhere`: the material of the body.
std::shared_ptr<const GroundZones> read_zones(TableReader& body, const MaterialNames& materials,
                                              const Shape& shape, MaterialIndex elsewhere);

}  // namespace scree::scenes
