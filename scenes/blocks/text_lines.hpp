// Text formats line by line, with messages that name the line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/math.hpp"

namespace scree::blocks {

// Words between blanks; carriage returns are blanks.
std::vector<std::string_view> words_of(std::string_view line);

// Walks over the lines of a text.
class Lines {
 public:
  Lines(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  // The next line into `line`; false at the end.
  bool next(std::string_view& line);
  std::int64_t number() const { return number_; }  // of the line last read, from 1
  std::size_t offset() const { return at_; }       // of the byte after it

  [[noreturn]] void fail(const std::string& message) const;
  // A finite number; D exponents are read as E.
  double number_in(std::string_view word) const;
  std::int64_t integer_in(std::string_view word) const;
  Vector3 point_in(const std::vector<std::string_view>& words, std::size_t first) const;

 private:
  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::int64_t number_ = 0;
};

}  // namespace scree::blocks
