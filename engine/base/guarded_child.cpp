#include "engine/base/guarded_child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace scree {
namespace {

constexpr char finished_mark = '.';  // last byte of a text that is whole

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool bounds_memory = false;  // sanitizers reserve terabytes of addresses
#else
constexpr bool bounds_memory = true;
#endif

void limit(__rlimit_resource what, rlim_t value) {
  rlimit bound{};
  if (getrlimit(what, &bound) != 0) return;
  bound.rlim_cur = std::min(value, bound.rlim_max);
  setrlimit(what, &bound);
}

// Addresses in use, in bytes. The first number of statm counts pages.
rlim_t addresses_in_use() {
  std::array<char, 64> text{};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  const ssize_t size = file < 0 ? -1 : read(file, text.data(), text.size() - 1);
  if (file >= 0) close(file);
  return size <= 0
             ? RLIM_INFINITY
             : std::strtoull(text.data(), nullptr, 10) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

void prepare_child(pid_t parent, const ChildLimits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  // Handlers of the program remove its unfinished files; this process owns none.
  for (const int number :
       {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU})
    std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.cpu_seconds);
  const rlim_t used = addresses_in_use();
  if (bounds_memory && used != RLIM_INFINITY) limit(RLIMIT_AS, used + limits.memory_bytes);
}

void send(int pipe, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(pipe, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) return;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
}

[[noreturn]] void work_in_child(int pipe, const std::function<std::string()>& work) {
  try {
    send(pipe, work() + finished_mark);
  } catch (...) {
    _exit(1);  // without the mark: as good as a crash
  }
  _exit(0);
}

std::string receive(int pipe) {
  std::string text;
  std::array<char, 4096> part{};
  while (true) {
    const ssize_t size = read(pipe, part.data(), part.size());
    if (size == 0) return text;
    if (size > 0) text.append(part.data(), static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR) return text;
  }
}

Guard current_guard = &run_in_child;

}  // namespace

ChildOutcome run_in_child(const std::function<std::string()>& work, const ChildLimits& limits) {
  std::array<int, 2> ends{};
  const auto fail = [] {
    throw std::runtime_error(std::string("no further process can be started: ") +
                             std::strerror(errno));
  };
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    prepare_child(parent, limits);
    work_in_child(ends[1], work);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    fail();
  }
  std::string text = receive(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  using End = ChildOutcome::End;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return {End::out_of_time, ""};
  if (text.empty() || text.back() != finished_mark) return {End::crashed, ""};
  text.pop_back();
  return {End::finished, text};
}

ChildOutcome run_guarded(const std::function<std::string()>& work, const ChildLimits& limits) {
  return current_guard(work, limits);
}

Guard set_guard(Guard guard) { return std::exchange(current_guard, guard); }

}  // namespace scree
