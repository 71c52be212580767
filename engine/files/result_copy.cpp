#include "engine/files/result_copy.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/check.hpp"
#include "engine/files/load_tables.hpp"
#include "engine/files/measure_tables.hpp"
#include "engine/files/result_reader.hpp"
#include "engine/files/result_tables.hpp"
#include "engine/files/stress_tables.hpp"

namespace scree {
namespace {

constexpr hsize_t block_bytes = 1 << 22;

struct Table {
  hid_t from, to;
  std::string path;
};

std::vector<hsize_t> extent(hid_t dataset, const std::string& path) {
  const h5::Handle space = h5::own(H5Dget_space(dataset), &H5Sclose, path);
  std::vector<hsize_t> dims(
      static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.id()), 1)), 1);
  h5::check(H5Sget_simple_extent_dims(space.id(), dims.data(), nullptr), path);
  return dims;
}

h5::Handle rows_of(hid_t dataset, hsize_t first, const std::vector<hsize_t>& block,
                   const std::string& path) {
  h5::Handle space = h5::own(H5Dget_space(dataset), &H5Sclose, path);
  std::vector<hsize_t> start(block.size(), 0);
  start[0] = first;
  h5::check(
      H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr),
      path);
  return space;
}

// The new file could not be written; the old one is as good as it was.
class WriteError : public h5::Error {
 public:
  using h5::Error::Error;
};

template <class Action>
void writing(Action&& action) {
  try {
    action();
  } catch (const h5::Error& error) {
    throw WriteError(error.what());
  }
}

void written(herr_t status) {
  writing([&] { h5::check(status, "cannot be written"); });
}

// Rows [0, count) of one table, whatever its type. Whole rows of a few megabytes at a time.
void copy_rows(const Table& table, hsize_t count) {
  const std::string& path = table.path;
  const h5::Handle from = h5::own(H5Dopen2(table.from, path.c_str(), H5P_DEFAULT), &H5Dclose, path);
  const h5::Handle to = h5::own(H5Dopen2(table.to, path.c_str(), H5P_DEFAULT), &H5Dclose, path);
  const h5::Handle type = h5::own(H5Dget_type(to.id()), &H5Tclose, path);
  std::vector<hsize_t> dims = extent(to.id(), path);
  const std::vector<hsize_t> old = extent(from.id(), path);
  if (old.size() != dims.size() || !std::equal(dims.begin() + 1, dims.end(), old.begin() + 1) ||
      old[0] < count) {
    throw h5::Error(path + ": fewer rows than the checkpoint says");
  }
  dims[0] = count;
  written(H5Dset_extent(to.id(), dims.data()));
  hsize_t row_bytes = H5Tget_size(type.id());
  for (std::size_t i = 1; i < dims.size(); ++i) row_bytes *= std::max<hsize_t>(dims[i], 1);
  const hsize_t step = std::max<hsize_t>(block_bytes / row_bytes, 1);
  std::vector<unsigned char> buffer;
  for (hsize_t first = 0; first < count; first += step) {
    std::vector<hsize_t> block = dims;
    block[0] = std::min(step, count - first);
    buffer.resize(static_cast<std::size_t>(block[0] * row_bytes));
    const h5::Handle memory = h5::own(
        H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), &H5Sclose, path);
    const h5::Handle source = rows_of(from.id(), first, block, path),
                     target = rows_of(to.id(), first, block, path);
    h5::check(H5Dread(from.id(), type.id(), memory.id(), source.id(), H5P_DEFAULT, buffer.data()),
              path);
    written(H5Dwrite(to.id(), type.id(), memory.id(), target.id(), H5P_DEFAULT, buffer.data()));
  }
}

