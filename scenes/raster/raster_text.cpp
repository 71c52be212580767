#include "scenes/raster/raster_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "engine/base/check.hpp"
#include "engine/base/printable.hpp"

namespace scree::scenes {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 22, longest_word = 4096;

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string shortened(std::string_view word) {
  constexpr std::size_t shown = 40;
  std::string text(word.substr(0, shown));
  if (word.size() > shown) text += "...";
  return text;
}

}  // namespace

RasterText::RasterText(const std::string& path, std::string shown)
    : shown_(std::move(shown)), pieces_(path), buffer_(piece_bytes + longest_word) {
  refill(0);
  constexpr std::string_view mark = "\xEF\xBB\xBF";  // of UTF-8, as some editors write it
  if (std::string_view(buffer_.data(), end_).starts_with(mark)) at_ = mark.size();
}

// Bytes from `keep_from` on move to the front, and as many as fit follow them.
void RasterText::refill(std::size_t keep_from) {
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(keep_from),
            buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  end_ -= keep_from, at_ -= keep_from;
  const std::size_t room = buffer_.size() - end_, read = pieces_.read(buffer_.data() + end_, room);
  end_ += read;
  ended_ = read < room;
}

bool RasterText::next_word(std::string_view& word) {
  while (true) {
    for (; at_ < end_ && is_blank(buffer_[at_]); ++at_) line_ += buffer_[at_] == '\n' ? 1 : 0;
    if (at_ < end_) break;
    if (ended_) return false;
    refill(at_);
  }
  std::size_t last = at_;
  while (last < end_ && !is_blank(buffer_[last])) ++last;
  if (last == end_ && !ended_) {
    if (last - at_ > longest_word) fail("a word of more than 4096 letters is no number");
    refill(at_);
    last = at_;
    while (last < end_ && !is_blank(buffer_[last])) ++last;
  }
  word = {buffer_.data() + at_, last - at_};
  at_ = last;
  return true;
}

bool RasterText::next_line(std::vector<std::string_view>& words) {
  words.clear();
  if (!ended_ && end_ - at_ < longest_word) refill(at_);
  for (; at_ < end_ && is_blank(buffer_[at_]); ++at_) line_ += buffer_[at_] == '\n' ? 1 : 0;
  line_begin_ = at_, line_before_ = line_;
  while (at_ < end_ && buffer_[at_] != '\n') {
    if (is_blank(buffer_[at_])) {
      ++at_;
      continue;
    }
    std::size_t last = at_;
    while (last < end_ && !is_blank(buffer_[last])) ++last;
    words.emplace_back(buffer_.data() + at_, last - at_);
    at_ = last;
  }
  return !words.empty();
}

void RasterText::unread_line() { at_ = line_begin_, line_ = line_before_; }

void RasterText::fail(const std::string& message) const {
  throw InputError(printable(fmt::format("{}:{}: {}", shown_, line_, message)));
}

void RasterText::fail_file(const std::string& message) const {
  throw InputError(printable(fmt::format("{}: {}", shown_, message)));
}

void RasterText::fail_number(std::string_view word) const {
  if (word.find(',') != std::string_view::npos) {
    fail(
        fmt::format("'{}' has a comma; decimals are written with a point, and blanks stand "
                    "between numbers",
                    shortened(word)));
  }
  fail(fmt::format("'{}' is not a finite number", shortened(word)));
}

double RasterText::number_in(std::string_view word) const {
  double value = 0.0;
  if (read_plain_number(word, value)) return value;
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool read = error == std::errc() && end == word.data() + word.size();
  if (!read || !std::isfinite(value)) fail_number(word);
  return value;
}

Decimal RasterText::decimal_in(std::string_view word) const {
  Decimal value;
  if (!Decimal::read(word, value)) fail_number(word);
  return value;
}

namespace {

constexpr std::int64_t most_exact = std::int64_t{1} << 53;  // a double has all integers up to it
constexpr std::array<double, 20> powers_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                                                  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                                  1e14, 1e15, 1e16, 1e17, 1e18, 1e19};

// False: the product needs more digits.
bool with_more_decimals(std::int64_t& units, std::size_t more) {
  for (; more > 0; --more) {
    if (units > most_exact || units < -most_exact) return false;
    units *= 10;
  }
  return true;
}

}  // namespace

// Both are exact, so the quotient is rounded once.
double PlainNumber::value() const { return static_cast<double>(units) / powers_of_ten[decimals]; }

bool PlainNumber::less(const PlainNumber& other, double& difference) const {
  const std::size_t most = std::max(decimals, other.decimals);
  std::int64_t a = units, b = other.units;
  if (!with_more_decimals(a, most - decimals) || !with_more_decimals(b, most - other.decimals))
    return false;
  const std::int64_t rest = a - b;  // each is below 10 * 2^53
  if (rest > most_exact || rest < -most_exact) return false;
  difference = static_cast<double>(rest) / powers_of_ten[most];
  return true;
}

bool read_plain(std::string_view word, PlainNumber& number) {
  const char* at = word.data();
  const char* const end = at + word.size();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  std::uint64_t digits = 0;
  std::size_t count = 0, decimals = 0;
  for (; at != end && *at >= '0' && *at <= '9'; ++at, ++count)
    digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
  if (at != end && *at == '.') {
    for (++at; at != end && *at >= '0' && *at <= '9'; ++at, ++count, ++decimals)
      digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
  }
  if (at != end || count == 0 || count > powers_of_ten.size() - 1 ||
      digits > static_cast<std::uint64_t>(most_exact))
    return false;
  number.units = negative ? -static_cast<std::int64_t>(digits) : static_cast<std::int64_t>(digits);
  number.decimals = decimals;
  return true;
}

bool read_plain_number(std::string_view word, double& value) {
  PlainNumber number;
  if (!read_plain(word, number)) return false;
  value = number.value();
  if (number.units == 0 && word.starts_with('-')) value = -value;
  return true;
}

}  // namespace scree::scenes
