#include "tools/stop_signal.hpp"

#include <csignal>
#include <cstdint>
#include <ctime>

#include "engine/unfinished_file.hpp"

namespace scree {
namespace {

std::atomic<bool> stop_wanted{false}, stop_asked{false};
std::atomic<std::int64_t> asked_at{0};  // [ms]
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

void handle(int signal) {
  // `timeout` signals the program and then its group, so a second signal at once is still the first request.
  constexpr std::int64_t same_request = 500;  // [ms]
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t at = std::int64_t{1000} * now.tv_sec + now.tv_nsec / 1000000;
  if (stop_wanted.load()) {
    if (!stop_asked.exchange(true)) {
      asked_at.store(at);
      return;
    }
    if (at - asked_at.load() < same_request) return;
  }
  remove_unfinished_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);   // arrives when the handler returns
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
    if (signal == SIGHUP && sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
  }
}

const std::atomic<bool>& stop_on_signal() {
  stop_wanted.store(true);
  return stop_asked;
}

}  // namespace scree
