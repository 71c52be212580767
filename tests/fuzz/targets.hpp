// What is fuzzed: each reads one input as the program does, and says what must not have happened.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/fuzz/mutate.hpp"

namespace scree::fuzz {

struct Target {
  const char* name;
  std::string (*make)(const std::vector<std::string>& corpus, Random& random);
  // Reads the input; `file` is where it may be put. What is wrong with the answer; empty: accepted,
  // or refused as it should be.
  std::string (*read)(const std::string& input, const std::string& file);
};

const std::vector<Target>& targets();

}  // namespace scree::fuzz
