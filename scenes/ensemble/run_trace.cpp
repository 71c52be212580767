#include "scenes/ensemble/run_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace scree::ensemble {
namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t words_of_cell = 1 + site::n_quantities;

// 32 bits as six digits of 6 bits, the lowest first: the same on every machine.
void put_word(std::uint32_t word, std::string& text) {
  for (int i = 0; i < 6; ++i, word >>= 6) text += digits[word & 63U];
}

std::array<std::int8_t, 256> digit_values() {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < digits.size(); ++i)
    values[static_cast<unsigned char>(digits[i])] = static_cast<std::int8_t>(i);
  return values;
}

// False: no digits.
bool get_word(std::string_view text, std::uint32_t& word) {
  static const std::array<std::int8_t, 256> values = digit_values();
  std::uint64_t all = 0;
  for (std::size_t i = 6; i-- > 0;) {
    const std::int8_t digit = values[static_cast<unsigned char>(text[i])];
    if (digit < 0) return false;
    all = all << 6 | static_cast<std::uint64_t>(digit);
  }
  word = static_cast<std::uint32_t>(all);
  return all <= std::numeric_limits<std::uint32_t>::max();
}

}  // namespace

double LineCrossing::value(site::Quantity quantity) const {
  switch (quantity) {
    case site::Quantity::energy:
      return energy;
    case site::Quantity::velocity:
      return velocity;
    case site::Quantity::jump:
      return jump;
    case site::Quantity::spin:
      break;
  }
  return spin;
}

std::int32_t cell_of(const site::MapGrid& grid, double x, double y) {
  const double column = std::floor((x - grid.low.x()) / grid.cell),
               row = std::floor((y - grid.low.y()) / grid.cell);
  if (!(column >= 0.0 && column < grid.columns && row >= 0.0 && row < grid.rows)) return -1;
  return static_cast<std::int32_t>(row) * grid.columns + static_cast<std::int32_t>(column);
}

void CellMaxima::raise(std::int64_t column, std::int64_t row, const QuantityValues& values) {
  if (column < 0 || column >= grid_.columns || row < 0 || row >= grid_.rows) return;
  const auto cell = static_cast<std::int32_t>(row * grid_.columns + column);
  if (cells_.empty() || cells_[last_].cell != cell) {
    const auto [entry, is_new] = index_.emplace(cell, cells_.size());
    if (is_new) {
      cells_.push_back({cell, {}});
      cells_.back().value.fill(-std::numeric_limits<float>::infinity());
    }
    last_ = entry->second;
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    // Not a number: unknown, as the height above ground that is not there.
    const auto value = static_cast<float>(values[k]);
    if (value > cells_[last_].value[k]) cells_[last_].value[k] = value;
  }
}

// Amanatides, Woo 1987: from cell to cell, always across the side that comes first.
void CellMaxima::pass(const Vector3& from, const Vector3& to, const QuantityValues& values) {
  const auto place = [&](const Vector3& x, int axis) {
    return (x[axis] - grid_.low[axis]) / grid_.cell;
  };
  std::array<std::int64_t, 2> cell{}, end{};
  std::array<int, 2> step{};
  std::array<double, 2> next{}, by{};
  for (int axis = 0; axis < 2; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const double p = place(from, axis), q = place(to, axis);
    if (!(std::abs(p) < 1e9 && std::abs(q) < 1e9)) return;
    cell[a] = static_cast<std::int64_t>(std::floor(p));
    end[a] = static_cast<std::int64_t>(std::floor(q));
    step[a] = q > p ? 1 : -1;
    by[a] = q == p ? std::numeric_limits<double>::infinity() : 1.0 / std::abs(q - p);
    const double side = static_cast<double>(cell[a] + (q > p ? 1 : 0));
    next[a] = q == p ? std::numeric_limits<double>::infinity() : std::abs(side - p) * by[a];
  }
  raise(cell[0], cell[1], values);
  std::int64_t left = std::abs(end[0] - cell[0]) + std::abs(end[1] - cell[1]);
  for (; left > 0; --left) {
    // An axis that has arrived is left alone, whatever round-off says.
    const std::size_t a = cell[1] == end[1]    ? 0
                          : cell[0] == end[0]  ? 1
                          : next[0] <= next[1] ? 0
                                               : 1;
    cell[a] += step[a];
    next[a] += by[a];
    raise(cell[0], cell[1], values);
  }
}

