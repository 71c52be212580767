#include "scenes/blocks/text_lines.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "engine/base/check.hpp"
#include "engine/base/printable.hpp"

namespace scree::blocks {
namespace {

constexpr std::size_t longest_shown = 40;

std::string shown(std::string_view word) {
  std::string text(word.substr(0, longest_shown));
  if (word.size() > longest_shown) text += "...";
  return text;
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t\r\v\f", at);
    if (begin == std::string_view::npos) return words;
    at = std::min(line.find_first_of(" \t\r\v\f", begin), line.size());
    words.push_back(line.substr(begin, at - begin));
  }
}

bool Lines::next(std::string_view& line) {
  if (at_ >= text_.size()) return false;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  line = text_.substr(at_, end - at_);
  at_ = end + 1;
  ++number_;
  return true;
}

void Lines::fail(const std::string& message) const {
  throw InputError(printable(fmt::format("{}:{}: {}", file_, number_, message)));
}

double Lines::number_in(std::string_view word) const {
  std::string text(word.starts_with('+') ? word.substr(1) : word);
  for (char& c : text) {
    if (c == 'D' || c == 'd') c = 'E';
  }
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    fail(fmt::format("'{}' is not a number", shown(word)));
  if (!std::isfinite(value)) fail(fmt::format("'{}' is not a finite number", shown(word)));
  return value;
}

std::int64_t Lines::integer_in(std::string_view word) const {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || word.empty())
    fail(fmt::format("'{}' is not an integer", shown(word)));
  return value;
}

Vector3 Lines::point_in(const std::vector<std::string_view>& words, std::size_t first) const {
  if (words.size() < first + 3) fail("three coordinates are missing here");
  return {number_in(words[first]), number_in(words[first + 1]), number_in(words[first + 2])};
}

}  // namespace scree::blocks
