// What is fuzzed: each reads one input as the program does, and says what came of it.
#pragma once

#include <string>
#include <vector>

#include "tests/fuzz/mutate.hpp"

namespace scree::fuzz {

// How an input was answered. By form: it is no TOML or no sound HDF5 file, or its checksum differs;
// by content: what it says cannot be.
enum class Outcome { refused_form, refused_content, accepted };

struct Answer {
  Outcome outcome = Outcome::accepted;
  std::string fault;  // what must not have happened; empty: nothing
};

struct Target {
  const char* name;
  // `scratch` is a file that may be written meanwhile.
  std::string (*make)(const std::vector<std::string>& corpus, Random& random,
                      const std::string& scratch);
  // Reads the input; `scratch` is where it may be put.
  Answer (*read)(const std::string& input, const std::string& scratch);
  // It is read through the HDF5 library, whose own crashes are what the guarded child is for.
  bool hdf5 = false;
};

const std::vector<Target>& targets();

}  // namespace scree::fuzz
