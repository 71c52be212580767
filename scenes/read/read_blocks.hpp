// [[blocks]] of a scene file: bodies that somebody drew in another program.
#pragma once

#include "scenes/read/read_body.hpp"

namespace scree::scenes {

void read_blocks(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder);

}  // namespace scree::scenes
