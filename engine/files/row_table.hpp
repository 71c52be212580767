// Tables of a result file whose rows are structures that list their columns
// (engine/measure/column.hpp): one data set a column. Private to the engine.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "engine/base/hdf5_file.hpp"
#include "engine/base/math.hpp"
#include "engine/measure/column.hpp"

namespace scree {

// How a member of a row is stored: as so many numbers of that type, or as one.
template <class T>
struct Stored {
  using Number = T;
  static constexpr std::size_t width = 1;
  static std::array<T, 1> numbers(const T& value) { return {value}; }
  static T value(const T* number) { return *number; }
};
template <>
struct Stored<Vector3> {
  using Number = double;
  static constexpr std::size_t width = 3;
  static std::array<double, 3> numbers(const Vector3& v) { return {v.x(), v.y(), v.z()}; }
  static Vector3 value(const double* n) { return {n[0], n[1], n[2]}; }
};
template <>
struct Stored<Quaternion> {
  using Number = double;
  static constexpr std::size_t width = 4;
  static std::array<double, 4> numbers(const Quaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }
  static Quaternion value(const double* n) { return {n[0], n[1], n[2], n[3]}; }
};

template <class Row>
class RowTable {
 public:
  static constexpr std::size_t chunk_bytes = 2048;

  static void create(hid_t group) {
    Row row;
    Row::columns(row, [group]<class T>(const measure::Column& column, T&) {
      using Number = typename Stored<T>::Number;
      constexpr std::size_t width = Stored<T>::width;
      std::vector<hsize_t> shape;
      if (width > 1) shape = {width};
      h5::create_table<Number>(group, {column.name, column.unit, column.meaning}, shape,
                               {chunk_bytes / (width * sizeof(Number))});
    });
  }

  // "impacts/step", "impacts/time", ... of the group "impacts".
  static std::vector<std::string> paths(const std::string& group) {
    std::vector<std::string> list;
    Row row;
    Row::columns(row, [&](const measure::Column& column, auto&) {
      std::string path = group;
      path += '/';
      list.push_back(path += column.name);
    });
    return list;
  }

  RowTable() = default;
  RowTable(hid_t file, const std::string& group) {
    const std::vector<std::string> path = paths(group);
    Row row;
    Row::columns(row, [&]<class T>(const measure::Column&, T&) {
      const std::size_t i = columns_.size();
      columns_.emplace_back(h5::Appender<typename Stored<T>::Number>(file, path[i]));
    });
  }

  void push(const Row& row) {
    std::size_t i = 0;
    Row::columns(row, [&]<class T>(const measure::Column&, const T& value) {
      using Number = typename Stored<T>::Number;
      std::get<h5::Appender<Number>>(columns_[i++])
          .push(std::span<const Number>(Stored<T>::numbers(value)));
    });
  }

  // Rows that wait to be written.
  std::size_t waiting() const {
    if (columns_.empty()) return 0;
    return std::visit([](const auto& column) { return column.waiting(); }, columns_.front());
  }

  template <class Action>
  void each(Action&& action) {
    for (auto& column : columns_) std::visit(action, column);
  }

  // Rows [first, first + count) of the group.
  static std::vector<Row> read(hid_t file, const std::string& group, std::int64_t first,
                               std::int64_t count) {
    std::vector<Row> rows(static_cast<std::size_t>(count));
    const std::vector<std::string> path = paths(group);
    for (std::size_t i = 0; i < path.size(); ++i) read_column(file, path[i], i, first, rows);
    return rows;
  }

  // Rows that all columns have.
  static std::int64_t count(hid_t file, const std::string& group) {
    hsize_t rows = std::numeric_limits<std::int64_t>::max();
    for (const std::string& path : paths(group)) {
      const std::vector<hsize_t> shape = h5::shape(file, path);
      rows = std::min(rows, shape.empty() ? 0 : shape[0]);
    }
    return static_cast<std::int64_t>(rows);
  }

 private:
  using AnyAppender =
      std::variant<h5::Appender<double>, h5::Appender<std::int64_t>, h5::Appender<std::int32_t>,
                   h5::Appender<std::uint32_t>, h5::Appender<std::uint8_t>>;

  static void read_column(hid_t file, const std::string& path, std::size_t which,
                          std::int64_t first, std::vector<Row>& rows) {
    std::size_t i = 0;
    Row sample;
    Row::columns(sample, [&]<class T>(const measure::Column&, T&) {
      if (i++ == which) read_members<T>(file, path, which, first, rows);
    });
  }

  template <class T>
  static void read_members(hid_t file, const std::string& path, std::size_t which,
                           std::int64_t first, std::vector<Row>& rows) {
    constexpr std::size_t width = Stored<T>::width;
    const auto numbers = h5::read_rows<typename Stored<T>::Number>(
        file, path, first, static_cast<std::int64_t>(rows.size()));
    if (numbers.size() != width * rows.size()) throw h5::Error(path + ": rows of another shape");
    for (std::size_t r = 0; r < rows.size(); ++r) {
      std::size_t i = 0;
      Row::columns(rows[r], [&]<class U>(const measure::Column&, U& value) {
        if constexpr (std::is_same_v<T, U>) {
          if (i == which) value = Stored<T>::value(numbers.data() + width * r);
        }
        ++i;
      });
    }
  }

  std::vector<AnyAppender> columns_;
};

}  // namespace scree
