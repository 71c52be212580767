#include "scenes/read/history_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "scenes/read/document.hpp"
#include "scenes/read/table_reader.hpp"

namespace scree::scenes {
namespace {

constexpr const char* spaces = " \t\r";
constexpr const char* separators = "one comma between two columns and a point in numbers";
// Of a time step that rows have to keep [-].
constexpr double even_tolerance = 1e-3;

struct Cell {
  std::string_view text;  // without spaces around
  Place place;
};

// Splits a line at its commas.
std::vector<Cell> cells_of(std::string_view line, std::uint32_t number) {
  std::vector<Cell> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    const std::size_t first = std::min(line.find_first_not_of(spaces, begin), end);
    const std::size_t last = line.find_last_not_of(spaces, end == 0 ? 0 : end - 1);
    const bool blank = first == end;
    cells.push_back({blank ? std::string_view() : line.substr(first, last + 1 - first),
                     {number, static_cast<std::uint32_t>(first) + 1}});
    begin = end + 1;
  }
  return cells;
}

class CsvReader {
 public:
  CsvReader(const std::string& file_name, const CsvFormat& format)
      : document_(file_name), format_(format) {
    columns_.emplace_back("time");
    for (const CsvColumn& column : format.columns) columns_.push_back(column.name);
    factor_.assign(columns_.size(), 1.0);
    table_.value.resize(format.columns.size());
    table_.given.assign(format.columns.size(), false);
  }

  CsvTable read(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::uint32_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      line(text.substr(begin, end - begin), ++number);
      begin = end + 1;
    }
    const Place after{number + 1, 1};
    if (order_.empty())
      document_.fail(after, "header",
                     fmt::format("missing; must name the columns: {}", fmt::join(columns_, ", ")));
    if (table_.time.empty())
      document_.fail(after, "time", "missing; at least one line of numbers must follow the names");
    return std::move(table_);
  }

 private:
  void line(std::string_view text, std::uint32_t number) {
    const std::size_t first = text.find_first_not_of(spaces);
    if (first == std::string_view::npos || text[first] == '#') return;
    const std::vector<Cell> cells = cells_of(text, number);
    if (order_.empty()) {
      header(cells);
    } else {
      row(cells);
    }
  }

  void header(const std::vector<Cell>& cells) {
    for (const Cell& cell : cells) {
      const std::size_t bracket = cell.text.find('[');
      std::string_view name = cell.text.substr(0, bracket);
      name = name.substr(0, name.find_last_not_of(spaces) + 1);
      const auto found = std::ranges::find(columns_, name);
      if (found == columns_.end()) fail_column(cell, std::string(name));
      const auto column = static_cast<std::size_t>(found - columns_.begin());
      if (std::ranges::find(order_, column) != order_.end())
        document_.fail(cell.place, *found, "is there twice");
      factor_[column] = factor_of(
          cell, column, bracket == std::string_view::npos ? "" : cell.text.substr(bracket));
      order_.push_back(column);
      if (column > 0) table_.given[column - 1] = true;
    }
    if (!has_times() && !format_.time_step) {
      document_.fail(cells.front().place, "time", "missing; one column must be called time");
    }
  }

  bool has_times() const { return std::ranges::find(order_, std::size_t{0}) != order_.end(); }

  [[noreturn]] void fail_column(const Cell& cell, const std::string& name) const {
    const std::string guess = nearest(name, columns_);
    document_.fail(
        cell.place, "header",
        fmt::format("unknown column \"{}\"; {}must be among {}, with {}", name,
                    guess.empty() ? "" : fmt::format("did you mean \"{}\"? Names ", guess),
                    fmt::join(columns_, ", "), separators));
  }

  double factor_of(const Cell& cell, std::size_t column, std::string_view given) const {
    static const std::vector<std::pair<std::string, double>> of_time = {{"[s]", 1.0}};
    const auto& units = column == 0 ? of_time : format_.columns[column - 1].units;
    if (given.empty()) return units.front().second;
    std::string allowed;
    for (const auto& [unit, factor] : units) {
      if (given == unit) return factor;
      allowed += (allowed.empty() ? "" : " or ") + unit;
    }
    document_.fail(cell.place, columns_[column],
                   fmt::format("the unit {} is not allowed; must be {}{}", given, allowed,
                               format_.unit_reason));
  }