std::vector<PassedCell> CellMaxima::cells() const {
  std::vector<PassedCell> sorted = cells_;
  std::ranges::sort(sorted, {}, &PassedCell::cell);
  return sorted;
}

std::vector<LineCut> cuts_of(const site::Barrier& barrier, const Vector3& from, const Vector3& to) {
  std::vector<LineCut> cuts;
  double begin = 0.0;
  for (std::size_t i = 0; i + 1 < barrier.corners.size(); ++i) {
    const Vector3 &a = barrier.corners[i], &b = barrier.corners[i + 1];
    const double ex = b.x() - a.x(), ey = b.y() - a.y(), length = std::sqrt(ex * ex + ey * ey);
    // Positive on the left of the side. On it counts as the left, so that a way that ends there
    // and goes on crosses once.
    const double side_0 = ex * (from.y() - a.y()) - ey * (from.x() - a.x()),
                 side_1 = ex * (to.y() - a.y()) - ey * (to.x() - a.x());
    if ((side_0 >= 0.0) != (side_1 >= 0.0)) {
      const double share = side_0 / (side_0 - side_1);
      const double x = from.x() + share * (to.x() - from.x()),
                   y = from.y() + share * (to.y() - from.y());
      const double along = (ex * (x - a.x()) + ey * (y - a.y())) / (length * length);
      const bool last = i + 2 == barrier.corners.size();
      if (along >= 0.0 && (along < 1.0 || (last && along <= 1.0)))
        cuts.push_back({share, begin + along * length, side_0 >= 0.0 ? 1 : -1});
    }
    begin += length;
  }
  std::ranges::stable_sort(cuts, {}, &LineCut::share);
  return cuts;
}

std::string cells_text(std::span<const PassedCell> cells) {
  std::string text;
  text.reserve(cells.size() * words_of_cell * 6);
  for (const PassedCell& cell : cells) {
    put_word(static_cast<std::uint32_t>(cell.cell), text);
    for (const float value : cell.value) put_word(std::bit_cast<std::uint32_t>(value), text);
  }
  return text;
}

std::vector<PassedCell> cells_of(std::string_view text) {
  std::vector<PassedCell> cells;
  for (; text.size() >= 6 * words_of_cell; text.remove_prefix(6 * words_of_cell)) {
    PassedCell cell;
    std::uint32_t word = 0;
    if (!get_word(text, word)) return {};
    cell.cell = static_cast<std::int32_t>(word);
    for (std::size_t k = 0; k < cell.value.size(); ++k) {
      if (!get_word(text.substr(6 * (k + 1)), word)) return {};
      cell.value[k] = std::bit_cast<float>(word);
    }
    cells.push_back(cell);
  }
  return cells;
}

std::string crossings_text(std::span<const LineCrossing> crossings) {
  std::string text;
  for (const LineCrossing& crossing : crossings) {
    if (!text.empty()) text += ';';
    bool first = true;
    LineCrossing::columns(crossing, [&](const char*, const char*, const auto& value) {
      text += first ? "" : " ";
      first = false;
      text += fmt::format("{}", value);
    });
  }
  return text;
}

std::vector<LineCrossing> crossings_of(std::string_view text) {
  std::vector<LineCrossing> crossings;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find(';'), text.size());
    std::string_view one = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
    LineCrossing crossing;
    bool good = true;
    LineCrossing::columns(crossing, [&](const char*, const char*, auto& value) {
      const std::string_view word = one.substr(0, one.find(' '));
      // Takes "nan" and "inf" for a double too.
      const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
      good = good && result.ec == std::errc() && result.ptr == word.data() + word.size();
      one.remove_prefix(std::min(word.size() + 1, one.size()));
    });
    if (!good) return {};
    crossings.push_back(crossing);
  }
  return crossings;
}

}  // namespace scree::ensemble
