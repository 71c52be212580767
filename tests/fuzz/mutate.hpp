// Inputs made from others: the kinds of damage that files and people do. The same seed gives the
// same input.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace scree::fuzz {

using Random = std::mt19937_64;

template <class List>
const auto& any_of(const List& list, Random& random) {
  return list[random() % list.size()];
}

// Bytes changed, cut off, put in, moved; words of 2, 4 and 8 bytes replaced by sizes and addresses
// that lead astray.
std::string mutate_bytes(const std::vector<std::string>& corpus, Random& random);

// Tokens of TOML changed for others, left out, doubled, wrapped in brackets; numbers replaced by
// those at the ends of their range.
std::string mutate_toml(const std::vector<std::string>& corpus, Random& random);

}  // namespace scree::fuzz
