// What a raster must be, whatever file it comes from.
#pragma once

#include <string>

#include "engine/base/raster.hpp"

namespace scree::scenes {

// Cells are numbered in 27 bits: 134 million.
inline constexpr std::int64_t most_nodes = std::int64_t{1} << 27;

// Throws InputError("SHOWN: ...") unless the size can be kept.
void require_size(const std::string& shown, std::int64_t columns, std::int64_t rows);

// Throws InputError if it has no cell with data, or heights that no ground has: where neighbours
// differ by more than a hundred cells on average the cells are in degrees, not in metres.
void check_heights(const std::string& shown, const Raster& raster);

// WKT beside a file: throws InputError if it says degrees or feet. Empty: nothing is known.
void check_projection(const std::string& shown, const std::string& wkt);

}  // namespace scree::scenes
