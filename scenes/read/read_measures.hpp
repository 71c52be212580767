// What a scene measures: [record], [[group]], [[screen]], and the key `group` of what makes bodies.
#pragma once

#include "scenes/read/scene_builder.hpp"
#include "scenes/read/table_reader.hpp"

namespace scree::scenes {

// `group` of a body or generator; empty: none.
std::string read_group(TableReader& reader);

// After all bodies; `group_of_body` has the group that each was given in its own table.
void read_measures(TableReader& file, const Scene& scene,
                   const std::vector<std::string>& group_of_body, MeasureSettings& measure);

}  // namespace scree::scenes
