// The warnings of a run in its result file: a table with one row a warning of the catalogue.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/hdf5_file.hpp"
#include "engine/model/warnings.hpp"

namespace scree {

// With nothing raised.
void create_warning_table(hid_t file);

// Puts what is in `log` in place of what the table says; allowed while others read.
void write_warnings(hid_t file, const WarningLog& log);

// Those raised. None in files of earlier programs, which have no such table (`has_warning_table`).
std::vector<RecordedWarning> read_warnings(hid_t file, const std::vector<std::string>& body_names);
bool has_warning_table(hid_t file);
// Throws h5::Error where the table is missing or holds what no run of so many bodies can have seen
// up to that step.
void check_warning_table(hid_t file, std::int64_t n_bodies, std::int64_t step, double time);
// The same as a log of this program's catalogue.
WarningLog read_warning_log(hid_t file);

}  // namespace scree
