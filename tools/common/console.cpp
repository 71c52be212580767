#include "tools/common/console.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tools/common/exit_codes.hpp"

namespace scree {
namespace {

int output_error = 0;  // errno of the first failure

void keep_error(bool written) {
  if (!written && output_error == 0) output_error = errno != 0 ? errno : EIO;
}

}  // namespace

// Flushed at once: results are printed whole, and what a failed flush leaves behind would hide its
// reason.
void write_output(const std::string& any_text) {
  if (output_error != 0) return;
  const std::string text = printable_lines(any_text);
  errno = 0;
  keep_error(std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
             std::fflush(stdout) == 0);
}

void write_notice(const std::string& any_text) {
  const std::string whole = printable_lines(any_text);
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < whole.size(); begin = end + 1) {
    end = whole.find('\n', begin);
    text += shortened(
        std::string_view(whole).substr(begin, end == std::string::npos ? end : end - begin));
    if (end == std::string::npos) break;
    text += '\n';
  }
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  std::fflush(stderr);
}

void write_json(const nlohmann::ordered_json& json) {
  write_output(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void prepare_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest number that is free, which is this one. Not open for writing: writes to standard
    // output then fail, as they should.
    if (fcntl(number, F_GETFD) < 0)
      static_cast<void>(open("/dev/null", number == STDERR_FILENO ? O_WRONLY : O_RDONLY));
  }
  std::signal(SIGPIPE, SIG_IGN);
}

int close_standard_output(int exit_code) {
  errno = 0;
  if (output_error == 0) keep_error(std::fflush(stdout) == 0 && std::ferror(stdout) == 0);
  if (output_error == 0 || output_error == EPIPE) return exit_code;
  notice("standard output cannot be written: {}\n", std::strerror(output_error));
  return exit_code == exit_bad_input ? exit_code : exit_failed;
}

}  // namespace scree
