// Checks of numbers on the command line.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace scree::choices {

// The number that a text is in decimal digits, or in the words inf and nan; none: it is something
// else. (The parser takes hexadecimal digits too: 0x10 is no step of 16 s.)
inline std::optional<double> decimal_of(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0.0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || error == std::errc::invalid_argument) return std::nullopt;
  // Too large or too small for a double: infinite or zero.
  return error == std::errc() ? value : std::strtod(std::string(text).c_str(), nullptr);
}

// What is wrong with a text that is no number.
inline std::string no_decimal(const std::string& text) {
  return fmt::format(
      "'{}' is not allowed; must be a number with a point before decimals, without a unit", text);
}

// Any number. Every option of numbers has this check.
inline CLI::Validator decimal_number() {
  const auto check = [](const std::string& text) {
    return decimal_of(text) ? std::string() : no_decimal(text);
  };
  return {check, "NUMBER"};
}

// A finite number that is not too small. (CLI::Range lets nan pass.)
inline CLI::Validator positive_number(double most = std::numeric_limits<double>::infinity()) {
  std::string allowed = "must be a finite number > 0";
  if (std::isfinite(most)) allowed += fmt::format(" and at most {:g}", most);
  const auto check = [most, allowed](const std::string& text) {
    const std::optional<double> value = decimal_of(text);
    if (!value) return no_decimal(text);
    const bool good = std::isfinite(*value) && *value > 0.0 && *value <= most;
    return good ? std::string() : fmt::format("{} is not allowed; {}", text, allowed);
  };
  return {check, "NUMBER > 0"};
}

inline CLI::Validator not_negative_number() {
  const auto check = [](const std::string& text) {
    const std::optional<double> value = decimal_of(text);
    if (!value) return no_decimal(text);
    return std::isfinite(*value) && *value >= 0.0
               ? std::string()
               : text + " is not allowed; must be a finite number >= 0";
  };
  return {check, "NUMBER >= 0"};
}

// A number within bounds.
inline CLI::Validator number_within(double low, double high) {
  const std::string allowed = fmt::format("from {:g} to {:g}", low, high);
  const auto check = [low, high, allowed](const std::string& text) {
    const std::optional<double> value = decimal_of(text);
    const bool good = value && *value >= low && *value <= high;
    return good ? std::string() : text + " is not allowed; must be a number " + allowed;
  };
  return {check, "NUMBER " + allowed};
}

// The integer that a text of decimal digits is; none: it is something else, has more than 64 bits,
// or begins with a zero, which the parser takes for the sign of an octal number.
inline std::optional<std::int64_t> integer_of(std::string_view text) {
  if (const std::size_t first = text.starts_with('-') ? 1 : 0;
      text.size() > first + 1 && text[first] == '0')
    return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

// An integer within bounds. (CLI::Range cuts what has more than 64 bits to the largest that has
// not, and prints bounds with hundreds of digits.)
inline CLI::Validator integer_within(std::int64_t low, std::int64_t high) {
  const auto check = [low, high](const std::string& text) {
    const std::optional<std::int64_t> value = integer_of(text);
    const bool good = value && *value >= low && *value <= high;
    return good ? std::string()
                : fmt::format("{} is not allowed; must be an integer from {} to {}", text, low,
                              high);
  };
  return {check, "INTEGER from " + std::to_string(low)};
}

// The number of a frame, counted from the end if negative: whether there is one is known with the
// file.
inline CLI::Validator frame_number() {
  return integer_within(-1000000000, 1000000000).description("INTEGER");
}

}  // namespace scree::choices
