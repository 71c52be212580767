// Checks of numbers on the command line.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scree::choices {

// A number > 0 that is finite. (CLI::Range lets nan pass.)
inline CLI::Validator positive_number() {
  const auto check = [](const std::string& text) {
    double value = 0.0;
    const bool good = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && value > 0.0;
    return good ? std::string() : text + " is not allowed; must be a finite number > 0";
  };
  return {check, "NUMBER > 0"};
}

// A number within bounds.
inline CLI::Validator number_within(double low, double high) {
  const std::string allowed = fmt::format("from {:g} to {:g}", low, high);
  const auto check = [low, high, allowed](const std::string& text) {
    double value = 0.0;
    const bool good = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
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
