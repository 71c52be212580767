#include "tools/cli/stop_signal.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>

#include "engine/files/unfinished_file.hpp"
#include "tools/common/exit_codes.hpp"

namespace scree {
namespace {

std::atomic<bool> stop_wanted{false}, stop_asked{false};
std::atomic<std::int64_t> asked_at{0};  // [ms]
std::atomic<const char*> last_words{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free &&
                  std::atomic<const char*>::is_always_lock_free,
              "a signal handler may touch it");

void handle(int signal) {
  // `timeout` signals the program and then its group, so a second signal at once is still the first
  // request.
  constexpr std::int64_t same_request = 500;  // [ms]
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t at = std::int64_t{1000} * now.tv_sec + now.tv_nsec / 1000000;
  const bool wanted = stop_wanted.load();
  if (wanted) {
    if (!stop_asked.exchange(true)) {
      asked_at.store(at);
      return;
    }
    if (at - asked_at.load() < same_request) return;
  }
  remove_unfinished_files();
  if (const char* text = wanted ? nullptr : last_words.load()) {
    static_cast<void>(
        !write(STDERR_FILENO, text, std::strlen(text)));  // where it cannot be said, it is not
    _exit(exit_failed);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // arrives when the handler returns
}

}  // namespace

void clean_up_on_signal() {
  struct sigaction action {};
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    // nohup has SIGHUP ignored, which must stay so.
    if (signal == SIGHUP && sigaction(signal, nullptr, &before) == 0 &&
        before.sa_handler == SIG_IGN)
      continue;
    sigaction(signal, &action, nullptr);
  }
}

void end_on_signal(const char* text) { last_words.store(text); }

const std::atomic<bool>& stop_on_signal() {
  stop_wanted.store(true);
  return stop_asked;
}

}  // namespace scree
