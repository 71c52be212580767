// Bodies of a scene file: [[body]] and the keys that the generators share with it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenes/read/read_shape.hpp"
#include "scenes/read/scene_builder.hpp"
#include "scenes/read/table_reader.hpp"

namespace scree::scenes {

// Materials by name, with the densities that bodies take when they give none.
struct MaterialNames {
  std::map<std::string, MaterialIndex> index;
  std::map<std::string, double> density;  // [kg/m3]
  std::vector<AppliedGround> grounds;     // that pairs name
};

// The required key `material`.
MaterialIndex read_material(TableReader& reader, const MaterialNames& materials);

// `density`, or that of the material; 0 when neither gives one.
double read_density(TableReader& reader, const MaterialNames& materials);

// Throws: a density is needed and there is none.
[[noreturn]] void fail_without_density(const TableReader& reader);

// `material` and `density` of the bodies that a generator makes; a density is needed.
BodyDefinition read_generated_definition(TableReader& reader, const MaterialNames& materials);

// The required number of something, in [1, most].
int read_count(TableReader& reader, const std::string& key, std::int64_t most);

// `seed`, >= 0; 1 when there is none.
std::uint64_t read_seed(TableReader& reader);

// `orientation` (unit quaternion) or `rotation` (axis and angle); neither: identity.
Quaternion read_orientation(TableReader& reader);

// All keys of a body but those of its shape.
void read_body(TableReader& reader, const MaterialNames& materials, const DrawnShape& shape,
               SceneBuilder& builder);

// One [[body]], whose shape is a named one or drawn in place.
void read_body_with_shape(TableReader& reader, const MaterialNames& materials,
                          const ShapeTable& shapes, SceneBuilder& builder);

}  // namespace scree::scenes
