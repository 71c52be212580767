#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/base/check.hpp"
#include "engine/base/limits.hpp"
#include "scenes/raster/raster_checks.hpp"
#include "scenes/raster/raster_text.hpp"
#include "scenes/raster/read_raster.hpp"

namespace scree::scenes {
namespace {

// The three numbers of each line, between blanks, commas or semicolons; a first line of words is
// passed over.
class Points {
 public:
  Points(const std::string& path, const std::string& shown) : text_(path, shown) {}

  bool next(std::array<std::string_view, 3>& point) {
    while (text_.next_line(words_)) {
      split();
      const bool heading = !seen_ && std::isalpha(static_cast<unsigned char>(parts_[0][0])) != 0;
      seen_ = true;
      if (heading) continue;
      if (parts_.size() != 3)
        text_.fail(
            fmt::format("a line must have three numbers x y z, this one has {}", parts_.size()));
      std::copy(parts_.begin(), parts_.end(), point.begin());
      return true;
    }
    return false;
  }
  RasterText& text() { return text_; }

 private:
  void split() {
    parts_.clear();
    for (std::string_view word : words_) {
      while (true) {
        const std::size_t end = std::min(word.find_first_of(",;"), word.size());
        if (end > 0) parts_.push_back(word.substr(0, end));
        if (end == word.size()) break;
        word.remove_prefix(end + 1);
      }
    }
    if (parts_.empty()) text_.fail("a line must have three numbers x y z");
  }

  RasterText text_;
  std::vector<std::string_view> words_, parts_;
  bool seen_ = false;
};

// The coordinates along one axis that occur.
class Axis {
 public:
  explicit Axis(const char* name) : name_(name) {}

  void see(std::string_view word, const RasterText& text) {
    if (word == last_) return;
    last_ = std::string(word);
    const Decimal at = text.decimal_in(word);
    if (!seen_ || (low_ - at).is_positive()) low_ = at;
    if (!seen_ || (at - high_).is_positive()) high_ = at;
    if (seen_) {
      Decimal step = at - before_;
      if (!step.is_positive()) step = before_ - at;
      if (step.is_positive() && (!has_step_ || (step_ - step).is_positive()))
        step_ = step, has_step_ = true;
    }
    before_ = at, seen_ = true;
  }
  // Number of nodes; the step is the smallest between points that follow each other.
  std::int64_t count(const RasterText& text) const {
    if (!has_step_) text.fail_file(fmt::format("all points have the same {}", name_));
    return std::llround((high_ - low_).value() / step_.value()) + 1;
  }
  std::int64_t index(std::string_view word, const RasterText& text) const {
    const Decimal along = text.decimal_in(word) - low_;
    const std::int64_t i = std::llround(along.value() / step_.value());
    if (!(step_.times(i) == along)) {
      text.fail(
          fmt::format("{} = {} is not on the grid of {} = {} and steps of {}; points must be "
                      "those of a regular grid along x and y",
                      name_, std::string(word), name_, low_.text(), step_.text()));
    }
    return i;
  }
  const Decimal& low() const { return low_; }
  const Decimal& step() const { return step_; }

 private:
  const char* name_;
  std::string last_;
  Decimal low_, high_, before_, step_;
  bool seen_ = false, has_step_ = false;
};

}  // namespace

Raster read_xyz(const std::string& path, const RasterOptions& options) {
  const std::string shown = options.shown.empty() ? path : options.shown;
  std::array<std::string_view, 3> point;
  Axis along_x("x"), along_y("y");
  Points first(path, shown);
  while (first.next(point))
    along_x.see(point[0], first.text()), along_y.see(point[1], first.text());
  const std::int64_t columns = along_x.count(first.text()), rows = along_y.count(first.text());
  require_size(shown, columns, rows);
  Raster raster;
  raster.columns = static_cast<std::int32_t>(columns);
  raster.rows = static_cast<std::int32_t>(rows);
  raster.map.dx = along_x.step(), raster.map.dy = along_y.step();
  raster.map.west = along_x.low() - along_x.step().half();
  raster.map.south = along_y.low() - along_y.step().half();
  raster.dx = raster.map.dx.value(), raster.dy = raster.map.dy.value();
  raster.x = (along_x.low() - options.origin[0]).value();
  raster.y = (along_y.low() - options.origin[1]).value();
  raster.values.assign(static_cast<std::size_t>(columns * rows),
                       std::numeric_limits<double>::quiet_NaN());
  const Decimal origin = options.heights ? options.origin[2] : Decimal();
  Points second(path, shown);
  const RasterText& text = second.text();
  while (second.next(point)) {
    const std::int64_t at = along_y.index(point[1], text) * columns + along_x.index(point[0], text);
    double& value = raster.values[static_cast<std::size_t>(at)];
    if (!std::isnan(value)) text.fail("there is already a point at this place");
    const double number = text.number_in(point[2]);
    if (!is_admitted_coordinate(number))
      text.fail(fmt::format("{} is not allowed; must be {}", number, admitted_coordinate));
    value = origin.is_zero() ? number : (text.decimal_in(point[2]) - origin).value();
  }
  if (options.heights) check_heights(shown, raster);
  return raster;
}

}  // namespace scree::scenes
