// Files of HDF5 that are whole and hold odd things: edited with the library itself.
#pragma once

#include <string>
#include <vector>

#include "tests/fuzz/mutate.hpp"

namespace scree::fuzz {

// One of the corpus with one or a few edits: numbers put out of their range, tables longer,
// shorter, empty, of another type or rank, left out, exchanged for others, added; the same of
// attributes; links elsewhere. `scratch` names a file that is overwritten. What the library cannot
// open for writing comes back as it is.
std::string edit_hdf5(const std::vector<std::string>& corpus, Random& random,
                      const std::string& scratch);

}  // namespace scree::fuzz
