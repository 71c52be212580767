// What the parts of ResultReader share. Private to it.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/base/check.hpp"
#include "engine/base/hdf5_file.hpp"
#include "engine/base/posix_file.hpp"
#include "engine/files/result_reader.hpp"

namespace scree {
namespace files {

[[noreturn]] inline void refuse(const std::string& path, const std::string& message) {
  throw InputError(path + ": " + message);
}

// Three numbers a row.
inline std::vector<Vector3> to_vectors(const std::vector<double>& numbers) {
  std::vector<Vector3> vectors;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    vectors.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  return vectors;
}

}  // namespace files

struct ResultReader::Impl {
  static constexpr int most_tries = 100;

  std::string path;
  Descriptor held;  // the file that `file` reads, locked
  h5::Handle file;
  std::int64_t bodies = 0, ledger_rows = 0, steps = 0, frames = 0;
  bool contacts = false, parts = false;  // contacts are kept; with the parts of bodies that touch
  std::vector<std::int64_t> offset;

  void open();
  void check_format() const;
  void count();

  // Calls action(file) with the library quiet; its errors become one line about this file.
  template <class Action>
  auto guarded(Action&& action) const {
    const h5::Quiet quiet;
    try {
      return action(file.id());
    } catch (const h5::Error& error) {
      files::refuse(path, fmt::format("is damaged or truncated ({})", error.what()));
    } catch (const std::out_of_range&) {
      files::refuse(path, "is damaged or truncated (a table is empty that must not be)");
    }
  }

  std::int64_t rows(const std::string& name) const {
    const std::vector<hsize_t> dims = h5::shape(file.id(), name);
    return dims.empty() ? 0 : static_cast<std::int64_t>(dims[0]);
  }
};

}  // namespace scree
