// The merged table of a sweep, one row a run: as CSV, as HDF5, and as a page with curves.
#pragma once

#include <string>
#include <vector>

#include "engine/warning_words.hpp"
#include "scenes/members.hpp"
#include "tools/study/sweep_member.hpp"

namespace scree::study {

struct SweepTable {
  std::vector<MemberColumn> columns;  // run, sample, a column a --set, then those of the store
  std::vector<MemberRow> rows;
  std::string hash;  // of what the store holds
};

// Of a complete store. `units` of the keys as Scene::edit_unit has them.
SweepTable sweep_table(const SweepTask& task, const std::vector<std::string>& units,
                       const MemberStore& store);

// Number of rows with that status.
std::size_t count_status(const SweepTable& table, const std::string& status);

// What the runs were warned of.
std::vector<WarnedRuns> warnings_of(const SweepTable& table);

// Commas, a header with units, every digit; what is not known is empty.
std::string sweep_csv(const SweepTable& table);

// The bytes of an HDF5 file with a data set a column and its unit: the same for the same table.
std::string sweep_hdf5(const SweepTable& table, const SweepTask& task);

// One HTML file: for each measure the curves over the first key with several numbers, one a choice
// of the other keys, over samples their mean and standard deviation; below, the table.
std::string sweep_page(const SweepTable& table, const SweepTask& task, const std::string& title,
                       const std::string& table_file);

}  // namespace scree::study
