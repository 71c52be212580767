// Which blocks stand still.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/blocks/solids.hpp"

namespace scree::blocks {

constexpr const char* supports_expected =
    "marked, lowest, ends, all, none, z<HEIGHT, or names of blocks (with * and ?)";

// Whether `text` is `pattern`, in which * stands for any letters and ? for one.
bool matches(std::string_view pattern, std::string_view text);

// Which solids the patterns name, by name or by key. Throws InputError("supports: ...") for a
// pattern that names none.
std::vector<std::uint8_t> named_by(const std::vector<Solid>& solids,
                                   const std::vector<std::string>& patterns);

// Sets the supports: those that `choice` names; an empty choice is those that the file marks, else
// the lowest. Returns how they were found, in words.
std::string choose_supports(std::vector<Solid>& solids, const std::vector<std::string>& choice);

}  // namespace scree::blocks
