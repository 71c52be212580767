#include "tools/study/sweep_table.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <mutex>

#include "engine/base/hdf5_file.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/version.hpp"
#include "engine/files/scene_text.hpp"
#include "tools/study/member_run.hpp"

namespace scree::study {
namespace {

bool is_number(const std::string& value) {
  double number = 0.0;
  const char* const end = value.data() + value.size();
  const auto result = std::from_chars(value.data(), end, number);
  return result.ec == std::errc() && result.ptr == end;
}

// "[m]" as "m".
std::string bare(const std::string& unit) {
  return unit.size() > 2 && unit.front() == '[' ? unit.substr(1, unit.size() - 2) : unit;
}

std::string csv_cell(const MemberCell& cell) {
  if (const auto* number = std::get_if<double>(&cell))
    return std::isnan(*number) ? "" : fmt::format("{}", *number);
  if (const auto* count = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *count);
  return csv_field(std::get<std::string>(cell));
}

// A data set of one column. Without times of its making, which would make each file another.
template <class T>
void write_column(hid_t file, const std::string& name, hid_t type, const std::vector<T>& values,
                  const std::string& unit) {
  const hsize_t size = values.size();
  const h5::Handle space = h5::own(H5Screate_simple(1, &size, nullptr), &H5Sclose, name);
  const h5::Handle creation = h5::own(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose, name);
  h5::check(H5Pset_obj_track_times(creation.id(), false), name);
  const h5::Handle set = h5::own(
      H5Dcreate2(file, name.c_str(), type, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT),
      &H5Dclose, name);
  h5::check(H5Dwrite(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
  h5::write_attribute(set.id(), "unit", unit.empty() ? "-" : unit);
}

void write_texts(hid_t file, const std::string& name, const std::vector<std::string>& values) {
  std::size_t length = 1;
  for (const std::string& value : values) length = std::max(length, value.size());
  std::vector<char> packed;
  for (const std::string& value : values) {
    packed.insert(packed.end(), value.begin(), value.end());
    packed.insert(packed.end(), length - value.size(), '\0');
  }
  const h5::Handle type = h5::own(H5Tcopy(H5T_C_S1), &H5Tclose, name);
  h5::check(H5Tset_size(type.id(), length), name);
  h5::check(H5Tset_cset(type.id(), H5T_CSET_UTF8), name);
  const hsize_t size = values.size();
  const h5::Handle space = h5::own(H5Screate_simple(1, &size, nullptr), &H5Sclose, name);
  const h5::Handle creation = h5::own(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose, name);
  h5::check(H5Pset_obj_track_times(creation.id(), false), name);
  const h5::Handle set = h5::own(H5Dcreate2(file, name.c_str(), type.id(), space.id(), H5P_DEFAULT,
                                            creation.id(), H5P_DEFAULT),
                                 &H5Dclose, name);
  h5::check(H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()), name);
}

template <class T>
std::vector<T> column_of(const SweepTable& table, std::size_t c) {
  std::vector<T> values;
  for (const MemberRow& row : table.rows) values.push_back(std::get<T>(row[c]));
  return values;
}

}  // namespace

SweepTable sweep_table(const SweepTask& task, const std::vector<std::string>& units,
                       const MemberStore& store) {
  using Kind = MemberColumn::Kind;
  SweepTable table{{{Kind::count, "run", ""}}, {}, store.hash()};
  if (task.plan.draws()) table.columns.push_back({Kind::count, "sample", ""});
  std::vector<bool> numbers;
  for (std::size_t k = 0; k < task.plan.axes.size(); ++k) {
    const SweepAxis& axis = task.plan.axes[k];
    numbers.push_back(std::ranges::all_of(axis.values, is_number));  // draws are
    table.columns.push_back({numbers[k] ? Kind::number : Kind::text, axis.key, bare(units.at(k))});
  }
  const std::vector<MemberColumn>& stored = store.table().columns;
  table.columns.insert(table.columns.end(), stored.begin(), stored.end());
  for (std::size_t i = 0; i < store.size(); ++i) {
    const SweepRun run = task.plan.run(i);
    MemberRow row = {static_cast<std::int64_t>(i)};
    if (task.plan.draws()) row.emplace_back(run.sample);
    for (std::size_t k = 0; k < run.values.size(); ++k) {
      double number = 0.0;
      const std::string& value = run.values[k];
      if (numbers[k]) std::from_chars(value.data(), value.data() + value.size(), number);
      row.push_back(numbers[k] ? MemberCell(number) : MemberCell(value));
    }
    row.insert(row.end(), store.row(i)->begin(), store.row(i)->end());
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::size_t count_status(const SweepTable& table, const std::string& status) {
  const auto column = static_cast<std::size_t>(
      std::ranges::find(table.columns, "status", &MemberColumn::name) - table.columns.begin());
  return static_cast<std::size_t>(std::ranges::count_if(table.rows, [&](const MemberRow& row) {
    return std::get<std::string>(row[column]) == status;
  }));
}

std::vector<WarnedRuns> warnings_of(const SweepTable& table) {
  const auto column = static_cast<std::size_t>(
      std::ranges::find(table.columns, "warnings", &MemberColumn::name) - table.columns.begin());
  std::vector<std::pair<std::string, std::string>> runs;
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    runs.emplace_back(fmt::format("{}", i), std::get<std::string>(table.rows[i][column]));
  return warned_runs(runs);
}

std::string sweep_csv(const SweepTable& table) {
  std::string text;
  for (const MemberColumn& column : table.columns) {
    text += text.empty() ? "" : ",";
    text += csv_field(column.unit.empty() ? column.name
                                          : fmt::format("{} [{}]", column.name, column.unit));
  }
  text += "\r\n";
  for (const MemberRow& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) text += ",";
      text += csv_cell(row[c]);
    }
    text += "\r\n";
  }
  return text;
}

std::string sweep_hdf5(const SweepTable& table, const SweepTask& task) {
  const std::lock_guard lock(hdf5());
  const h5::Quiet quiet;
  // In memory, as checkpoints are, and in the earliest format for the same reason.
  const h5::Handle access = h5::own(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, "file access");
  h5::check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST),
            "file access");
  h5::check(H5Pset_fapl_core(access.id(), 1 << 16, false), "file access");
  const h5::Handle file = h5::own(H5Fcreate("sweep", H5F_ACC_TRUNC, H5P_DEFAULT, access.id()),
                                  &H5Fclose, "cannot be prepared");
  h5::write_attribute(file.id(), "format", "scree-sweep");
  h5::write_attribute(file.id(), "version", std::int64_t{1});
  h5::write_attribute(file.id(), "program", program_name());
  write_texts(file.id(), "scene_source", {task.scene_text});
  h5::write_attribute(file.id(), "seed", static_cast<std::int64_t>(task.plan.seed));
  h5::write_attribute(file.id(), "runs_hash", table.hash);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const MemberColumn& column = table.columns[c];
    std::string name = column.name;
    std::ranges::replace(name, '/', '_');  // which would be a group
    if (column.kind == MemberColumn::Kind::number)
      write_column(file.id(), name, H5T_NATIVE_DOUBLE, column_of<double>(table, c), column.unit);
    else if (column.kind == MemberColumn::Kind::count)
      write_column(file.id(), name, H5T_NATIVE_INT64, column_of<std::int64_t>(table, c), "");
    else
      write_texts(file.id(), name, column_of<std::string>(table, c));
  }
  return h5::image_of(file.id());
}

}  // namespace scree::study
