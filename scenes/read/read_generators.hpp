// Generators of a scene file: [[wall]], [[rock]], [[stack]], [[arch]], [[pyramid]],
// [[rough_plate]]. Each adds bodies.
#pragma once

#include "scenes/read/read_body.hpp"

namespace scree::scenes {

void read_wall(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder);
void read_rock(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder);
void read_arch(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder);
void read_stack(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder);
void read_pyramid(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder);
void read_rough_plate(TableReader& reader, const MaterialNames& materials, SceneBuilder& builder);

}  // namespace scree::scenes
