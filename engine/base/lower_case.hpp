// Words that count the same in capital and small letters: endings of files, keywords.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace scree {

// ASCII letters small; everything else as it is.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace scree
