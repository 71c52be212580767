// The packed pieces of a data set, looked at one by one. Private to hdf5_screen.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

namespace scree::h5 {

// What is left to be looked at in a file.
struct ScreenBudget {
  std::uint64_t bytes = std::uint64_t{128} << 20;
  std::uint64_t chunks = 100'000;
};

struct ChunkedTable {
  hid_t dataset = -1, creation = -1;
  std::vector<hsize_t> extent;
  std::uint64_t value_bytes = 0;  // of one entry
  std::uint64_t file_bytes = 0;
};

// What is wrong with it; empty: nothing. Takes what it looked at from the budget.
std::string fault_of_chunks(const ChunkedTable& table, ScreenBudget& budget);

}  // namespace scree::h5
