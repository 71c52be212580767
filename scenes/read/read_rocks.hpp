// [[ensemble.rock]]: the rocks that an ensemble draws from.
#pragma once

#include <vector>

#include "scenes/read/read_body.hpp"
#include "scenes/site/site.hpp"

namespace scree::scenes {

std::vector<site::Rock> read_rocks(TableReader& ensemble, const MaterialNames& materials);

}  // namespace scree::scenes
