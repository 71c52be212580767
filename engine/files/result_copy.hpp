// The first rows of a result file's tables, copied into a new one. Private to the result writer.
#pragma once

#include <string>

#include "engine/base/hdf5_file.hpp"
#include "engine/files/result_writer.hpp"

namespace scree {

// Throws InputError: the old file cannot be read, is of another scene, does not hold the step that
// the run continues from, or holds more steps after it than may be lost.
void check_recorded(const Resumption& resumption, const std::string& scene_sha256);

// All rows that the file has, for a resumption at the end.
RecordedRows rows_to_end(const Resumption& resumption);

// Copies the rows that `resumption` names into the empty tables of `file`. Throws InputError about
// the old file, h5::Error about the new one.
void copy_recorded(const Resumption& resumption, hid_t file);

}  // namespace scree
