#include "scenes/read/release_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "engine/base/printable.hpp"
#include "scenes/read/document.hpp"
#include "scenes/read/history_csv.hpp"

namespace scree::scenes {
namespace {

constexpr std::array<const char*, 15> release_names = {
    "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "qw", "qx", "qy", "qz", "rock", "id"};
constexpr std::size_t rock_column = 13, id_column = 14, n_numbers = 13;
// What a name may end in: the unit that is meant anyway.
constexpr std::array<std::array<const char*, 3>, 3> release_units = {
    {{"[m]", "_m", "[m]"}, {"[m/s]", "_mps", "_m_s"}, {"[rad/s]", "_radps", "_rad_s"}}};

struct ReleaseCell {
  std::string text;
  Place place;
};

std::vector<ReleaseCell> release_cells(std::string_view line, std::uint32_t number) {
  std::vector<ReleaseCell> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    std::string_view text = line.substr(begin, end - begin);
    const std::size_t first = std::min(text.find_first_not_of(" \t\r\""), text.size());
    text.remove_prefix(first);
    text = text.substr(0, text.find_last_not_of(" \t\r\"") + 1);
    cells.push_back({std::string(text), {number, static_cast<std::uint32_t>(begin + first) + 1}});
    begin = end + 1;
  }
  return cells;
}

// Index into `release_names`; none: a column of something else.
std::optional<std::size_t> column_of(std::string name) {
  for (std::size_t k = 0; k < release_names.size(); ++k) {
    if (name == release_names[k]) return k;
    if (k >= 9) continue;
    for (const char* unit : release_units[k / 3]) {
      const std::string full = release_names[k] + std::string(unit);
      name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
      if (name == full) return k;
    }
  }
  return std::nullopt;
}

class ReleaseReader {
 public:
  explicit ReleaseReader(const std::string& file_name) : document_(file_name) {}

  ReleaseCsv read(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::uint32_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view line = text.substr(begin, end - begin);
      begin = end + 1;
      ++number;
      const std::size_t first = line.find_first_not_of(" \t\r");
      if (first == std::string_view::npos || line[first] == '#') continue;
      const std::vector<ReleaseCell> cells = release_cells(line, number);
      columns_.empty() ? header(cells) : row(cells);
    }
    const Place after{number + 1, 1};
    if (columns_.empty())
      document_.fail(after, "header", "missing; must name the columns, x and y among them");
    if (csv_.points.empty())
      document_.fail(after, "x", "missing; at least one line of numbers must follow the names");
    return std::move(csv_);
  }

 private:
  void header(const std::vector<ReleaseCell>& cells) {
    std::vector<std::string> unread;
    for (const ReleaseCell& cell : cells) {
      const auto column = column_of(cell.text);
      if (column && std::ranges::find(columns_, column) != columns_.end())
        document_.fail(cell.place, release_names[*column], "is there twice");
      columns_.push_back(column);
      if (!column) unread.push_back(cell.text);
    }
    for (const std::size_t needed : {0U, 1U}) {
      if (has(needed)) continue;
      document_.fail(cells.front().place, release_names[needed],
                     "missing; a file of release points has the columns x and y");
    }
    for (const std::size_t first : {3U, 6U, 9U}) {
      const std::size_t count = first == 9 ? 4 : 3;
      std::size_t there = 0;
      for (std::size_t k = first; k < first + count; ++k) there += has(k) ? 1U : 0U;
      if (there != 0 && there != count)
        document_.fail(cells.front().place, release_names[first],
                       "some columns of this vector are missing; must be all or none");
    }
    csv_.unread = std::move(unread);
  }

  bool has(std::size_t column) const {
    return std::ranges::find(columns_, std::optional(column)) != columns_.end();
  }

  void row(const std::vector<ReleaseCell>& cells) {
    if (cells.size() != columns_.size()) {
      document_.fail(cells.front().place, "row",
                     fmt::format("has {} cells; the first line names {} columns", cells.size(),
                                 columns_.size()));
    }
    std::array<double, n_numbers> value{};
    site::StartPoint point;
    std::string rock;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (!columns_[c]) continue;
      const std::size_t k = *columns_[c];
      if (k < n_numbers)
        value[k] = number_in_file(cells[c].text, cells[c].place, release_names[k], document_);
      if (k >= n_numbers && printable(cells[c].text) != cells[c].text)
        document_.fail(cells[c].place, release_names[k],
                       "has control characters, which are not allowed");
      if (k == rock_column) rock = cells[c].text;
      if (k == id_column) point.label = cells[c].text;
    }
    point.x = value[0], point.y = value[1];
    if (has(2)) point.z = value[2];
    if (has(3)) point.velocity = Vector3(value[3], value[4], value[5]);
    if (has(6)) point.spin = Vector3(value[6], value[7], value[8]);
    if (has(9)) {
      point.orientation = Quaternion(value[9], value[10], value[11], value[12]);
      if (std::abs(point.orientation->norm() - 1.0) > 1e-6)
        document_.fail(cells.front().place, "qw", "is no unit quaternion (norm 1 within 1e-6)");
    }
    csv_.points.push_back(std::move(point));
    csv_.rock.push_back(std::move(rock));
  }

  Document document_;
  ReleaseCsv csv_;
  std::vector<std::optional<std::size_t>> columns_;
};

}  // namespace

ReleaseCsv read_release_csv(std::string_view text, const std::string& file_name) {
  return ReleaseReader(file_name).read(text);
}

}  // namespace scree::scenes