// Rows that the old file does not have.
template <class T>
void fill_rows(hid_t file, const std::string& path, hsize_t count, T value) {
  const h5::Handle table = h5::own(H5Dopen2(file, path.c_str(), H5P_DEFAULT), &H5Dclose, path);
  written(H5Dset_extent(table.id(), &count));
  const std::vector<T> values(count, value);
  written(H5Dwrite(table.id(), h5::memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
}

// What devices measured up to a step. Steps of rows never fall.
void copy_measures(hid_t from, hid_t to, std::int64_t step) {
  for (const MeasuredColumn& column : measured_columns(to)) {
    auto count = static_cast<hsize_t>(step);
    if (!column.steps.empty()) {
      const auto steps = h5::read_rows<std::int64_t>(from, column.steps);
      count = static_cast<hsize_t>(std::ranges::upper_bound(steps, step) - steps.begin());
    }
    copy_rows({from, to, column.path}, count);
  }
  for (const std::string& path : measured_starts(to))
    writing([&, numbers = h5::read_rows<double>(from, path)] { h5::overwrite(to, path, numbers); });
}

// Every table with its rows, as the new file's layout has them.
void copy_tables(hid_t from, hid_t to, const Resumption& resumption) {
  const auto steps = static_cast<hsize_t>(resumption.step),
             frames = static_cast<hsize_t>(resumption.rows.frames);
  const auto contacts = static_cast<hsize_t>(resumption.rows.contacts);
  copy_rows({from, to, "ledger/time"}, steps + 1);
  for (const LedgerColumn& column : ledger_columns) {
    const std::string path = std::string("ledger/") + column.name;
    if (column.newer && !h5::exists(from, path))
      fill_rows(to, path, steps + 1, 0.0);
    else
      copy_rows({from, to, path}, steps + 1);
  }
  for (const SolverCount& column : solver_counts) {
    const std::string path = std::string("solver/") + column.name;
    if (column.newer && !h5::exists(from, path))
      fill_rows(to, path, steps, std::int64_t{0});
    else
      copy_rows({from, to, path}, steps);
  }
  for (const SolverNumber& column : solver_numbers) {
    const std::string path = std::string("solver/") + column.name;
    if (column.newer && !h5::exists(from, path))
      fill_rows(to, path, steps, 0.0);
    else
      copy_rows({from, to, path}, steps);
  }
  for (const std::string& table : load_tables_of(to)) copy_rows({from, to, table}, steps);
  for (const std::string& table : gauge_tables_of(to)) copy_rows({from, to, table}, steps);
  copy_measures(from, to, resumption.step);
  if (!h5::exists(to, "frames")) return;
  for (const char* name : frame_tables)
    copy_rows({from, to, std::string("frames/") + name}, frames);
  if (h5::exists(to, last_velocity) && h5::exists(from, last_velocity))
    writing([&, rows = h5::read_rows<double>(from, last_velocity)] {
      h5::overwrite(to, last_velocity, rows);
    });
  for (const char* table : {frame_image, frame_image_shift}) {
    if (h5::exists(to, table)) copy_rows({from, to, table}, frames);
  }
  for (const std::string& table : stress_frame_tables(to)) copy_rows({from, to, table}, frames);
  if (!h5::exists(to, "frames/contacts")) return;
  copy_rows({from, to, "frames/contacts/offset"}, frames + 1);
  for (const char* name : contact_tables)
    copy_rows({from, to, std::string("frames/contacts/") + name}, contacts);
  if (h5::exists(to, contact_image)) copy_rows({from, to, contact_image}, contacts);
  for (const char* name : contact_part_tables) {
    const Table table{from, to, std::string("frames/contacts/") + name};
    if (h5::exists(from, table.path)) {
      copy_rows(table, contacts);
    } else {
      fill_rows(to, table.path, contacts, std::int32_t{-1});  // unknown
    }
  }
  if (h5::exists(to, "frames/contacts/moment")) {
    for (const char* name : moment_tables)
      copy_rows({from, to, std::string("frames/contacts/") + name}, contacts);
  }
  copy_rows({from, to, "frames/body_impulse_sum"}, frames);
  copy_rows({from, to, "frames/pairs/offset"}, frames + 1);
  const auto pairs = static_cast<hsize_t>(resumption.rows.pairs);
  for (const char* name : pair_tables)
    copy_rows({from, to, std::string("frames/pairs/") + name}, pairs);
}

// A kill leaves a file that goes a little beyond the last checkpoint. One that goes farther, or
// that its run ended, is worth asking for.
void refuse_loss(const Resumption& resumption, const ResultReader& reader) {
  if (!resumption.most_lost) return;
  const bool ended = !reader.state_hash().empty();
  if (reader.n_steps() - resumption.step <= (ended ? 0 : *resumption.most_lost)) return;
  throw InputError(fmt::format(
      "{}: {} t = {:.9g} s and the checkpoint is of t = {:.9g} s, so going on from there would "
      "drop what was computed "
      "after it; use --force to do so, or --out to write another file",
      resumption.recorded, ended ? "ended at" : "reaches", reader.time_end(), resumption.time));
}

}  // namespace

void check_recorded(const Resumption& resumption, const std::string& scene_sha256) {
  const auto refuse = [&](const std::string& message) {
    throw InputError(resumption.recorded + ": " + message);
  };
  const ResultReader reader(resumption.recorded);
  if (reader.scene_sha256() != scene_sha256)
    refuse("is the result of another scene than the checkpoint");
  const auto row = static_cast<std::size_t>(resumption.step);
  const std::vector<double> times = reader.ledger("time"), scales = reader.ledger("energy_scale");
  if (row >= times.size())
    refuse(fmt::format("ends before the checkpoint, which is at step {}", resumption.step));
  if (times[row] != resumption.time || scales[row] != resumption.energy_scale)
    refuse("is of another run than the checkpoint");
  refuse_loss(resumption, reader);
}

RecordedRows rows_to_end(const Resumption& resumption) {
  const ResultReader reader(resumption.recorded);
  RecordedRows rows = resumption.rows;
  rows.frames = std::max(rows.frames, reader.n_frames());
  rows.contacts = std::max(rows.contacts, reader.n_contacts());
  rows.pairs = std::max(rows.pairs, reader.n_pairs());
  return rows;
}

void copy_recorded(const Resumption& resumption, hid_t file) {
  const std::string& path = resumption.recorded;
  try {
    const h5::Handle access = h5::file_access();
    // A file that its writer never closed opens only as one that is being written.
    hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id());
    if (id < 0) id = H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.id());
    const h5::Handle from = h5::own(id, &H5Fclose, "cannot be opened");
    copy_tables(from.id(), file, resumption);
  } catch (const WriteError&) {
    throw;
  } catch (const h5::Error& error) {
    throw InputError(fmt::format("{}: cannot be continued ({})", path, error.what()));
  }
}

}  // namespace scree
