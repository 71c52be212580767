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
const std::vector<std::string> columns = {"time",      "linear_x",  "linear_y", "linear_z",
                                          "angular_x", "angular_y", "angular_z"};

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

class HistoryReader {
 public:
  HistoryReader(const std::string& file_name, MotionHistory& history)
      : document_(file_name), history_(history) {}

  void read(std::string_view text) {
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
                     fmt::format("missing; must name the columns: {}", fmt::join(columns, ", ")));
    if (history_.time.empty())
      document_.fail(after, "time", "missing; at least one line of numbers must follow the names");
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
      const auto found = std::ranges::find(columns, name);
      if (found == columns.end()) fail_column(cell, std::string(name));
      const auto column = static_cast<std::size_t>(found - columns.begin());
      if (std::ranges::find(order_, column) != order_.end())
        document_.fail(cell.place, *found, "is there twice");
      if (bracket != std::string_view::npos) check_unit(cell, column, cell.text.substr(bracket));
      order_.push_back(column);
    }
    if (std::ranges::find(order_, std::size_t{0}) == order_.end()) {
      document_.fail(cells.front().place, "time", "missing; one column must be called time");
    }
  }

  [[noreturn]] void fail_column(const Cell& cell, const std::string& name) const {
    const std::string guess = nearest(name, columns);
    document_.fail(
        cell.place, "header",
        fmt::format("unknown column \"{}\"; {}must be among {}, with {}", name,
                    guess.empty() ? "" : fmt::format("did you mean \"{}\"? Names ", guess),
                    fmt::join(columns, ", "), separators));
  }

  void check_unit(const Cell& cell, std::size_t column, std::string_view given) const {
    const bool velocity = history_.kind == HistoryKind::velocity;
    const char* unit = column == 0  ? "[s]"
                       : column < 4 ? (velocity ? "[m/s]" : "[m/s2]")
                                    : (velocity ? "[rad/s]" : "[rad/s2]");
    if (given != unit) {
      document_.fail(cell.place, columns[column],
                     fmt::format("the unit {} is not allowed; must be {} for kind = \"{}\"", given,
                                 unit, velocity ? "velocity" : "acceleration"));
    }
  }

  void row(const std::vector<Cell>& cells) {
    if (cells.size() != order_.size()) {
      document_.fail(
          cells.size() > order_.size() ? cells[order_.size()].place : cells.back().place, "row",
          fmt::format("{} columns are not allowed; must be {} as in the first line, with {}",
                      cells.size(), order_.size(), separators));
    }
    double values[7] = {};
    for (std::size_t i = 0; i < cells.size(); ++i)
      values[order_[i]] = number(cells[i], columns[order_[i]]);
    const Cell& time =
        cells[static_cast<std::size_t>(std::ranges::find(order_, std::size_t{0}) - order_.begin())];
    if (values[0] < 0.0)
      document_.fail(time.place, "time",
                     fmt::format("{} is not allowed; must be >= 0 [s]", time.text));
    if (!history_.time.empty() && values[0] <= history_.time.back()) {
      document_.fail(
          time.place, "time",
          fmt::format(
              "{} after {} is not allowed; must be times [s], each later than the one before",
              time.text, history_.time.back()));
    }
    history_.time.push_back(values[0]);
    history_.linear.emplace_back(values[1], values[2], values[3]);
    history_.angular.emplace_back(values[4], values[5], values[6]);
  }

  double number(const Cell& cell, const std::string& field) const {
    std::string_view digits = cell.text;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value)) {
      document_.fail(
          cell.place, field,
          fmt::format("\"{}\" is not allowed; must be a finite number", cell.text.substr(0, 40)));
    }
    // As of the keys linear and angular of a scene.
    if (const AdmittedRange& admitted = *admitted_values("", Sign::any);
        field != columns[0] && !admitted.contains(value)) {
      document_.fail(
          cell.place, field,
          fmt::format("{} is not allowed; must be {}", cell.text.substr(0, 40), admitted.text));
    }
    return value;
  }

  Document document_;  // for messages only
  MotionHistory& history_;
  std::vector<std::size_t> order_;  // of the columns in the file, as indices into `columns`
};

}  // namespace

void read_history_csv(std::string_view text, const std::string& file_name, MotionHistory& history) {
  HistoryReader(file_name, history).read(text);
}

}  // namespace scree::scenes
