// What the program says: results on standard output, everything about them on standard error.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace scree {

// Text for standard output. What cannot be written is reported by close_standard_output.
void write_output(const std::string& text);

// Text for standard error. A reader that has gone, or a full disk, is no reason to end a run.
void write_notice(const std::string& text);

template <class... T>
void output(fmt::format_string<T...> format, T&&... values) {
  write_output(fmt::format(format, std::forward<T>(values)...));
}

template <class... T>
void notice(fmt::format_string<T...> format, T&&... values) {
  write_notice(fmt::format(format, std::forward<T>(values)...));
}

// To be called before the first file is opened. Descriptors 0 to 2 that are closed are occupied, so that no file of ours gets the
// number of standard output; and a reader that has gone makes a write fail instead of ending the program.
void prepare_standard_streams();

// Flushes standard output at the end of the program. When anything could not be written, says so and returns the exit code of a
// failed run instead of `exit_code`; but a reader that has read enough (as `head`) is no failure.
int close_standard_output(int exit_code);

}  // namespace scree
