// Words of a large text, read in pieces, so that a raster of 1e8 numbers needs no second copy.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/decimal.hpp"
#include "engine/base/input_file.hpp"

namespace scree::scenes {

// What a raster holds where it has no data.
inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

class RasterText {
 public:
  // Throws InputError if it can't be read. `shown`: its name in messages.
  RasterText(const std::string& path, std::string shown);

  // The next word between blanks; false at the end. Valid until the next call.
  bool next_word(std::string_view& word);
  // The words of the next line that has any; false at the end.
  bool next_line(std::vector<std::string_view>& words);
  // Back to before the line last read by next_line.
  void unread_line();

  std::int64_t line() const { return line_; }                // of the word last read, from 1
  [[noreturn]] void fail(const std::string& message) const;  // at that line
  [[noreturn]] void fail_file(const std::string& message) const;

  // A finite number, or fail().
  double number_in(std::string_view word) const;
  Decimal decimal_in(std::string_view word) const;

 private:
  void refill(std::size_t keep_from);
  [[noreturn]] void fail_number(std::string_view word) const;

  std::string shown_;
  InputPieces pieces_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;
  std::int64_t line_ = 1;
  std::size_t line_begin_ = 0;
  std::int64_t line_before_ = 1;
  bool ended_ = false;
};

// A decimal without exponent of at most 19 digits: units of 10^-decimals, at most 2^53 of them.
struct PlainNumber {
  std::int64_t units = 0;
  std::size_t decimals = 0;

  double value() const;  // the nearest double
  // The double nearest to the difference; false: it needs more digits.
  bool less(const PlainNumber& other, double& difference) const;
};

// False: another word.
bool read_plain(std::string_view word, PlainNumber& number);
bool read_plain_number(std::string_view word, double& value);

}  // namespace scree::scenes
