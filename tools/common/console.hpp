// What the program says: results on standard output, everything about them on standard error.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>

#include "engine/base/printable.hpp"

namespace scree {

// Text of any number of lines for standard output, made printable. What cannot be written is
// reported by close_standard_output.
void write_output(const std::string& text);

// The same for standard error. A reader that has gone, or a full disk, is no reason to end a run.
void write_notice(const std::string& text);

// The object, and nothing else, on standard output; bytes that are no UTF-8 are replaced.
void write_json(const nlohmann::ordered_json& json);

template <class T>
decltype(auto) printable_value(const T& value) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return printable(value);
  } else {
    return (value);
  }
}

// Formats with texts among the values made printable, each in one line.
template <class... T>
std::string printable_text(fmt::format_string<const T&...> format, const T&... values) {
  return [&](const auto&... shown) {
    return fmt::vformat(format, fmt::make_format_args(shown...));
  }(printable_value(values)...);
}

template <class... T>
void output(fmt::format_string<const T&...> format, const T&... values) {
  write_output(printable_text<T...>(format, values...));
}

template <class... T>
void notice(fmt::format_string<const T&...> format, const T&... values) {
  write_notice(printable_text<T...>(format, values...));
}

// To be called before the first file is opened. Descriptors 0 to 2 that are closed are occupied, so
// that no file of ours gets the number of standard output; and a reader that has gone makes a write
// fail instead of ending the program.
void prepare_standard_streams();

// Flushes standard output at the end of the program. When anything could not be written, says so
// and returns the exit code of a failed run instead of `exit_code`; but a reader that has read
// enough (as `head`) is no failure.
int close_standard_output(int exit_code);

}  // namespace scree
