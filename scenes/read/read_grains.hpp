// [[grains]], [[fragments]] and [column] of a scene file.
#pragma once

#include "scenes/read/read_body.hpp"

namespace scree::scenes {

void read_grains(TableReader& reader, const MaterialNames& materials, const ShapeTable& shapes,
                 SceneBuilder& builder);
void read_fragments(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder);
void read_column(TableReader& reader, const MaterialNames& materials, const ShapeTable& shapes,
                 SceneBuilder& builder);

}  // namespace scree::scenes
