#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

#include "contact/fclib/fclib.hpp"
#include "contact/fclib/fclib_file.hpp"
#include "contact/problem/sparse_entries.hpp"
#include "engine/base/check.hpp"

namespace scree::contact {

namespace {

// nz in the file: the number of triplets, or one of these.
constexpr std::int64_t compressed_columns = -1, compressed_rows = -2;

void check_index(const FclibFile& file, const std::string& name, std::int64_t index,
                 std::int64_t limit) {
  if (index < 0 || index >= limit) {
    file.fail(name, "index " + std::to_string(index) + " out of range, allowed 0 to " +
                        std::to_string(limit - 1));
  }
}

void check_length(const FclibFile& file, const std::string& name, std::size_t length,
                  std::int64_t expected) {
  if (static_cast<std::int64_t>(length) != expected) {
    file.fail(name,
              "must have " + std::to_string(expected) + " entries, has " + std::to_string(length));
  }
}

SparseEntries read_triplets(const FclibFile& file, const std::string& name, SparseEntries matrix,
                            std::int64_t count, std::int64_t room) {
  // Room for more entries than there are is normal: programs write the capacity of their lists.
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  const std::int64_t most_room =
      count > largest / 100 ? largest : std::max<std::int64_t>(1'000'000, 100 * count);
  if (room < count || room > most_room) {
    file.fail(name + "/nzmax", "is " + std::to_string(room) + ", allowed " + std::to_string(count) +
                                   " (nz) to " + std::to_string(most_room));
  }
  const auto row = file.integers(name + "/i"), column = file.integers(name + "/p");
  const auto value = file.reals(name + "/x");
  const auto n = static_cast<std::size_t>(count);
  check_length(file, name + "/i", row.size(), count);
  check_length(file, name + "/p", column.size(), count);
  // Older versions of the library write the room in x as well.
  if (static_cast<std::int64_t>(value.size()) != room)
    check_length(file, name + "/x", value.size(), count);
  for (std::size_t k = 0; k < n; ++k) {
    check_index(file, name + "/i", row[k], matrix.rows);
    check_index(file, name + "/p", column[k], matrix.columns);
    matrix.entry.push_back({row[k], column[k], value[k]});
  }
  return matrix;
}

SparseEntries read_compressed(const FclibFile& file, const std::string& name, SparseEntries matrix,
                              bool by_rows, std::int64_t room) {
  const auto begin = file.integers(name + "/p"), inner = file.integers(name + "/i");
  const auto value = file.reals(name + "/x");
  const std::int64_t outer = by_rows ? matrix.rows : matrix.columns,
                     limit = by_rows ? matrix.columns : matrix.rows;
  check_length(file, name + "/p", begin.size(), outer + 1);
  check_length(file, name + "/i", inner.size(), room);
  check_length(file, name + "/x", value.size(), room);
  if (begin.front() != 0 || begin.back() > room || !std::is_sorted(begin.begin(), begin.end())) {
    file.fail(name + "/p", "pointers must rise from 0 to at most nzmax");
  }
  for (std::int64_t o = 0; o < outer; ++o) {
    const auto end = static_cast<std::size_t>(begin[static_cast<std::size_t>(o) + 1]);
    for (auto k = static_cast<std::size_t>(begin[static_cast<std::size_t>(o)]); k < end; ++k) {
      check_index(file, name + "/i", inner[k], limit);
      matrix.entry.push_back(by_rows ? Entry{o, inner[k], value[k]} : Entry{inner[k], o, value[k]});
    }
  }
  return matrix;
}

SparseEntries read_matrix(const FclibFile& file, const std::string& name) {
  SparseEntries matrix;
  matrix.rows = file.integer(name + "/m");
  matrix.columns = file.integer(name + "/n");
  const std::int64_t nz = file.integer(name + "/nz"), room = file.integer(name + "/nzmax");
  constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max() - 1;
  if (matrix.rows < 0 || matrix.columns < 0 || matrix.rows > largest || matrix.columns > largest) {
    file.fail(name, "size out of range");
  }
  if (nz >= 0) return read_triplets(file, name, matrix, nz, room);
  if (nz != compressed_columns && nz != compressed_rows) {
    file.fail(name + "/nz",
              "unknown storage " + std::to_string(nz) + ", allowed -2, -1 and counts");
  }
  return read_compressed(file, name, matrix, nz == compressed_rows, room);
}

std::vector<double> read_vector(const FclibFile& file, const std::string& name, std::int64_t size) {
  auto values = file.reals(name);
  check_length(file, name, values.size(), size);
  return values;
}

int read_dimension(const FclibFile& file, const std::string& group) {
  const std::int64_t dimension = file.integer(group + "/spacedim");
  if (dimension != 2 && dimension != 3) {
    file.fail(group + "/spacedim", "is " + std::to_string(dimension) + ", allowed 2 and 3");
  }
  return static_cast<int>(dimension);
}

std::vector<double> read_friction(const FclibFile& file, const std::string& group,
                                  std::int64_t rows, int dimension) {
  if (rows % dimension != 0) {
    file.fail(group, std::to_string(rows) + " contact rows are no multiple of " +
                         std::to_string(dimension));
  }
  auto mu = read_vector(file, group + "/vectors/mu", rows / dimension);
  if (std::any_of(mu.begin(), mu.end(), [](double x) { return x < 0.0; })) {
    file.fail(group + "/vectors/mu", "must not be negative");
  }
  return mu;
}

FclibProblem read_local(const FclibFile& file) {
  const std::string group = "/fclib_local";
  if (file.has(group + "/V") || file.has(group + "/R"))
    file.fail(group + "/V", "bilateral constraints are not supported");
  const int dimension = read_dimension(file, group);
  SparseEntries W = read_matrix(file, group + "/W");
  if (W.rows != W.columns) file.fail(group + "/W", "must be square");
  const auto mu = read_friction(file, group, W.rows, dimension);
  const auto q = read_vector(file, group + "/vectors/q", W.rows);
  FclibProblem result;
  result.dofs = file.attribute_or(group + "/info", "numberOfDegreeOfFreedom", -1);
  if (result.dofs <= 0) result.dofs = W.rows;
  result.problem = to_blocks(std::move(W), q, mu, dimension);
  result.title = file.text_or_empty(group + "/info/title");
  return result;
}

FclibProblem read_global(const FclibFile& file, FclibForm form) {
  const std::string group = "/fclib_global";
  if (file.has(group + "/G")) file.fail(group + "/G", "bilateral constraints are not supported");
  const int dimension = read_dimension(file, group);
  const SparseEntries M = read_matrix(file, group + "/M"), H = read_matrix(file, group + "/H");
  if (M.rows != M.columns) file.fail(group + "/M", "must be square");
  if (H.rows != M.rows) file.fail(group + "/H", "must have as many rows as M");
  const auto mu = read_friction(file, group, H.columns, dimension);
  const auto f = read_vector(file, group + "/vectors/f", M.rows);
  const auto w = read_vector(file, group + "/vectors/w", H.columns);
  FclibProblem result;
  result.global = true;
  result.dofs = M.rows;
  result.title = file.text_or_empty(group + "/info/title");
  if (form == FclibForm::bodies && dimension == 3) result.blocks = cut_into_blocks(M, H, f, w, mu);
  if (result.blocks) result.bodies = as_rigid_bodies(*result.blocks);
  if (result.bodies) return result;
  result.blocks.reset();
  try {
    CondensedProblem condensed = condense(M, H, f, w, max_entries_of_W);
    result.problem = to_blocks(std::move(condensed.W), condensed.q, mu, dimension);
  } catch (const InputError& error) {
    file.fail(group, error.what());
  }
  return result;
}

}  // namespace

FclibProblem read_fclib(const std::string& path, FclibForm form) {
  const FclibFile file(path);
  try {
    if (file.has("/fclib_local")) return read_local(file);
    if (file.has("/fclib_global")) return read_global(file, form);
  } catch (const std::bad_alloc&) {
    file.fail("/", "too large for this machine's memory");
  }
  if (file.has("/fclib_global_rolling"))
    file.fail("/fclib_global_rolling", "rolling friction is not supported");
  file.fail("/", "holds no FCLIB problem (/fclib_local or /fclib_global)");
}

}  // namespace scree::contact
