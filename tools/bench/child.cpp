#include "tools/bench/child.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>

#include <fmt/format.h>

#include "tools/common/failure.hpp"

namespace scree::bench {
namespace {

using nlohmann::json;

std::string result_text(const std::function<json()>& work) {
  try {
    return json{{"result", work()}}.dump();
  } catch (const std::exception& error) {
    return json{{"error", reason_of(error)}}.dump();
  }
}

void write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return;
    done += static_cast<std::size_t>(n);
  }
}

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t n = read(file, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace

json in_child(const std::string& what, const std::function<json()>& work) {
  std::array<int, 2> ends = {};
  if (pipe(ends.data()) != 0) throw std::runtime_error(what + ": " + std::strerror(errno));
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(what + ": " + std::strerror(errno));
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG,
          SIGKILL);  // nothing goes on measuring for a program that is no longer there
    close(ends[0]);
    write_all(ends[1], result_text(work));
    _exit(0);
  }
  close(ends[1]);
  const std::string text = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    throw std::runtime_error(fmt::format("{}: the measuring process was ended by signal {} ({}){}",
                                         what, number, strsignal(number),
                                         number == SIGKILL ? "; is memory short?" : ""));
  }
  const json answer = json::parse(text, nullptr, false);
  if (answer.is_object() && answer.contains("result")) return answer["result"];
  throw std::runtime_error(what + ": " +
                           (answer.is_object() ? answer.value("error", "failed") : "no result"));
}

}  // namespace scree::bench
