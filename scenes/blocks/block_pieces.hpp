// Meshes of several closed pieces taken apart.
#pragma once

#include <vector>

#include "scenes/blocks/block_model.hpp"

namespace scree::blocks {

// A block of some of another's faces, with the vertices that these have.
Block part_of(const Block& block, const std::vector<std::size_t>& faces);

// Faces that hang together by the vertices that they share as the file numbers them.
std::vector<std::vector<std::size_t>> sharing_vertices(const Block& block);

// One mesh of many blocks, in pieces. Blocks that touch have corners at the same places, so this
// comes before vertices are welded.
std::vector<Block> pieces_of(const Block& block);

}  // namespace scree::blocks