  void row(const std::vector<Cell>& cells) {
    if (cells.size() != order_.size()) {
      document_.fail(
          cells.size() > order_.size() ? cells[order_.size()].place : cells.back().place, "row",
          fmt::format("{} columns are not allowed; must be {} as in the first line, with {}",
                      cells.size(), order_.size(), separators));
    }
    const std::size_t n_rows = table_.time.size();
    const double even = format_.time_step.value_or(0.0) * static_cast<double>(n_rows);
    for (std::vector<double>& column : table_.value) column.push_back(0.0);
    double time = even;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const double value = number(cells[i], order_[i]);
      if (order_[i] == 0)
        time = value, check_time(cells[i], value, even);
      else
        table_.value[order_[i] - 1].back() = factor_[order_[i]] * value;
    }
    table_.time.push_back(format_.time_step ? even : time);
  }

  void check_time(const Cell& cell, double time, double even) const {
    const std::vector<double>& times = table_.time;
    if (time < 0.0)
      document_.fail(cell.place, "time",
                     fmt::format("{} is not allowed; must be >= 0 [s]", cell.text));
    if (format_.time_step && std::abs(time - even) > even_tolerance * *format_.time_step) {
      document_.fail(cell.place, "time",
                     fmt::format("{} is not allowed; must be {:g}, as time_step = {:g} s says: the "
                                 "record jumps in time",
                                 cell.text, even, *format_.time_step));
    }
    if (!format_.time_step && !times.empty() && time <= times.back()) {
      document_.fail(
          cell.place, "time",
          fmt::format(
              "{} after {} is not allowed; must be times [s], each later than the one before",
              cell.text, times.back()));
    }
  }

  // As of the keys of a scene.
  double number(const Cell& cell, std::size_t column) const {
    const double value = number_in_file(cell.text, cell.place, columns_[column], document_);
    if (const AdmittedRange& admitted = *admitted_values("", Sign::any);
        column != 0 && !admitted.contains(value)) {
      document_.fail(
          cell.place, columns_[column],
          fmt::format("{} is not allowed; must be {}", cell.text.substr(0, 40), admitted.text));
    }
    return value;
  }

  Document document_;  // for messages only
  const CsvFormat& format_;
  CsvTable table_;
  std::vector<std::string> columns_;  // with the time
  std::vector<double> factor_;        // [n_columns] of the unit
  std::vector<std::size_t> order_;    // of the columns in the file, as indices into `columns_`
};

}  // namespace

double number_in_file(std::string_view text, Place place, const std::string& field,
                      const Document& document) {
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value)) {
    document.fail(
        place, field,
        fmt::format("\"{}\" is not allowed; must be a finite number", text.substr(0, 40)));
  }
  return value;
}

CsvTable read_csv_table(std::string_view text, const std::string& file_name,
                        const CsvFormat& format) {
  return CsvReader(file_name, format).read(text);
}

void read_history_csv(std::string_view text, const std::string& file_name, MotionHistory& history) {
  const bool velocity = history.kind == HistoryKind::velocity;
  CsvFormat format;
  for (const char* name : {"linear_x", "linear_y", "linear_z"})
    format.columns.push_back({name, {{velocity ? "[m/s]" : "[m/s2]", 1.0}}});
  for (const char* name : {"angular_x", "angular_y", "angular_z"})
    format.columns.push_back({name, {{velocity ? "[rad/s]" : "[rad/s2]", 1.0}}});
  format.unit_reason = velocity ? " for kind = \"velocity\"" : " for kind = \"acceleration\"";
  const CsvTable table = read_csv_table(text, file_name, format);
  history.time = table.time;
  history.linear.clear(), history.angular.clear();
  for (std::size_t i = 0; i < table.time.size(); ++i) {
    const auto& v = table.value;
    history.linear.emplace_back(v[0][i], v[1][i], v[2][i]);
    history.angular.emplace_back(v[3][i], v[4][i], v[5][i]);
  }
}

}  // namespace scree::scenes
