// What a scene measures: [record], [[group]], [[screen]], and the key `group` of what makes bodies.
#pragma once

#include "scenes/read/scene_builder.hpp"
#include "scenes/read/table_reader.hpp"

namespace scree::scenes {

// `group` of a body or generator; empty: none.
std::string read_group(TableReader& reader);

// Why a body, a group or a device cannot be named so, as a message goes on after the name; empty:
// it can.
std::string fault_of_measured_name(const std::string& name);

// After all bodies; `group_of_body` has the group that each was given in its own table.
void read_measures(TableReader& file, const Scene& scene,
                   const std::vector<std::string>& group_of_body, MeasureSettings& measure);

}  // namespace scree::scenes
