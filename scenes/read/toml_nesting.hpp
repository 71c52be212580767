// How deep the tables of a TOML text lie in each other, before it is parsed: the parser, and what
// frees its tables, call themselves for each level, so a key of forty thousand parts would be the
// end of the stack.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "scenes/read/scene.hpp"

namespace scree::scenes {

inline constexpr int deepest_nesting = 64;  // parts of a dotted key, and brackets in each other

// Where the text first goes deeper than that. It may be no TOML at all: then the parser says so.
std::optional<Place> find_too_deep(std::string_view text);

}  // namespace scree::scenes
