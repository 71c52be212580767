// What acts on bodies besides gravity and contacts: `load` and `drag` of a body, `acceleration` of
// [world].
#pragma once

#include <string>
#include <vector>

#include "engine/model/loads.hpp"
#include "scenes/read/table_reader.hpp"

namespace scree::scenes {

// `time` of a table: each later than the one before.
std::vector<double> read_times(TableReader& reader);

// The loads of a body, `load = {...}` or [[body.load]]; directions and points as its shape is
// drawn.
std::vector<Load> read_loads(TableReader& body);

// The loads of [[load]], each of which names its body: also one that a generator makes.
struct NamedLoad {
  std::string body;
  Place place;  // of that name
  Load load;
};
std::vector<NamedLoad> read_named_loads(TableReader& file);

// `drag`.
Drag read_drag(TableReader& body);

// The field besides gravity, `acceleration = {...}` or [[world.acceleration]].
std::vector<FieldRecord> read_field(TableReader& world);

}  // namespace scree::scenes
