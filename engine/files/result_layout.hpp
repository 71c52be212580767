// The parts of a result file that are written once, and the empty tables. Private to the result
// writer.
#pragma once

#include "engine/base/hdf5_file.hpp"
#include "engine/files/result_writer.hpp"

namespace scree {

// Writes attributes, /scene, /settings, /materials, /bodies, /shapes and the empty tables into a
// new file.
void write_layout(hid_t file, const ResultOrigin& origin, const Model& model,
                  const Settings& settings);

}  // namespace scree
